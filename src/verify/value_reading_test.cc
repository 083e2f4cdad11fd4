#include "verify/value_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "record/unknown_values.h"
#include "testing/forest_text.h"
#include "verify/label_ancestors.h"
#include "verify/label_cover.h"

namespace thicket::value_reading_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ParseForest;
using testing::ParseSchema;

Recoding Dates(std::string format) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kDate;
  recoding.units = {DateUnit::kDay, DateUnit::kMonth, DateUnit::kQuarter, DateUnit::kYear,
                    DateUnit::kDecade};
  recoding.format = std::move(format);
  return recoding;
}

Recoding Mask(int mask) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kMask;
  recoding.mask = mask;
  return recoding;
}

TEST(ValueReadingTest, ReadsDatesAsTheyAreWritten) {
  EXPECT_THAT(LabelsAbove(Dates("%Y%m%d"), "19930417"),
              ElementsAre("1993-04-17", "1993-04", "1993-Q2", "1993", "1990s"));
  EXPECT_THAT(LabelsAbove(Dates(""), "1993-04-17"),
              ElementsAre("1993-04", "1993-Q2", "1993", "1990s"));
  EXPECT_THAT(LabelsAbove(Dates(""), "1873-00-00"), ElementsAre("1873", "1870s"));
  EXPECT_THAT(LabelsAbove(Dates("%d.%m.%Y"), "00.12.2001"),
              ElementsAre("2001-12", "2001-Q4", "2001", "2000s"));
  EXPECT_FALSE(FitsAsValue(Dates("%Y%m%d"), "1993-04-17"));
  EXPECT_FALSE(FitsAsValue(Dates(""), "1993-02-30"));
}

TEST(ValueReadingTest, LabelsOfPeriodsAreLegalHoweverDatesAreWritten) {
  const Recoding recoding = Dates("%d.%m.%Y");
  const LabelReader reader(recoding, nullptr);
  for (const char* label :
       {"17.04.1993", "1993-04-17", "1993-04", "1993-Q2", "1993", "1990s", "*"}) {
    EXPECT_TRUE(reader.IsLegal(label)) << label;
    EXPECT_TRUE(reader.Covers(label, "17.04.1993")) << label;
  }
  EXPECT_FALSE(reader.IsLegal("1993-13"));
  EXPECT_FALSE(reader.IsLegal("1993-04-31"));
  EXPECT_FALSE(reader.Covers("1993-04-18", "17.04.1993"));
  EXPECT_THAT(LabelAncestors(reader, "1993-04-17", {}),
              ElementsAre("1993-04", "1993-Q2", "1993", "1990s", "*"));
  EXPECT_FALSE(reader.Covers("1993-05", "17.04.1993"));
  EXPECT_THAT(LabelAncestors(reader, "1993-04", {}), ElementsAre("1993-Q2", "1993", "1990s", "*"));
}

TEST(ValueReadingTest, AZipPlusFourCodeLosesTheFourFirst) {
  EXPECT_THAT(LabelsAbove(Mask(2), "12345-6789"), ElementsAre("12345", "1234*", "123**"));
  EXPECT_THAT(LabelsAbove(Mask(2), "12345-678"), ElementsAre("12345-67*", "12345-6**"));
  const Recoding mask = Mask(2);
  const LabelReader reader(mask, nullptr);
  EXPECT_TRUE(reader.Covers("12345 (any)", "12345-6789"));
  EXPECT_TRUE(reader.Covers("123**", "12345-6789"));
  EXPECT_FALSE(reader.Covers("1234*-6789", "12345-6789"));
  EXPECT_FALSE(reader.Covers("12346", "12345-6789"));
  EXPECT_THAT(LabelAncestors(reader, "12345-6789", {}),
              ElementsAre("12345", "1234*", "123**", "*"));
  EXPECT_THAT(LabelAncestors(reader, "1234*", {}), ElementsAre("123**", "*"));
}

