#include "io/writers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/test_policy.h"
#include "io/test_publication.h"

namespace thicket::writers_test {
namespace {

using testing::AsItIs;
using testing::Describe;
using testing::ErrorOf;
using testing::FlatEncoding;
using testing::Read;
using testing::StudentPolicy;
using testing::TablePolicy;
using testing::Written;

std::string Rewritten(const Policy& policy, const std::string& text, WriteOptions options = {}) {
  auto data = Read(policy, text, ReadAs::kPublished);
  if (!data.ok()) return ErrorOf(data);
  const EncodedDataset encoded = FlatEncoding(std::move(*data));
  return Written(policy, encoded, AsItIs(encoded), options);
}

TEST(JsonWriter, WritesEveryShapeInTheOrderOfTheSchema) {
  EXPECT_EQ(
      Rewritten(
          StudentPolicy(),
          R"({"tags":[5,null,"\u0001\"\\\n"],"address":{"city":"c"},"gpa":3.50,"campus":false,"major":"é",)"
          R"("courses":[{"grade":"A","code":"CS1","books":[{"title":"b"}]},{}]})"
          "\n{}"),
      R"({"major":"é","gpa":3.50,"campus":false,"courses":[{"code":"CS1","grade":"A","books":[{"title":"b"}]},)"
      R"({}],"tags":[5,null,"\u0001\"\\\n"],"address":{"city":"c"}})"
      "\n{}\n");
}

TEST(JsonWriter, WritesTheLabelOfWhatIsGeneralized) {
  auto data = Read(StudentPolicy(), "{\"major\":1,\"gpa\":2}\n{\"major\":3}", ReadAs::kPublished);
  ASSERT_TRUE(data.ok());
  const EncodedDataset encoded = FlatEncoding(std::move(*data));
  Publication published = AsItIs(encoded);
  published.SetLabel(0, 0, {Taxonomy::kRoot, Taxonomy::kRoot});
  EXPECT_EQ(Written(StudentPolicy(), encoded, published),
            "{\"major\":\"*\",\"gpa\":2}\n{\"major\":3}\n");
}

TEST(JsonWriter, AddsTheClassLast) {
  WriteOptions options;
  options.with_class = true;
  EXPECT_EQ(Rewritten(StudentPolicy(), "{}\n{}", options), "{\"_class\":0}\n{\"_class\":1}\n");
}

TEST(JsonWriter, KeepsTheSkeletonOfADocumentAndNumbersItsMembers) {
  Policy policy = StudentPolicy(Format::kJson);
  policy.input.at = "a.b";
  EXPECT_EQ(Rewritten(policy, R"({"a":{"b":{"1":{},"2":{}}}})"),
            "{\"a\":{\"b\":{\n\"1\":{},\n\"2\":{}\n}}}\n");
  EXPECT_EQ(Rewritten(policy, R"({"a":{"b":[{},{}]}})"), "{\"a\":{\"b\":[\n{},\n{}\n]}}\n");
}

TEST(CsvWriter, QuotesWhereNeededAndKeepsTheColumns) {
  EXPECT_EQ(
      Rewritten(TablePolicy(),
                "campus;major;x;gpa\n\"a;b\";\"say \"\"hi\"\"\";1;\"c\nd\"\n;e f;2;\"g,h\"\n"),
      "campus;major;gpa\n\"a;b\";\"say \"\"hi\"\"\";\"c\nd\"\n;e f;\"g,h\"\n");
  WriteOptions options;
  options.with_class = true;
  EXPECT_EQ(Rewritten(TablePolicy(), "major\nx\n", options), "major,_class\nx,0\n");
}

TEST(CsvWriter, WritesARowOfOneMissingValueAsARow) {
  const std::string once = Rewritten(TablePolicy(), "major\nx\n\"\"\n");
  EXPECT_EQ(once, "major\nx\n\"\"\n");
  EXPECT_EQ(Rewritten(TablePolicy(), once), once);
}

TEST(Writers, PassAFailureOn) {
  auto data = Read(TablePolicy(), "major\nx\n", ReadAs::kPublished);
  ASSERT_TRUE(data.ok());
  const EncodedDataset encoded = FlatEncoding(std::move(*data));
  const Publication published = AsItIs(encoded);
  PublicationRecords records(encoded, published);
  const Status status = WriteRecords(TablePolicy(), records, {}, [](std::string_view) {
    return Status(Error{ErrorCode::kIo, "full", "", ""});
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "full");
}

// A random value twice: as JSON, written in a way of its own, and as Describe() shows it.
struct Piece {
  std::string json;
  std::string shown;
};

Piece RandomValue() {
  const int kind = *rc::gen::inRange(0, 4);
  if (kind == 0) return {"null", "-"};
  if (kind == 1) {
    const std::string number =
        *rc::gen::element<std::string>("0", "-1.50", "2e+3", "123456789012345678901234567890");
    return {number, number};
  }
  if (kind == 2) return *rc::gen::element<Piece>(Piece{"true", "true"}, Piece{"false", "false"});
  Piece piece = {"\"", "'"};
  for (const unsigned char c : *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127))) {
    constexpr char kHex[] = "0123456789abcdef";
    piece.json += std::string("\\u00") + kHex[c >> 4] + kHex[c & 15];
    piece.shown += static_cast<char>(c);
  }
  return {piece.json + "\"", piece.shown + "'"};
}

