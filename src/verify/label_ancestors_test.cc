#include "verify/label_ancestors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thicket::label_ancestors_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Ancestors(const Recoding& recoding, std::string_view label,
                                   const std::unordered_set<std::string_view>& published = {}) {
  return LabelAncestors(LabelReader(recoding, nullptr), label, published);
}

TEST(LabelAncestorsTest, ClimbsATaxonomyFromAnyOfItsNodes) {
  TaxonomyBuilder builder("Any");
  const auto cs = builder.Add(TaxonomyBuilder::root(), "CS");
  builder.Add(cs, "CS305");
  const Taxonomy taxonomy = std::move(builder).Build();
  const Recoding recoding;
  const LabelReader reader(recoding, &taxonomy);
  EXPECT_THAT(LabelAncestors(reader, "CS305", {}), ElementsAre("CS", "Any"));
  EXPECT_THAT(LabelAncestors(reader, "CS", {}), ElementsAre("Any"));
  EXPECT_THAT(LabelAncestors(reader, "Any", {}), IsEmpty());
  EXPECT_THAT(LabelAncestors(reader, "*", {}), ElementsAre("Any"));
  EXPECT_THAT(LabelAncestors(reader, "unknown", {}), ElementsAre("Any"));
}

TEST(LabelAncestorsTest, WidensRanges) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kRanges;
  recoding.widths = {5, 10};
  EXPECT_THAT(Ancestors(recoding, "1993"), ElementsAre("[1990, 1995)", "[1990, 2000)", "*"));
  EXPECT_THAT(Ancestors(recoding, "[1995, 2000)"), ElementsAre("[1990, 2000)", "*"));
  EXPECT_THAT(Ancestors(recoding, "[1990, 2000)"), ElementsAre("*"));
  EXPECT_THAT(Ancestors(recoding, "*"), IsEmpty());
}

TEST(LabelAncestorsTest, MasksFurtherLetters) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kMask;
  recoding.mask = 2;
  EXPECT_THAT(Ancestors(recoding, "12345"), ElementsAre("1234*", "123**", "*"));
  EXPECT_THAT(Ancestors(recoding, "1234*"), ElementsAre("123**", "*"));
  EXPECT_THAT(Ancestors(recoding, "123**"), ElementsAre("*"));
}

TEST(LabelAncestorsTest, TakesLongerPeriods) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kDate;
  recoding.units = {DateUnit::kMonth, DateUnit::kQuarter, DateUnit::kDecade};
  EXPECT_THAT(Ancestors(recoding, "1993-04-17"), ElementsAre("1993-04", "1993-Q2", "1990s", "*"));
  EXPECT_THAT(Ancestors(recoding, "1993-Q2"), ElementsAre("1990s", "*"));
  EXPECT_THAT(Ancestors(recoding, "1990s"), ElementsAre("*"));
}

TEST(LabelAncestorsTest, KnowsNodesWhoseNameAValueHasTaken) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kDate;
  recoding.units = {DateUnit::kYear};
  const std::unordered_set<std::string_view> published = {"1993", "1993 (any)"};
  EXPECT_THAT(Ancestors(recoding, "1993", published), ElementsAre("1993 (any)", "*"));
  EXPECT_THAT(Ancestors(recoding, "1993-04-17", published), ElementsAre("1993 (any)", "*"));
  EXPECT_THAT(Ancestors(recoding, "1993 (any)", published), ElementsAre("*"));
}

}  // namespace
}  // namespace thicket::label_ancestors_test
