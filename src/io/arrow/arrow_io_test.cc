#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "io/arrow/arrow_json.h"
#include "io/arrow/arrow_reader.h"
#include "io/arrow/arrow_table.h"
#include "io/arrow/arrow_writer.h"
#include "io/arrow/table_builder.h"
#include "io/dataset_sink.h"
#include "io/test_policy.h"

namespace thicket::arrow_io_test {
namespace {

using testing::Describe;
using testing::ErrorOf;
using ::testing::HasSubstr;
using testing::Read;
using testing::StudentPolicy;
using Kind = TableValue::Kind;

std::string ErrorOf(const Result<ArrowTable>& result) {
  return result.ok() ? "" : result.error().message;
}

Result<Dataset> ReadTable(const ArrowTable& table, ReadAs as) {
  const Policy policy = StudentPolicy();
  Progress progress;
  DatasetSink sink(policy, "table", as);
  THICKET_TRY(ReadArrow(table, progress, sink));
  return std::move(sink).Finish();
}

// The same data, said twice: as JSON and to a TableBuilder.
class Twice {
 public:
  void BeginStruct() {
    Comma();
    json_ += '{';
    Must(builder_.BeginStruct());
  }
  void EndStruct() {
    json_ += '}';
    builder_.EndStruct();
  }
  void BeginList() {
    json_ += '[';
    Must(builder_.BeginList());
  }
  void EndList() {
    json_ += ']';
    builder_.EndList();
  }
  void EndRow() {
    EndStruct();
    json_ += '\n';
  }
  void Key(const std::string& name) {
    if (json_.back() != '{') json_ += ',';
    json_ += '"' + name + "\":";
    Must(builder_.Key(name));
  }
  void Value(Kind kind, const std::string& text) {
    Comma();
    json_ += kind == Kind::kNone ? "null" : kind == Kind::kText ? '"' + text + '"' : text;
    Must(builder_.Value({kind, text}));
  }
  const std::string& json() const { return json_; }
  ArrowTable Table() {
    auto table = std::move(builder_).Finish();
    EXPECT_TRUE(table.ok()) << ErrorOf(table);
    return std::move(*table);
  }

 private:
  void Comma() {
    const bool first =
        json_.empty() || json_.back() == '[' || json_.back() == ':' || json_.back() == '\n';
    if (!first) json_ += ',';
  }
  static void Must(const Status& status) { EXPECT_TRUE(status.ok()) << status.error().message; }
  std::string json_;
  TableBuilder builder_;
};

std::string Text(Random& random) {
  const std::vector<std::string> some = {"a", "é", "1", "", "a longer text than views hold inside"};
  return some[random.Below(some.size())];
}

void AddText(const std::string& key, Random& random, Twice& twice) {
  if (random.Below(4) == 0) return;
  twice.Key(key);
  if (random.Below(5) == 0) {
    twice.Value(Kind::kNone, "");
  } else {
    twice.Value(Kind::kText, Text(random));
  }
}

void AddCourse(Random& random, Twice& twice) {
  twice.BeginStruct();
  AddText("code", random, twice);
  AddText("grade", random, twice);
  if (random.Below(3) > 0) {
    twice.Key("books");
    twice.BeginList();
    for (uint64_t i = random.Below(3); i > 0; --i) {
      twice.BeginStruct();
      AddText("title", random, twice);
      twice.EndStruct();
    }
    twice.EndList();
  }
  twice.EndStruct();
}

// Every name occurs in the first record.
void AddStudent(size_t number, bool whole, Random& random, Twice& twice) {
  twice.BeginStruct();
  if (whole) {
    twice.Key("id");
    twice.Value(Kind::kInteger, std::to_string(number));
    twice.Key("name");
    twice.Value(Kind::kText, "n");
  }
  AddText("major", random, twice);
  twice.Key("gpa");
  if (random.Below(4) == 0) {
    twice.Value(Kind::kNone, "");
  } else {
    twice.Value(Kind::kFloat, random.Below(2) == 0 ? "3.5" : std::to_string(random.Below(200000)));
  }
  twice.Key("campus");
  twice.Value(Kind::kBoolean, random.Below(2) == 0 ? "true" : "false");
  twice.Key("courses");
  twice.BeginList();
  for (uint64_t i = random.Below(3); i > 0; --i) AddCourse(random, twice);
  twice.EndList();
  twice.Key("tags");
  twice.BeginList();
  for (uint64_t i = random.Below(3); i > 0; --i) {
    if (random.Below(4) == 0) {
      twice.Value(Kind::kNone, "");
    } else {
      twice.Value(Kind::kText, Text(random));
    }
  }
  twice.EndList();
  if (random.Below(2) == 0) {
    twice.Key("address");
    twice.BeginStruct();
    AddText("city", random, twice);
    twice.EndStruct();
  }
  twice.EndRow();
}

TEST(Arrow, ReadsWhatTheSameJsonSays) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random = Random::Seeded(seed);
    Twice twice;
    for (size_t i = 1 + random.Below(6); i > 0; --i) AddStudent(i, false, random, twice);
    const auto expected = Read(StudentPolicy(), twice.json(), ReadAs::kPublished);
    const auto found = ReadTable(twice.Table(), ReadAs::kPublished);
    ASSERT_TRUE(expected.ok()) << ErrorOf(expected) << twice.json();
    ASSERT_TRUE(found.ok()) << ErrorOf(found) << twice.json();
    ASSERT_EQ(Describe(*found), Describe(*expected)) << twice.json();
  }
}

