#include "io/missing_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/fold.h"
#include "testing/forest_text.h"

namespace thicket::missing_values_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ParseForest;
using testing::ParseSchema;

std::shared_ptr<Schema> SchemaWith(std::vector<std::string> texts) {
  auto schema = ParseSchema("r(q|s)");
  schema->classes[0].missing = {std::move(texts), {}};
  return schema;
}

bool IsNone(MissingTexts& missing, std::string_view text, ValueKind kind = ValueKind::kString) {
  return missing.StandsForNone(0, 0, kind, text);
}

TEST(MissingTextsTest, GoByWhatTheyMean) {
  MissingTexts missing(*SchemaWith({"NA", "?", "-99"}));
  EXPECT_TRUE(missing.any());
  for (const char* text :
       {"NA", "na", " Na ", "\u200bNA", "ＮＡ", "?", " ?", "-99", "-99.0", "-9.9e1"}) {
    EXPECT_TRUE(IsNone(missing, text)) << text;
  }
  EXPECT_TRUE(IsNone(missing, "-99", ValueKind::kNumber));
  for (const char* text : {"", " ", "N", "NAN", "N/A", "99", "-990", "??", "*"}) {
    EXPECT_FALSE(IsNone(missing, text)) << text;
  }
  EXPECT_FALSE(IsNone(missing, "", ValueKind::kNone));
  // Another attribute has no such texts.
  EXPECT_FALSE(missing.StandsForNone(0, 1, ValueKind::kString, "NA"));
}

TEST(MissingTextsTest, BlankTextsAreMissingWhereThePolicySaysSo) {
  MissingTexts missing(*SchemaWith({"NA", ""}));
  for (const char* text : {"", " ", "\t", "\u200b"}) EXPECT_TRUE(IsNone(missing, text));
}

TEST(MissingTextsTest, NoneIsTheRule) {
  MissingTexts missing(*ParseSchema("r(q|s)"));
  EXPECT_FALSE(missing.any());
}

// The first byte decides quickly, and never otherwise than the whole text.
RC_GTEST_PROP(MissingTextsTest, AreFoundAsByFoldingEveryText, ()) {
  const auto draw = [] {
    std::string text;
    const size_t length = *rc::gen::inRange<size_t>(0, 4);
    static const std::vector<std::string> parts = {"N", "a", "n", "A",  "9", "0", ".",      "-",
                                                   " ", "?", "–", "Ａ", "é", "e", "\u200b", "+"};
    for (size_t i = 0; i < length; ++i) text += *rc::gen::elementOf(parts);
    return text;
  };
  const std::vector<std::string> texts = {draw(), draw()};
  const std::string text = draw();
  MissingTexts missing(*SchemaWith(texts));
  const bool same = std::any_of(texts.begin(), texts.end(), [&](const std::string& one) {
    return FoldValue(one) == FoldValue(text);
  });
  RC_ASSERT(IsNone(missing, text) == same);
}

std::vector<std::string> Differences(MissingTexts& missing, Dataset data, bool merged) {
  missing.FindDifferences(merged, data);
  std::vector<std::string> texts;
  for (const Finding& finding : data.findings) texts.push_back(finding.Text());
  return texts;
}

TEST(MissingTextsTest, PublishedOnesMustBeWrittenInOneWay) {
  const auto schema = SchemaWith({"NA", "?"});
  const Dataset data = ParseForest(schema, "r r r(1)", "p.csv");
  const std::string rule =
      "p.csv: q: a missing value must be written in one way throughout, but is not";
  MissingTexts all(*schema);
  IsNone(all, "?");
  IsNone(all, "?");
  EXPECT_THAT(Differences(all, data, false), IsEmpty());
  EXPECT_THAT(
      Differences(all, data, true),
      ElementsAre("p.csv: q: a missing value must be absent, but is written as a text (2 times)"));
  MissingTexts none(*schema);
  EXPECT_THAT(Differences(none, data, false), IsEmpty());
  MissingTexts one(*schema);
  IsNone(one, "NA");
  EXPECT_THAT(Differences(one, data, false), ElementsAre(rule));
  MissingTexts two_ways(*schema);
  IsNone(two_ways, "NA");
  IsNone(two_ways, "na");
  EXPECT_THAT(Differences(two_ways, data, false), ElementsAre(rule + " (2 times)"));
}

TEST(WrittenMissingTest, IsTheFirstText) {
  const auto schema = SchemaWith({"NA", "?"});
  const Dataset data = ParseForest(schema, "r r(1)");
  const WrittenMissing written(data);
  EXPECT_EQ(written.Of(0, 0).text, "NA");
  EXPECT_EQ(written.Of(0, 0).kind, ValueKind::kString);
  EXPECT_EQ(written.Of(0, 1).kind, ValueKind::kNone);
  EXPECT_EQ(WrittenMissing().Of(0, 0).kind, ValueKind::kNone);
}

TEST(WrittenMissingTest, IsANumberAmongNumbers) {
  const auto schema = SchemaWith({"-99"});
  Dataset data = Dataset::Empty(schema, "x");
  EXPECT_EQ(WrittenMissing(data).Of(0, 0).kind, ValueKind::kString);
  data.dictionaries[0][0].Intern(ValueKind::kNumber, "5");
  EXPECT_EQ(WrittenMissing(data).Of(0, 0).kind, ValueKind::kNumber);
  data.dictionaries[0][0].Intern(ValueKind::kString, "x");
  EXPECT_EQ(WrittenMissing(data).Of(0, 0).kind, ValueKind::kString);
}

TEST(WrittenMissingTest, IsNothingInAColumnOfADatabaseThatHoldsNoTexts) {
  auto schema = SchemaWith({"NA"});
  schema->classes[0].missing[1] = {"NA"};
  Dataset data = Dataset::Empty(schema, "x");
  const auto kind_with = [&](const std::string& type) {
    data.shape.tables[0].columns = {{TableColumn::Role::kValue, 0, type},
                                    {TableColumn::Role::kValue, 1, type}};
    EXPECT_EQ(WrittenMissing(data).Of(0, 0).kind, ValueKind::kString);
    return WrittenMissing(data).Of(0, 1).kind;
  };
  EXPECT_EQ(kind_with("INTEGER"), ValueKind::kNone);
  EXPECT_EQ(kind_with("numeric(5,2)"), ValueKind::kNone);
  EXPECT_EQ(kind_with("character varying"), ValueKind::kString);
  EXPECT_EQ(kind_with("TEXT"), ValueKind::kString);
  EXPECT_EQ(kind_with(""), ValueKind::kString);
}

}  // namespace
}  // namespace thicket::missing_values_test
