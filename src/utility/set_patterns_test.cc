#include "utility/set_patterns.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "testing/baskets_sets.h"
#include "testing/cases.h"
#include "testing/literal_set_patterns.h"
#include "testing/literal_set_taxonomy.h"
#include "testing/random_sets.h"

namespace thicket::set_patterns_test {
namespace {

using testing::BasketsNodes;
using testing::BasketsSets;
using testing::FrequentPatterns;
using testing::GeneralizeSets;
using testing::LiteralFraction;
using testing::LiteralNodes;
using testing::LiteralPatterns;
using testing::LiteralSetData;
using testing::LiteralTaxonomyNodes;
using testing::PatternError;

double ToDouble(const LiteralFraction& fraction) {
  return static_cast<double>(fraction.above()) / static_cast<double>(fraction.below());
}

LabelSets SetsOf(const LiteralTaxonomyNodes& nodes, const std::vector<LiteralNodes>& items,
                 const std::vector<std::set<int>>& sensitive) {
  LabelSets sets;
  for (size_t record = 0; record < items.size(); ++record) {
    sets.Add(nodes.NodesOf(items[record]), {sensitive[record].begin(), sensitive[record].end()});
  }
  return sets;
}

PatternReport Measure(const LiteralSetData& sets, const std::vector<LiteralNodes>& published,
                      double support, int threads = 1) {
  const LiteralTaxonomyNodes nodes(sets.taxonomy);
  Parallel parallel(threads);
  return MeasurePatterns(nodes.taxonomy(), SetsOf(nodes, sets.items, sets.sensitive),
                         SetsOf(nodes, published, sets.sensitive), {.support = support}, parallel);
}

void ExpectLiteral(const LiteralSetData& sets, const std::vector<LiteralNodes>& published,
                   const LiteralFraction& support, int threads) {
  const LiteralPatterns before =
      FrequentPatterns(sets.taxonomy, sets.items, sets.sensitive, support);
  const LiteralPatterns after = FrequentPatterns(sets.taxonomy, published, sets.sensitive, support);
  const PatternReport report = Measure(sets, published, ToDouble(support), threads);
  EXPECT_EQ(report.original, before.size());
  EXPECT_EQ(report.published, after.size());
  size_t common = 0;
  for (const auto& [pattern, count] : before) common += after.count(pattern);
  EXPECT_EQ(report.common, common);
  const LiteralTaxonomyNodes nodes(sets.taxonomy);
  Parallel parallel(threads);
  const PatternReport less =
      MeasurePatterns(nodes.taxonomy(), SetsOf(nodes, sets.items, sets.sensitive),
                      SetsOf(nodes, published, sets.sensitive),
                      {.support = ToDouble(support), .count_original = false}, parallel);
  EXPECT_EQ(less.original, common);
  EXPECT_EQ(less.published, report.published);
  EXPECT_EQ(less.common, report.common);
  EXPECT_EQ(less.off, report.off);
  EXPECT_EQ(less.support, report.support);
  const auto error = PatternError(before, after);
  ASSERT_EQ(report.error().has_value(), error.has_value());
  if (error) {
    EXPECT_DOUBLE_EQ(*report.error(), ToDouble(*error));
  }
}

TEST(SetPatternsTest, OneCutForEverybodyKeepsSupports) {
  const LiteralSetData sets = BasketsSets();
  const LiteralNodes cut = BasketsNodes({"Nutrient", "Outwear", "Footwear"});
  const PatternReport report = Measure(sets, GeneralizeSets(sets, cut), 0.4);
  EXPECT_GT(report.original, report.published);
  EXPECT_EQ(report.common, report.published);
  EXPECT_EQ(report.error(), 0.0);
}

TEST(SetPatternsTest, LocalRecodingMovesSupports) {
  const LiteralSetData sets = BasketsSets();
  std::vector<LiteralNodes> published = sets.items;
  published[0] = BasketsNodes({"Liquor", "Milk", "Yogurt"});
  const PatternReport report = Measure(sets, published, 0.2);
  ASSERT_TRUE(report.error().has_value());
  EXPECT_GT(*report.error(), 0.0);
  ExpectLiteral(sets, published, {1, 5}, 1);
}

TEST(SetPatternsTest, NoRecordsHaveNoPatterns) {
  LiteralSetData sets = BasketsSets();
  sets.items.clear();
  sets.sensitive.clear();
  const PatternReport report = Measure(sets, {}, 0.01);
  EXPECT_EQ(report.original, 0U);
  EXPECT_EQ(report.published, 0U);
  EXPECT_FALSE(report.error().has_value());
}

// Each record is generalized by a random cut of its own.
TEST(SetPatternsTest, RandomSetsHaveThePatternsOfTheDefinition) {
  for (uint64_t seed = 0; seed < Cases(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    const LiteralSetData sets = testing::RandomLiteralSets(random);
    const auto cuts = testing::LiteralSetCuts(sets.taxonomy);
    const bool is_local = random.Below(2) == 0;
    const size_t one = random.Below(cuts.size());
    std::vector<LiteralNodes> published;
    for (size_t record = 0; record < sets.size(); ++record) {
      const size_t cut = is_local ? random.Below(cuts.size()) : one;
      published.push_back(
          GeneralizeSets({sets.taxonomy, {sets.items[record]}, {{}}}, cuts[cut])[0]);
    }
    const auto percent = static_cast<int64_t>(1 + random.Below(60));
    ExpectLiteral(sets, published, {percent, 100}, 1 + static_cast<int>(random.Below(3)));
  }
}

}  // namespace
}  // namespace thicket::set_patterns_test