Piece RandomVertex(const Schema& schema, ClassId id) {
  const VertexClass& type = schema.classes[id];
  std::vector<std::string> members;
  std::string shown = type.name + "(";
  for (size_t slot = 0; slot < type.value_count(); ++slot) {
    const Piece value = RandomValue();
    if (value.shown != "-" || *rc::gen::arbitrary<bool>()) {
      members.push_back("\"" + type.slot_name(slot) + "\":" + value.json);
    }
    shown += (slot > 0 ? "," : "") + value.shown;
  }
  std::string children;
  for (const ClassId child : type.children) {
    const VertexClass& child_type = schema.classes[child];
    const bool single = child_type.at == "address";
    const bool plain = child_type.at == "tags";
    std::string array;
    for (int count = *rc::gen::inRange(0, single ? 2 : 4); count > 0; --count) {
      Piece piece = plain ? RandomValue() : RandomVertex(schema, child);
      if (plain) piece.shown = child_type.name + "(" + piece.shown + ")";
      array += (array.empty() ? "" : ",") + piece.json;
      children += piece.shown;
    }
    if (single && array.empty()) array = "null";
    members.push_back("\"" + child_type.at + "\":" + (single ? array : "[" + array + "]"));
  }
  std::string json;
  while (!members.empty()) {
    const auto next = *rc::gen::inRange<size_t>(0, members.size());
    json += (json.empty() ? "" : ",") + members[next];
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(next));
  }
  return {"{" + json + "}", shown + ")" + (children.empty() ? "" : "{" + children + "}")};
}

RC_GTEST_PROP(Json, RoundTripGivesTheSameDataSet, ()) {
  const bool document = *rc::gen::arbitrary<bool>();
  const Policy policy = StudentPolicy(document ? Format::kJson : Format::kJsonl);
  std::string text;
  std::string expected;
  for (int count = *rc::gen::inRange(1, 5); count > 0; --count) {
    const Piece record = RandomVertex(*policy.schema, 0);
    text += (text.empty() || !document ? "" : ",") + record.json + "\n";
    expected += record.shown + "\n";
  }
  if (document) text = "[" + text + "]";
  auto first = Read(policy, text, ReadAs::kPublished);
  RC_ASSERT(first.ok());
  RC_ASSERT(Describe(*first) == expected);
  const EncodedDataset encoded = FlatEncoding(std::move(*first));
  const std::string written = Written(policy, encoded, AsItIs(encoded));
  const auto second = Read(policy, written, ReadAs::kPublished);
  RC_ASSERT(second.ok());
  RC_ASSERT(Describe(*second) == expected);
  RC_ASSERT(second->shape.plain == encoded.data.shape.plain);
  RC_ASSERT(second->shape.single == encoded.data.shape.single);
  RC_ASSERT(Rewritten(policy, written) == written);
}

RC_GTEST_PROP(Csv, RoundTripGivesTheSameDataSet, ()) {
  const char delimiter = *rc::gen::element(',', ';', '\t', '|');
  std::string text = "gpa" + std::string(1, delimiter) + "major\n";
  std::string expected;
  for (int count = *rc::gen::inRange(1, 5); count > 0; --count) {
    std::string cells[2];
    for (std::string& cell : cells) {
      cell = *rc::gen::container<std::string>(
          rc::gen::element('a', '"', ',', ';', '\n', '\r', ' ', '|', '\t'));
    }
    for (size_t i = 0; i < 2; ++i) {
      text += i == 0 ? "\"" : std::string(1, delimiter) + "\"";
      for (const char c : cells[i]) text += c == '"' ? "\"\"" : std::string(1, c);
      text += "\"";
    }
    text += "\r\n";
    const auto shown = [](const std::string& cell) {
      return cell.empty() ? "-" : "'" + cell + "'";
    };
    expected += "student(" + shown(cells[1]) + "," + shown(cells[0]) + ",-)\n";
  }
  const auto first = Read(TablePolicy(), text, ReadAs::kPublished);
  RC_ASSERT(first.ok());
  RC_ASSERT(Describe(*first) == expected);
  const std::string written = Rewritten(TablePolicy(), text);
  const auto second = Read(TablePolicy(), written, ReadAs::kPublished);
  RC_ASSERT(second.ok());
  RC_ASSERT(Describe(*second) == expected);
  const TableShape& before = first->shape.tables[0];
  const TableShape& after = second->shape.tables[0];
  RC_ASSERT(std::equal(before.columns.begin(), before.columns.end(), after.columns.begin(),
                       after.columns.end(), [](const TableColumn& a, const TableColumn& b) {
                         return a.role == b.role && a.slot == b.slot;
                       }));
  RC_ASSERT(after.delimiter == before.delimiter);
}

}  // namespace
}  // namespace thicket::writers_test
