#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "io/test_policy.h"
#include "io/test_publication.h"
#include "testing/cases.h"

namespace thicket::transactions_test {
namespace {

using testing::ByCombinations;
using testing::Describe;
using testing::ErrorOf;
using testing::FlatEncoding;
using testing::FlatLabel;
using testing::Quasi;
using testing::Read;
using testing::RecodedBuilder;
using testing::Written;

Policy SetPolicy() {
  Schema schema;
  schema.classes.resize(2);
  schema.classes[0].name = "visit";
  schema.classes[0].children = {1};
  schema.classes[1].name = "page";
  schema.classes[1].at = "pages";
  schema.classes[1].quasi = {Quasi("page")};
  Policy policy;
  policy.input.format = Format::kTransactions;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

std::string ReadText(const std::string& text, ReadAs as = ReadAs::kOriginal) {
  const auto data = Read(SetPolicy(), text, as);
  return data.ok() ? Describe(*data) : ErrorOf(data);
}

std::string Rewritten(const std::string& text, WriteOptions options = {}) {
  const auto data = Read(SetPolicy(), text, ReadAs::kPublished);
  if (!data.ok()) return ErrorOf(data);
  DatasetRecords records(*data);
  std::string out;
  const Status status = WriteRecords(SetPolicy(), records, options, [&](std::string_view bytes) {
    out += bytes;
    return Status();
  });
  return status.ok() ? out : status.error().message + " [" + status.error().hint + "]";
}

TEST(Transactions, ALineIsASetOfItemsBetweenBlanks) {
  EXPECT_EQ(ReadText("a b\tc\n  d   e \n"),
            "visit(){page('a')page('b')page('c')}\nvisit(){page('d')page('e')}\n");
}

TEST(Transactions, AnEmptyLineIsAnEmptySet) {
  EXPECT_EQ(ReadText("a\n\n \t\nb"), "visit(){page('a')}\nvisit()\nvisit()\nvisit(){page('b')}\n");
  EXPECT_EQ(ReadText("\n"), "visit()\n");
  EXPECT_EQ(ReadText(""),
            "data: must hold records, but holds no records [check that it is the "
            "right file]");
}

std::vector<std::string> Warnings(const std::string& text, ReadAs as) {
  const auto data = Read(SetPolicy(), text, as);
  std::vector<std::string> messages;
  for (const Warning& warning : data->warnings) messages.push_back(warning.message);
  return messages;
}

TEST(Transactions, AnItemTwiceInALineCountsOnceWithAWarning) {
  EXPECT_EQ(ReadText("a\nb a b\nb\n"),
            "visit(){page('a')}\nvisit(){page('b')page('a')}\nvisit(){page('b')}\n");
  EXPECT_THAT(
      Warnings("a\nb a b\nb\n", ReadAs::kOriginal),
      ::testing::ElementsAre("data:2: an item counts once in a set, but is there again here"));
  EXPECT_EQ(ReadText("a a a \"\" \"a\" \"\"\n"), "visit(){page('a')page(-)}\n");
  EXPECT_THAT(Warnings("a b\na a a\nb b\n", ReadAs::kOriginal),
              ::testing::ElementsAre(
                  "data:2: an item counts once in a set, but is there again here (3 times)"));
  // In published data two items may have become equal.
  EXPECT_EQ(ReadText("a a\n", ReadAs::kPublished), "visit(){page('a')page('a')}\n");
  EXPECT_THAT(Warnings("a a\n", ReadAs::kPublished), ::testing::IsEmpty());
}

Policy WithDelimiter(char delimiter) {
  Policy policy = SetPolicy();
  policy.input.delimiter = delimiter;
  return policy;
}

TEST(Transactions, ADelimiterMayStandBetweenItems) {
  const auto read = [](const std::string& text) {
    const auto data = Read(WithDelimiter(';'), text, ReadAs::kOriginal);
    return data.ok() ? Describe(*data) : ErrorOf(data);
  };
  EXPECT_EQ(read("citrus fruit;cream cheese ;a,b\n\nmilk\r\n\"x;y\";\"\"\n"),
            "visit(){page('citrus fruit')page('cream cheese ')page('a,b')}\nvisit()\n"
            "visit(){page('milk')}\nvisit(){page('x;y')page(-)}\n");
  // Lines that were made equally long.
  EXPECT_EQ(read("a;b;;\n;;a;\n;;;\n"),
            "visit(){page('a')page('b')}\nvisit(){page('a')}\nvisit()\n");
  EXPECT_EQ(read("a;\"b\"c\n"),
            "data:1: an item that begins with a quote must end with one, but item 2 does not "
            "[write \"\" for a quote within quotes, and the delimiter after the last one]");
}

TEST(Transactions, WhatHasADelimiterIsWrittenWithIt) {
  const auto data = Read(WithDelimiter(';'), "b a;\"x;y\";\"\"\n\nc\n", ReadAs::kPublished);
  ASSERT_TRUE(data.ok());
  EXPECT_TRUE(data->findings.empty());
  DatasetRecords records(*data);
  std::string out;
  ASSERT_TRUE(WriteRecords(WithDelimiter(';'), records, {}, [&](std::string_view bytes) {
                out += bytes;
                return Status();
              }).ok());
  EXPECT_EQ(out, "b a;\"x;y\";\"\"\n\nc\n");
  // Nothing between two delimiters would tell lines apart.
  for (const char* text : {"a;;b\n", ";a\n", "a;\n"}) {
    const auto odd = Read(WithDelimiter(';'), text, ReadAs::kPublished);
    ASSERT_TRUE(odd.ok());
    EXPECT_EQ(odd->findings.size(), 1U) << text;
  }
}

TEST(Transactions, ReadsWindowsLineEndsAndAByteOrderMark) {
  EXPECT_EQ(ReadText("\xef\xbb\xbf"
                     "a b\r\n\r\nc\r\n"),
            "visit(){page('a')page('b')}\nvisit()\nvisit(){page('c')}\n");
}

TEST(Transactions, QuotesHoldBlanksQuotesAndNothing) {
  EXPECT_EQ(ReadText(R"("a b" "say ""hi""" "" 5" x"y)"
                     "\n"),
            "visit(){page('a b')page('say \"hi\"')page(-)page('5\"')page('x\"y')}\n");
  const std::string hint =
      " [write \"\" for a quote within quotes, and a blank after the last one]";
  EXPECT_EQ(
      ReadText("a\nb \"c d\n"),
      "data:2: an item that begins with a quote must end with one, but item 2 does not" + hint);
  EXPECT_EQ(
      ReadText("\"a\"b\n"),
      "data:1: an item that begins with a quote must end with one, but item 1 does not" + hint);
}

TEST(Transactions, TextMustBeUtf8) {
  EXPECT_EQ(ReadText("a\nb \xff\n"),
            "data:2: must be UTF-8, but a byte is not [convert the file, for example with iconv]");
}

TEST(Transactions, WritesOneBlankBetweenItemsAndQuotesWhereNeeded) {
  EXPECT_EQ(Rewritten("b  a\tb\n\n\"[1, 2)\" \"\"\"q\" \"\" \"plain\" é"),
            "b a b\n\n\"[1, 2)\" \"\"\"q\" \"\" plain é\n");
}

TEST(Transactions, AnItemIsNotTakenForAByteOrderMark) {
  EXPECT_EQ(Rewritten("\"\xef\xbb\xbf\"\n"), "\"\xef\xbb\xbf\"\n");
}

TEST(Transactions, HasNoPlaceForTheClass) {
  WriteOptions options;
  options.with_class = true;
  EXPECT_EQ(Rewritten("a\n", options),
            "--with-class must go into a format with keys or columns, but transactions have "
            "neither [leave it out, or convert the data to jsonl]");
}

TEST(Transactions, RefusesLineEndsInItems) {
  Policy json = SetPolicy();
  json.input.format = Format::kJsonl;
  const auto data = Read(json, R"({"pages":["a\nb"]})", ReadAs::kPublished);
  ASSERT_TRUE(data.ok());
  DatasetRecords records(*data);
  const Status status =
      WriteRecords(SetPolicy(), records, {}, [](std::string_view) { return Status(); });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "data: pages.page: an item must stand on one line, but one has a line end");
  EXPECT_EQ(status.error().value, "a\nb");
}

TEST(Transactions, RefusesASchemaThatIsNoSet) {
  Policy policy = testing::StudentPolicy(Format::kTransactions);
  EXPECT_THAT(ErrorOf(Read(policy, "a b\n")),
              ::testing::StartsWith("input.format: transactions are sets: "));
}

TEST(Transactions, RecodedSetsComeBack) {
  const Policy policy = ByCombinations(SetPolicy());
  auto data = Read(policy, "a b c\nb\n");
  ASSERT_TRUE(data.ok());
  const EncodedDataset encoded = FlatEncoding(std::move(*data));
  RecodedBuilder builder;
  builder.Open(0, {}, {0});
  builder.Open(1, {FlatLabel(encoded, 1, 0, "*")}, {1, 2}).Close();
  builder.Open(1, {FlatLabel(encoded, 1, 0, "c")}, {3}).Close();
  builder.Close();
  builder.Open(0, {}, {4}).Close();
  EXPECT_EQ(Written(policy, encoded, builder.published()), "* c\n\n");
}

TEST(Transactions, AnySetsComeBackAsTheyWere) {
  for (uint64_t seed = 0; seed < Cases(200); ++seed) {
    Random random = Random::Seeded(seed);
    const std::vector<std::string> pieces = {"a", "\"", " ", "\t", "é", ",", "\\", "\xc2\xa0", "#"};
    Dataset data = Dataset::Empty(SetPolicy().schema, "data");
    ForestBuilder builder(*data.schema);
    for (uint64_t record = 1 + random.Below(4); record > 0; --record) {
      builder.BeginRecord(1);
      for (uint64_t item = random.Below(4); item > 0; --item) {
        std::string text;
        for (uint64_t i = random.Below(5); i > 0; --i) text += pieces[random.Below(pieces.size())];
        builder.Open(1);
        if (!text.empty()) builder.Set(0, data.dictionaries[1][0].Intern(ValueKind::kString, text));
        builder.Close();
      }
      builder.EndRecord();
    }
    data.forest = std::move(builder).Build();
    DatasetRecords records(data);
    std::string out;
    ASSERT_TRUE(WriteRecords(SetPolicy(), records, {}, [&](std::string_view bytes) {
                  out += bytes;
                  return Status();
                }).ok());
    ASSERT_EQ(ReadText(out, ReadAs::kPublished), Describe(data)) << out;
  }
}

}  // namespace
}  // namespace thicket::transactions_test
