#include "taxonomy/recoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket::recoding_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Recoding Ranges(std::vector<Decimal> widths) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kRanges;
  recoding.widths = std::move(widths);
  return recoding;
}

Recoding Mask(int mask) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kMask;
  recoding.mask = mask;
  return recoding;
}

Recoding Dates(std::vector<DateUnit> units) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kDate;
  recoding.units = std::move(units);
  return recoding;
}

const std::vector<DateUnit>& AllUnits() {
  static const std::vector<DateUnit> units = {DateUnit::kDay, DateUnit::kMonth, DateUnit::kQuarter,
                                              DateUnit::kYear, DateUnit::kDecade};
  return units;
}

TEST(Ranges, AreAlignedAtZeroAndNested) {
  EXPECT_THAT(RecodingAncestors(Ranges({5, 10, 20}), "1993"),
              ElementsAre("[1990, 1995)", "[1990, 2000)", "[1980, 2000)"));
  EXPECT_THAT(RecodingAncestors(Ranges({5}), "1995"), ElementsAre("[1995, 2000)"));
}

TEST(Ranges, FloorNegativeNumbers) {
  EXPECT_THAT(RecodingAncestors(Ranges({5, 10}), "-1"), ElementsAre("[-5, 0)", "[-10, 0)"));
  EXPECT_THAT(RecodingAncestors(Ranges({5}), "-5"), ElementsAre("[-5, 0)"));
  EXPECT_THAT(RecodingAncestors(Ranges({5}), "-0.0"), ElementsAre("[0, 5)"));
}

TEST(Ranges, OfFractionalWidthsHaveCleanBounds) {
  EXPECT_THAT(RecodingAncestors(Ranges({0.1, 0.5}), "0.3"), ElementsAre("[0.3, 0.4)", "[0, 0.5)"));
  EXPECT_THAT(RecodingAncestors(Ranges({0.5}), "2.5"), ElementsAre("[2.5, 3)"));
  EXPECT_THAT(RecodingAncestors(Ranges({0.1}), "0.29999"), ElementsAre("[0.2, 0.3)"));
}

RC_GTEST_PROP(Ranges, HoldTheirNumberAndLieInsideEachOther, (int32_t tenths)) {
  const std::string value = NumberText(tenths / 10.0);
  double inner_low = tenths / 10.0;
  double inner_high = inner_low;
  for (const std::string& label : RecodingAncestors(Ranges({0.1, 0.3, 3, 30}), value)) {
    const size_t comma = label.find(", ");
    const auto low = ParseNumber(std::string_view(label).substr(1, comma - 1));
    const auto high =
        ParseNumber(std::string_view(label).substr(comma + 2, label.size() - comma - 3));
    RC_ASSERT(low.has_value());
    RC_ASSERT(high.has_value());
    RC_ASSERT(*low <= inner_low);
    RC_ASSERT(inner_high <= *high);
    RC_ASSERT(tenths / 10.0 < *high);
    inner_low = *low;
    inner_high = *high;
  }
}

TEST(Ranges, AreExactForNumbersOfAnyLength) {
  EXPECT_THAT(
      RecodingAncestors(Ranges({2, 10}), "9007199254740993"),
      ElementsAre("[9007199254740992, 9007199254740994)", "[9007199254740990, 9007199254741000)"));
  EXPECT_THAT(RecodingAncestors(Ranges({5}), "-123456789012345678901234567890.5"),
              ElementsAre("[-123456789012345678901234567895, -123456789012345678901234567890)"));
  EXPECT_THAT(RecodingAncestors(Ranges({0.1}), "0.29999999999999999999999"),
              ElementsAre("[0.2, 0.3)"));
}

TEST(Ranges, RefuseWhatIsNoNumberOrHasTooLargeAnExponent) {
  EXPECT_TRUE(FitsRecoding(Ranges({5}), "1e16"));
  EXPECT_TRUE(FitsRecoding(Ranges({5}), "1e400"));
  EXPECT_FALSE(FitsRecoding(Ranges({5}), "1e1000"));
  EXPECT_FALSE(FitsRecoding(Ranges({5}), "x"));
  EXPECT_FALSE(FitsRecoding(Ranges({5}), ""));
}

TEST(Mask, HidesCharactersFromTheRight) {
  EXPECT_THAT(RecodingAncestors(Mask(2), "12345"), ElementsAre("1234*", "123**"));
  EXPECT_THAT(RecodingAncestors(Mask(9), "ab"), ElementsAre("a*", "**"));
}

TEST(Mask, NeverRepeatsTheRoot) {
  EXPECT_THAT(RecodingAncestors(Mask(3), "a"), IsEmpty());
  EXPECT_THAT(RecodingAncestors(Mask(3), ""), IsEmpty());
}