TEST(Arrow, PublishesWhatIsReadBackTheSame) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random = Random::Seeded(seed);
    Twice twice;
    for (size_t i = 1 + random.Below(6); i > 0; --i) AddStudent(i, false, random, twice);
    const ArrowTable table = twice.Table();
    const auto data = ReadTable(table, ReadAs::kPublished);
    ASSERT_TRUE(data.ok()) << ErrorOf(data);
    for (const ArrowTable* like : {&table, static_cast<const ArrowTable*>(nullptr)}) {
      DatasetRecords records(*data, true);
      const auto written = WriteArrow(StudentPolicy(), records, {}, like);
      ASSERT_TRUE(written.ok()) << ErrorOf(written);
      const auto again = ReadTable(*written, ReadAs::kPublished);
      ASSERT_TRUE(again.ok()) << ErrorOf(again);
      EXPECT_EQ(Describe(*again), Describe(*data)) << twice.json();
      EXPECT_TRUE(again->findings.empty()) << again->findings.front().Text();
    }
  }
}

TEST(Arrow, AnExportedStreamIsReadAsTheTableItCameFrom) {
  Random random = Random::Seeded(3);
  Twice twice;
  for (size_t i = 1; i < 5; ++i) AddStudent(i, true, random, twice);
  auto table = std::make_unique<ArrowTable>(twice.Table());
  const auto text = ArrowAsJson(*table, 100, "table");
  ASSERT_TRUE(text.ok());
  ArrowArrayStream stream{};
  table->Export(&stream);
  table.reset();
  const auto pulled = ArrowTable::Pull(&stream, "table");
  ASSERT_TRUE(pulled.ok()) << ErrorOf(pulled);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(pulled->rows(), 4U);
  EXPECT_EQ(*ArrowAsJson(*pulled, 100, "table"), *text);
}

// A table with one column of one value.
ArrowTable OneValue(const std::string& name, Kind kind, const std::string& text) {
  TableBuilder builder;
  EXPECT_TRUE(builder.BeginStruct().ok());
  EXPECT_TRUE(builder.Key(name).ok());
  EXPECT_TRUE(builder.Value({kind, text}).ok());
  builder.EndStruct();
  auto table = std::move(builder).Finish();
  EXPECT_TRUE(table.ok()) << ErrorOf(table);
  return std::move(*table);
}