TEST(ValueReadingTest, WhatDoesNotFitIsCoveredByItselfAndTheRoot) {
  for (const Recoding::Kind kind :
       {Recoding::Kind::kNumeric, Recoding::Kind::kRanges, Recoding::Kind::kDate}) {
    Recoding recoding = Dates("");
    recoding.kind = kind;
    recoding.widths = {5};
    EXPECT_FALSE(LabelReader(recoding, nullptr).IsLegal("old"));
    recoding.unknown = UnknownValues::kGeneralize;
    const LabelReader reader(recoding, nullptr);
    EXPECT_TRUE(reader.IsLegal("old"));
    EXPECT_TRUE(reader.Covers("old", "old"));
    EXPECT_TRUE(reader.Covers("*", "old"));
    EXPECT_FALSE(reader.Covers("[0, 5)", "old"));
    EXPECT_FALSE(reader.Covers("[0, 5]", "old"));
    EXPECT_FALSE(reader.Covers("older", "old"));
  }
}

std::string DrawText(const std::string& letters, size_t most) {
  std::string text;
  const size_t length = *rc::gen::inRange<size_t>(0, most + 1);
  for (size_t i = 0; i < length; ++i) text += *rc::gen::elementOf(letters);
  return text;
}

// Two readings of the same pages, by different code.
RC_GTEST_PROP(ValueReadingTest, SaysWhatTheAnonymizationMakesOfAValue, ()) {
  Recoding recoding = Dates(*rc::gen::element(
      std::string(), std::string("%Y%m%d"), std::string("%d.%m.%Y"), std::string("%m/%d/%y"),
      std::string("%b %d %Y"), std::string("%Y-%m-%d %H:%M"), std::string("%d%m%Y%%1")));
  recoding.kind =
      *rc::gen::element(Recoding::Kind::kDate, Recoding::Kind::kMask, Recoding::Kind::kRanges);
  recoding.mask = *rc::gen::inRange(1, 6);
  recoding.widths = {Decimal(static_cast<double>(*rc::gen::inRange(1, 4)))};
  const auto digits = [](int from, int to) {
    const int number = *rc::gen::inRange(from, to);
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  std::string value;
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      value = DrawText("0123456789-.", 10);
      break;
    case 1:
      value = "19" + digits(10, 99) + "-" + digits(0, 14) + "-" + digits(0, 33);
      break;
    case 2:
      value = "20" + digits(10, 99) + digits(0, 14) + digits(0, 33);
      break;
    case 3:
      value = digits(0, 33) + "." + digits(0, 14) + ".1999";
      break;
    case 4:
      value = *rc::gen::element(std::string("May"), std::string("june"), std::string("Septembe")) +
              " " + digits(0, 33) + " 1999";
      break;
    default:
      value = digits(10, 99) + digits(10, 99) + "1-" + digits(10, 99) + digits(10, 99);
  }
  RC_ASSERT(FitsAsValue(recoding, value) == FitsRecoding(recoding, value));
  RC_ASSERT(LabelsAbove(recoding, value) == RecodingAncestors(recoding, value));
}

TEST(WithUnknownMissingTest, LeavesOutWhatTheAnonymizationLeavesOut) {
  auto schema = ParseSchema("r(a,b|s)");
  for (QuasiAttribute& attribute : schema->classes[0].quasi) {
    attribute.recoding = Dates("%Y%m%d");
    attribute.recoding.unknown = UnknownValues::kLeaveOut;
  }
  schema->classes[0].quasi[1].recoding.unknown = UnknownValues::kError;
  EXPECT_TRUE(LeavesUnknownOut(*schema));
  const Dataset data = ParseForest(schema, "r(20010203,x|1)r(2001-02-03,y|2)r(,z|3)r(2001,z|4)");
  const Dataset mine = WithUnknownMissing(data, {});
  const Dataset theirs = LeaveOutUnknown(data, {});
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    for (size_t slot = 0; slot < 3; ++slot) {
      EXPECT_EQ(mine.dictionaries[0][slot].text(mine.forest.value(v, slot)),
                theirs.dictionaries[0][slot].text(theirs.forest.value(v, slot)));
    }
  }
  EXPECT_EQ(mine.forest.value(1, 0), kMissing);
  EXPECT_NE(mine.forest.value(3, 0), kMissing);
  EXPECT_NE(mine.forest.value(1, 1), kMissing);
  EXPECT_FALSE(LeavesUnknownOut(*ParseSchema("r(a)")));
}

}  // namespace
}  // namespace thicket::value_reading_test