TEST(Mask, CountsCodePointsAndNotBytes) {
  EXPECT_THAT(RecodingAncestors(Mask(2), "a\xc3\xa9\xf0\x9f\x8c\xb3"),
              ElementsAre("a\xc3\xa9*", "a**"));
}

TEST(Dates, ClimbFromDayToDecade) {
  EXPECT_THAT(RecodingAncestors(Dates(AllUnits()), "1993-04-17T10:30"),
              ElementsAre("1993-04-17", "1993-04", "1993-Q2", "1993", "1990s"));
  EXPECT_THAT(RecodingAncestors(Dates({DateUnit::kMonth, DateUnit::kYear}), "1993-04-17"),
              ElementsAre("1993-04", "1993"));
}

TEST(Dates, SkipUnitsFinerThanTheValueAndTheValueItself) {
  EXPECT_THAT(RecodingAncestors(Dates(AllUnits()), "1993-12"),
              ElementsAre("1993-Q4", "1993", "1990s"));
  EXPECT_THAT(RecodingAncestors(Dates(AllUnits()), "1993"), ElementsAre("1990s"));
  EXPECT_THAT(RecodingAncestors(Dates({DateUnit::kDay}), "1993-04-17"), IsEmpty());
}

TEST(DeriveTaxonomy, MakesATreeOfRanges) {
  EXPECT_EQ(FormatTaxonomy(DeriveTaxonomy(Ranges({5, 10}), {"12", "7", "3", "7"})),
            "3;[0, 5);[0, 10);*\n7;[5, 10);[0, 10);*\n12;[10, 15);[10, 20);*\n");
}

TEST(DeriveTaxonomy, KeepsTwoTextsOfOneNumberApart) {
  const Taxonomy taxonomy = DeriveTaxonomy(Ranges({5}), {"1", "1.0"});
  EXPECT_EQ(taxonomy.leaf_count(), 2U);
  EXPECT_EQ(taxonomy.label(taxonomy.Lca(*taxonomy.Find("1"), *taxonomy.Find("1.0"))), "[0, 5)");
}

TEST(DeriveTaxonomy, PutsAYearBelowTheYearOfOtherDates) {
  const Recoding recoding = Dates({DateUnit::kMonth, DateUnit::kYear});
  EXPECT_EQ(FormatTaxonomy(DeriveTaxonomy(recoding, {"1993", "1993-04-17", "1994"})),
            "1993;1993 (any);*\n1993-04-17;1993-04;1993 (any);*\n1994;*\n");
}

TEST(DeriveTaxonomy, PutsAMaskedValueBelowTheMaskOfOthers) {
  EXPECT_EQ(FormatTaxonomy(DeriveTaxonomy(Mask(1), {"12345", "1234*"})),
            "1234*;1234* (any);*\n12345;1234* (any);*\n");
  const Taxonomy star = DeriveTaxonomy(Mask(1), {"*", "a"});
  EXPECT_EQ(star.leaf_count(), 2U);
  EXPECT_TRUE(star.is_leaf(*star.Find("*")));
  EXPECT_EQ(star.label(Taxonomy::kRoot), "* (any)");
}

TEST(DeriveTaxonomy, GivesWayToAValueThatReadsLikeARenamedLabel) {
  const Taxonomy taxonomy = DeriveTaxonomy(Mask(1), {"ab", "a*", "a* (any)"});
  for (const char* value : {"ab", "a*", "a* (any)"}) {
    ASSERT_TRUE(taxonomy.Find(value));
    EXPECT_TRUE(taxonomy.is_leaf(*taxonomy.Find(value)));
  }
  EXPECT_EQ(taxonomy.label(taxonomy.parent(*taxonomy.Find("ab"))), "a* (any) (any)");
}

TEST(DeriveTaxonomy, OfNothingIsARoot) { EXPECT_EQ(DeriveTaxonomy(Mask(1), {}).node_count(), 1U); }

// Whether the label is the value, an ancestor of it or the root, under its own name or one that gave way to a value.
bool IsTrueOf(const Recoding& recoding, const std::string& label, const std::string& value) {
  std::vector<std::string> names = RecodingAncestors(recoding, value);
  names.push_back(value);
  names.emplace_back("*");
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return label == name || label == name + " (any)";
  });
}

