#include "verify/label_cover.h"

#include <gtest/gtest.h>

namespace thicket::label_cover_test {
namespace {

Taxonomy Courses() {
  TaxonomyBuilder builder("Any");
  const auto cs = builder.Add(builder.root(), "CS");
  const auto cs2 = builder.Add(cs, "CS2**");
  const auto cs3 = builder.Add(cs, "CS3**");
  builder.Add(cs2, "CS201");
  builder.Add(cs2, "CS204");
  builder.Add(cs3, "CS305");
  builder.Add(builder.root(), "MATH101");
  return std::move(builder).Build();
}

Recoding Of(Recoding::Kind kind) {
  Recoding recoding;
  recoding.kind = kind;
  return recoding;
}

TEST(LabelReaderTest, ATaxonomyLabelCoversItsLeavesOnly) {
  const Taxonomy courses = Courses();
  const Recoding recoding;
  const LabelReader reader(recoding, &courses);
  EXPECT_TRUE(reader.Covers("CS3**", "CS305"));
  EXPECT_TRUE(reader.Covers("CS", "CS305"));
  EXPECT_TRUE(reader.Covers("CS305", "CS305"));
  EXPECT_TRUE(reader.Covers("Any", "CS305"));
  EXPECT_TRUE(reader.Covers("*", "CS305"));
  EXPECT_FALSE(reader.Covers("CS2**", "CS305"));
  EXPECT_FALSE(reader.Covers("CS305", "CS3**"));
  EXPECT_FALSE(reader.Covers("CS201", "CS305"));
  EXPECT_FALSE(reader.Covers("cs3**", "CS305"));
}

TEST(LabelReaderTest, OnlyTheRootCoversAValueThatTheTaxonomyDoesNotHave) {
  const Taxonomy courses = Courses();
  Recoding recoding;
  EXPECT_FALSE(LabelReader(recoding, &courses).IsLegal("ART7"));
  recoding.unknown = UnknownValues::kGeneralize;
  const LabelReader reader(recoding, &courses);
  EXPECT_TRUE(reader.IsLegal("ART7"));
  EXPECT_TRUE(reader.Covers("ART7", "ART7"));
  EXPECT_TRUE(reader.Covers("Any", "ART7"));
  EXPECT_FALSE(reader.Covers("CS", "ART7"));
}

TEST(LabelReaderTest, ReadsTheIntervalsOfRangesAtTheirPlacesOnly) {
  Recoding recoding = Of(Recoding::Kind::kRanges);
  recoding.widths = {5, 10};
  const LabelReader reader(recoding, nullptr);
  EXPECT_TRUE(reader.IsLegal("1993"));
  EXPECT_TRUE(reader.IsLegal("[1990, 1995)"));
  EXPECT_TRUE(reader.IsLegal("[1990, 2000)"));
  EXPECT_TRUE(reader.IsLegal("[-5, 0)"));
  EXPECT_TRUE(reader.IsLegal("*"));
  EXPECT_FALSE(reader.IsLegal("[1991, 1996)"));
  EXPECT_FALSE(reader.IsLegal("[1995, 2005)"));
  EXPECT_FALSE(reader.IsLegal("[1990, 1995]"));
  EXPECT_FALSE(reader.IsLegal("[1990, 2010)"));
  EXPECT_FALSE(reader.IsLegal("nineties"));
  EXPECT_TRUE(reader.Covers("[1990, 1995)", "1993"));
  EXPECT_TRUE(reader.Covers("[1990, 2000)", "1993"));
  EXPECT_FALSE(reader.Covers("[1990, 1995)", "1995"));
  EXPECT_FALSE(reader.Covers("1993", "1994"));
}

TEST(LabelReaderTest, ReadsFreeIntervalsWithBothEnds) {
  const Recoding recoding = Of(Recoding::Kind::kNumeric);
  const LabelReader reader(recoding, nullptr);
  EXPECT_TRUE(reader.IsLegal("[2, 17.5]"));
  EXPECT_TRUE(reader.IsLegal("3"));
  EXPECT_FALSE(reader.IsLegal("[2, 17.5)"));
  EXPECT_FALSE(reader.IsLegal("[17.5, 2]"));
  EXPECT_FALSE(reader.IsLegal("[2,]"));
  EXPECT_TRUE(reader.Covers("[2, 17.5]", "2"));
  EXPECT_TRUE(reader.Covers("[2, 17.5]", "17.50"));
  EXPECT_TRUE(reader.Covers("3", "3.0"));
  EXPECT_FALSE(reader.Covers("[2, 17.5]", "1.99"));
  EXPECT_FALSE(reader.Covers("[2, 17.5]", "n/a"));
  EXPECT_FALSE(reader.Covers("nothing", "n/a"));
}

TEST(LabelReaderTest, ComparesNumbersExactlyAndByValue) {
  Recoding recoding = Of(Recoding::Kind::kRanges);
  recoding.widths = {2};
  const LabelReader ranges(recoding, nullptr);
  EXPECT_TRUE(ranges.IsLegal("[9007199254740992, 9007199254740994)"));
  EXPECT_FALSE(ranges.IsLegal("[9007199254740993, 9007199254740995)"));
  EXPECT_TRUE(ranges.Covers("[9007199254740992, 9007199254740994)", "9007199254740993"));
  EXPECT_FALSE(ranges.Covers("[9007199254740992, 9007199254740994)", "9007199254740994"));
  EXPECT_TRUE(ranges.Covers("1993.0", "1993"));
  EXPECT_FALSE(ranges.Covers("9007199254740992", "9007199254740993"));
  const Recoding numeric = Of(Recoding::Kind::kNumeric);
  const LabelReader reader(numeric, nullptr);
  EXPECT_FALSE(reader.Covers("9007199254740992", "9007199254740993"));
  EXPECT_FALSE(reader.Covers("[1, 9007199254740992]", "9007199254740993"));
  EXPECT_TRUE(reader.Covers("[1, 9007199254740993]", "9007199254740993"));
  EXPECT_TRUE(reader.Covers("[0.1, 1e400]", "2e399"));
}

TEST(LabelReaderTest, FindsNumbersOfATaxonomyByValue) {
  TaxonomyBuilder builder("*");
  const auto nineties = builder.Add(TaxonomyBuilder::root(), "90s");
  builder.Add(nineties, "1993");
  builder.Add(TaxonomyBuilder::root(), "02139");
  const Taxonomy years = std::move(builder).Build();
  const Recoding recoding;
  const LabelReader reader(recoding, &years);
  EXPECT_TRUE(reader.IsLegal("1993.0"));
  EXPECT_TRUE(reader.Covers("1993.0", "1993"));
  EXPECT_TRUE(reader.Covers("90s", "1993.0"));
  // A code is no number.
  EXPECT_FALSE(reader.IsLegal("2139"));
}

TEST(LabelReaderTest, ReadsMasksAndDates) {
  Recoding mask = Of(Recoding::Kind::kMask);
  mask.mask = 2;
  const LabelReader masked(mask, nullptr);
  EXPECT_TRUE(masked.Covers("123**", "12345"));
  EXPECT_FALSE(masked.Covers("12***", "12345"));
  EXPECT_FALSE(masked.Covers("124**", "12345"));

  Recoding date = Of(Recoding::Kind::kDate);
  date.units = {DateUnit::kMonth, DateUnit::kQuarter, DateUnit::kYear, DateUnit::kDecade};
  const LabelReader dated(date, nullptr);
  for (const char* label : {"1993-04-17", "1993-04", "1993-Q2", "1993", "1990s", "*"}) {
    EXPECT_TRUE(dated.IsLegal(label)) << label;
    EXPECT_TRUE(dated.Covers(label, "1993-04-17")) << label;
    EXPECT_EQ(dated.Covers(label, "1995-01-02"), label[0] == '*' || label[4] == 's') << label;
  }
  EXPECT_FALSE(dated.IsLegal("1993-Q5"));
  EXPECT_FALSE(dated.IsLegal("spring"));
}

TEST(LabelReaderTest, ALabelRenamedBecauseAValueHasItsNameCoversWhatItDidBefore) {
  Recoding date = Of(Recoding::Kind::kDate);
  date.units = {DateUnit::kYear};
  const LabelReader reader(date, nullptr);
  EXPECT_TRUE(reader.IsLegal("1993 (any)"));
  EXPECT_TRUE(reader.Covers("1993 (any)", "1993-04-17"));
  EXPECT_TRUE(reader.Covers("1993 (any)", "1993"));
  EXPECT_FALSE(reader.Covers("1993 (any)", "1994"));
}

TEST(CoverTableTest, AMissingValueIsCoveredByMissingAndByTheRootOnly) {
  const Taxonomy courses = Courses();
  const Recoding recoding;
  Dictionary labels;
  Dictionary values;
  const Symbol any = labels.Intern(ValueKind::kString, "Any");
  const Symbol star = labels.Intern(ValueKind::kString, "*");
  const Symbol cs = labels.Intern(ValueKind::kString, "CS");
  const Symbol cs305 = values.Intern(ValueKind::kString, "CS305");
  const CoverTable table(LabelReader(recoding, &courses), labels, values);
  EXPECT_TRUE(table.Covers(kMissing, kMissing));
  EXPECT_TRUE(table.Covers(any, kMissing));
  EXPECT_TRUE(table.Covers(star, kMissing));
  EXPECT_FALSE(table.Covers(cs, kMissing));
  EXPECT_FALSE(table.Covers(kMissing, cs305));
}

TEST(LabelReaderTest, NeedsTheTaxonomyThatThePolicyNames) {
  QuasiAttribute code;
  code.name = "code";
  code.recoding.file = "taxonomies";
  TaxonomyFiles files;
  EXPECT_EQ(LabelReader::Of(code, files).error().code, ErrorCode::kUsage);
  files.emplace("taxonomies/code", Courses());
  EXPECT_TRUE(LabelReader::Of(code, files).ok());
}

}  // namespace
}  // namespace thicket::label_cover_test
