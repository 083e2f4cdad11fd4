#include "utility/set_ncp.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <vector>

#include "testing/baskets_sets.h"
#include "testing/literal_set_rivals.h"
#include "testing/literal_set_taxonomy.h"
#include "testing/random_sets.h"

namespace thicket::set_ncp_test {
namespace {

using testing::LiteralFraction;
using testing::LiteralNodes;
using testing::LiteralSetData;
using testing::LiteralTaxonomyNodes;

SetPair PairOf(const LiteralTaxonomyNodes& nodes, const LiteralSetData& sets,
               const std::vector<LiteralNodes>& published) {
  SetPair pair;
  pair.taxonomy = &nodes.taxonomy();
  for (const LiteralNodes& record : sets.items) pair.original.Add(nodes.NodesOf(record), {});
  for (const LiteralNodes& record : published) pair.published.Add(nodes.NodesOf(record), {});
  for (Node node = 0; node < nodes.taxonomy().node_count(); ++node) {
    pair.leaves.push_back(nodes.taxonomy().leaves(node));
  }
  return pair;
}

double ToDouble(const LiteralFraction& fraction) {
  return static_cast<double>(fraction.above()) / static_cast<double>(fraction.below());
}

// The optimum of Section 4.2 at (2, 2, 2, 1).
TEST(SetNcpTest, CountsLeavesOfLabels) {
  const LiteralSetData sets = testing::BasketsSets();
  const LiteralTaxonomyNodes nodes(sets.taxonomy);
  const LiteralNodes cut = testing::BasketsNodes({"Nutrient", "Outwear", "Footwear"});
  const SetNcpReport report = MeasureSetNcp(PairOf(nodes, sets, GeneralizeSets(sets, cut)));
  EXPECT_FALSE(report.is_bound);
  EXPECT_DOUBLE_EQ(report.ncp(), 61.0 / 171);
  EXPECT_EQ(report.lm.suppressed, 0U);
}

TEST(SetNcpTest, RandomCutsAndSuppressionCostWhatTheDefinitionSays) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    const LiteralSetData sets = testing::RandomLiteralSets(random);
    const auto cuts = testing::LiteralSetCuts(sets.taxonomy);
    const LiteralNodes& cut = cuts[random.Below(cuts.size())];
    std::vector<LiteralNodes> published = GeneralizeSets(sets, cut);
    const LiteralNodes left_out =
        random.Below(2) == 0 ? LiteralNodes{*cut.begin()} : LiteralNodes{};
    for (LiteralNodes& record : published) {
      for (const int node : left_out) record.erase(node);
    }
    const LiteralTaxonomyNodes nodes(sets.taxonomy);
    const SetNcpReport report = MeasureSetNcp(PairOf(nodes, sets, published));
    EXPECT_FALSE(report.is_bound);
    EXPECT_NEAR(report.ncp(), ToDouble(MeanLoss(sets, published)), 1e-12);
    EXPECT_NEAR(report.lm.lm(), ToDouble(MeanLoss(sets, published, testing::LmOf)), 1e-12);
  }
}

// By record the cheapest published set that it may have become.
LiteralFraction CheapestLoss(const LiteralSetData& sets,
                             const std::vector<LiteralNodes>& published) {
  LiteralFraction sum = 0;
  int64_t occurrences = 0;
  for (const LiteralNodes& record : sets.items) {
    const LiteralSetData one{sets.taxonomy, {record}, {{}}};
    const auto items = static_cast<int64_t>(record.size());
    occurrences += items;
    LiteralFraction least = 1;
    for (const LiteralNodes& other : published) {
      if (IsLocalGeneralization(one, {other})) least = std::min(least, MeanLoss(one, {other}));
    }
    sum = sum + least * LiteralFraction(items);
  }
  return occurrences == 0 ? LiteralFraction(0) : sum / LiteralFraction(occurrences);
}

TEST(SetNcpTest, LocalRecodingIsBoundedFromBelow) {
  size_t local = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    const LiteralSetData sets = testing::RandomLiteralSets(random);
    const auto cuts = testing::LiteralSetCuts(sets.taxonomy);
    std::vector<LiteralNodes> published;
    for (const LiteralNodes& record : sets.items) {
      const LiteralNodes& cut = cuts[random.Below(cuts.size())];
      published.push_back(testing::GeneralizeSets({sets.taxonomy, {record}, {{}}}, cut)[0]);
    }
    const LiteralTaxonomyNodes nodes(sets.taxonomy);
    const SetNcpReport report = MeasureSetNcp(PairOf(nodes, sets, published));
    EXPECT_LE(report.ncp(), ToDouble(MeanLoss(sets, published)) + 1e-12);
    if (!report.is_bound) continue;
    ++local;
    EXPECT_NEAR(report.ncp(), ToDouble(CheapestLoss(sets, published)), 1e-12);
  }
  EXPECT_GT(local, 30U);
}

}  // namespace
}  // namespace thicket::set_ncp_test