void CheckDerived(const Recoding& recoding, const std::vector<std::string>& values) {
  const Taxonomy taxonomy = DeriveTaxonomy(recoding, values);
  std::vector<std::string> reversed(values.rbegin(), values.rend());
  reversed.insert(reversed.end(), values.begin(), values.end());
  RC_ASSERT(FormatTaxonomy(DeriveTaxonomy(recoding, reversed)) == FormatTaxonomy(taxonomy));
  for (const std::string& value : values) {
    const auto leaf = taxonomy.Find(value);
    RC_ASSERT(leaf.has_value());
    RC_ASSERT(taxonomy.is_leaf(*leaf));
    for (Node node = *leaf;; node = taxonomy.parent(node)) {
      RC_ASSERT(IsTrueOf(recoding, taxonomy.label(node), value));
      if (node == Taxonomy::kRoot) break;
    }
    for (const std::string& ancestor : RecodingAncestors(recoding, value)) {
      const bool renamed = std::find(values.begin(), values.end(), ancestor) != values.end();
      const auto node = taxonomy.Find(renamed ? ancestor + " (any)" : ancestor);
      RC_ASSERT(node.has_value());
      RC_ASSERT(taxonomy.Covers(*node, *leaf));
    }
  }
  std::vector<std::string> labels;
  for (Node node = 0; node < taxonomy.node_count(); ++node) labels.push_back(taxonomy.label(node));
  std::sort(labels.begin(), labels.end());
  RC_ASSERT(std::adjacent_find(labels.begin(), labels.end()) == labels.end());
}

RC_GTEST_PROP(DeriveTaxonomy, IsSoundForMasksOfFewCharacters, ()) {
  const auto values = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab*"))));
  CheckDerived(Mask(*rc::gen::inRange(1, 4)), values);
}

RC_GTEST_PROP(DeriveTaxonomy, IsSoundForDatesOfMixedPrecision, ()) {
  const auto values = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("1993", "1993-04", "1993-05", "1993-04-17", "1993-04-18",
                                    "1993-04-17T10:00", "1999", "2001-01-01"));
  CheckDerived(Dates(AllUnits()), values);
}

TEST(Mask, OfAZipPlusFourCodeTakesTheFourDigitsFirst) {
  EXPECT_THAT(RecodingAncestors(Mask(3), "12345-6789"),
              ElementsAre("12345", "1234*", "123**", "12***"));
  EXPECT_THAT(RecodingAncestors(Mask(1), "1234-56789"), ElementsAre("1234-5678*"));
  const Taxonomy taxonomy = DeriveTaxonomy(Mask(2), {"12345", "12345-6789", "12346-0001"});
  EXPECT_EQ(taxonomy.label(taxonomy.parent(*taxonomy.Find("12345"))), "12345 (any)");
  EXPECT_EQ(taxonomy.label(taxonomy.parent(*taxonomy.Find("12345-6789"))), "12345 (any)");
  EXPECT_EQ(taxonomy.label(taxonomy.parent(*taxonomy.Find("12346-0001"))), "12346");
}

TEST(Dates, AreReadAsTheFormatSays) {
  Recoding recoding = Dates(AllUnits());
  recoding.format = "%Y%m%d";
  EXPECT_TRUE(FitsRecoding(recoding, "19930417"));
  EXPECT_FALSE(FitsRecoding(recoding, "1993-04-17"));
  EXPECT_THAT(RecodingAncestors(recoding, "19930417"),
              ElementsAre("1993-04-17", "1993-04", "1993-Q2", "1993", "1990s"));
  EXPECT_EQ(RecodingExpectation(recoding), "a date (%Y%m%d)");
}

TEST(Dates, MayLackWhatNobodyKnows) {
  const Recoding recoding = Dates(AllUnits());
  EXPECT_THAT(RecodingAncestors(recoding, "1873-00-00"), ElementsAre("1873", "1870s"));
  EXPECT_THAT(RecodingAncestors(recoding, "1873-04-00"),
              ElementsAre("1873-04", "1873-Q2", "1873", "1870s"));
  EXPECT_FALSE(FitsRecoding(recoding, "1873-00-17"));
}

TEST(DeriveTaxonomyTest, WhatDoesNotFitStandsRightUnderTheRoot) {
  const Taxonomy taxonomy = DeriveTaxonomy(Dates({DateUnit::kQuarter, DateUnit::kYear}),
                                           {"1993-04-17", "old", "1993-Q2"});
  EXPECT_EQ(taxonomy.parent(*taxonomy.Find("old")), Taxonomy::kRoot);
  // It only happens to have the quarter's name.
  EXPECT_EQ(taxonomy.parent(*taxonomy.Find("1993-Q2")), Taxonomy::kRoot);
  const Node quarter = taxonomy.parent(*taxonomy.Find("1993-04-17"));
  EXPECT_EQ(taxonomy.label(quarter), "1993-Q2 (any)");
  EXPECT_EQ(taxonomy.label(taxonomy.parent(quarter)), "1993");
  EXPECT_THAT(RecodingAncestors(Ranges({5}), "old"), IsEmpty());
}

}  // namespace
}  // namespace thicket::recoding_test