TEST(Arrow, RefusesWhatCannotBe) {
  EXPECT_THAT(ErrorOf(ReadTable(OneValue("majr", Kind::kText, "x"), ReadAs::kOriginal)),
              HasSubstr("every record must have its identifier"));
  TableBuilder list;
  ASSERT_TRUE(list.BeginStruct().ok());
  ASSERT_TRUE(list.Key("major").ok());
  ASSERT_TRUE(list.BeginList().ok());
  list.EndList();
  list.EndStruct();
  const auto table = std::move(list).Finish();
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(
      ErrorOf(ReadTable(*table, ReadAs::kOriginal)),
      "table: major: must hold plain values, but holds lists [describe it under children, or take "
      "it out of the policy]");
  EXPECT_THAT(ErrorOf(ReadTable(OneValue("id", Kind::kText, "x"), ReadAs::kPublished)),
              HasSubstr("published data must not hold an identifier"));
  const auto unnamed = ReadTable(OneValue("salary", Kind::kText, "x"), ReadAs::kPublished);
  ASSERT_TRUE(unnamed.ok());
  EXPECT_EQ(unnamed->findings.size(), 1U);
}

TEST(Arrow, ARowThatIsNullIsNoRecord) {
  TableBuilder builder;
  ASSERT_TRUE(builder.BeginStruct().ok());
  builder.EndStruct();
  ASSERT_TRUE(builder.Value({}).ok());
  const auto table = std::move(builder).Finish();
  ASSERT_TRUE(table.ok()) << ErrorOf(table);
  EXPECT_EQ(
      ErrorOf(ReadTable(*table, ReadAs::kPublished)),
      "table: record 2: a record must be a struct, but is null [leave rows without a value out]");
  const auto empty = std::move(TableBuilder()).Finish();
  ASSERT_TRUE(empty.ok());
  EXPECT_THAT(ErrorOf(ReadTable(*empty, ReadAs::kPublished)), HasSubstr("must have rows"));
}

TEST(TableBuilder, AColumnHoldsValuesOfOneType) {
  TableBuilder builder("people");
  for (const Kind kind : {Kind::kInteger, Kind::kText}) {
    ASSERT_TRUE(builder.BeginStruct().ok());
    ASSERT_TRUE(builder.Key("age").ok());
    const Status status = builder.Value({kind, "1"});
    if (kind == Kind::kText) {
      ASSERT_FALSE(status.ok());
      EXPECT_EQ(status.error().message,
                "people: record 2: age: a column must hold values of one type, but has texts here, "
                "after numbers");
      return;
    }
    ASSERT_TRUE(status.ok());
    builder.EndStruct();
  }
}

// Values of each type come out as the text they came in with.
TEST(TableBuilder, KeepsEveryKindOfValue) {
  const std::vector<std::pair<Kind, std::string>> values = {
      {Kind::kBoolean, "true"},
      {Kind::kInteger, "-9223372036854775808"},
      {Kind::kInteger, "18446744073709551615"},
      {Kind::kFloat, "0.1"},
      {Kind::kFloat, "100000"},
      {Kind::kFloat, "1e+300"},
      {Kind::kDecimal, "-12345678901234567890.25"},
      {Kind::kDecimal, "0.00"},
      {Kind::kDate, "1969-12-31"},
      {Kind::kDate, "2000-02-29"},
      {Kind::kTime, "23:59:59.000001"},
      {Kind::kTimestamp, "1903-07-01T00:00:01"},
      {Kind::kTimestamp, "2020-01-01"},
      {Kind::kZonedTimestamp, "2020-01-01T00:00:00Z"}};
  for (const auto& [kind, text] : values) {
    const auto json = ArrowAsJson(OneValue("v", kind, text), 1, "table");
    ASSERT_TRUE(json.ok());
    const bool quoted = kind >= Kind::kDate;
    EXPECT_EQ(*json, quoted ? "{\"v\":\"" + text + "\"}\n" : "{\"v\":" + text + "}\n");
  }
}

}  // namespace
}  // namespace thicket::arrow_io_test
