#include "taxonomy/domain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace thicket::domain_test {
namespace {

Taxonomy FromParents(const std::vector<uint32_t>& parents) {
  TaxonomyBuilder builder("*");
  for (size_t i = 0; i < parents.size(); ++i) {
    builder.Add(parents[i] % static_cast<uint32_t>(i + 1), "n" + std::to_string(i));
  }
  return std::move(builder).Build();
}

// The lowest node at or above both, by comparing whole paths.
Node ClimbToCommon(const Taxonomy& taxonomy, Node a, Node b) {
  std::set<Node> above;
  for (Node node = a;; node = taxonomy.parent(node)) {
    above.insert(node);
    if (node == Taxonomy::kRoot) break;
  }
  while (!above.contains(b)) b = taxonomy.parent(b);
  return b;
}

RC_GTEST_PROP(Domain, TaxonomyMergesAndLossesAgreeWithANaiveClimb,
              (const std::vector<uint32_t>& parents)) {
  const Taxonomy taxonomy = FromParents(parents);
  const Domain domain = Domain::FromTaxonomy(taxonomy, false);
  RC_ASSERT(domain.value_count() == taxonomy.leaf_count());
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    const Label label{node, node};
    for (Value value = 0; value < domain.value_count(); ++value) {
      const Node both = ClimbToCommon(taxonomy, node, taxonomy.first_leaf() + value);
      RC_ASSERT((domain.Merge(label, domain.Leaf(value)) == Label{both, both}));
      const auto units = std::llround(taxonomy.Loss(both) * static_cast<double>(kLabelUnits));
      RC_ASSERT(domain.MergeLoss(label, value) == units);
      if (const int32_t* row = domain.MergeLossRow(label)) RC_ASSERT(row[value] == units);
      RC_ASSERT(domain.Covers(label, domain.Leaf(value)) == (both == node));
    }
  }
}

TEST(Domain, ATaxonomyTooLargeForATableGivesTheSameLosses) {
  TaxonomyBuilder builder("*");
  for (int group = 0; group < 40; ++group) {
    const auto parent = builder.Add(TaxonomyBuilder::root(), "g" + std::to_string(group));
    for (int leaf = 0; leaf < 40; ++leaf) {
      builder.Add(parent, std::to_string(group) + "/" + std::to_string(leaf));
    }
  }
  const Domain domain = Domain::FromTaxonomy(std::move(builder).Build(), false);
  ASSERT_EQ(domain.MergeLossRow(domain.Leaf(0)), nullptr);
  EXPECT_EQ(domain.MergeLoss(domain.Leaf(0), 0), 0);
  EXPECT_EQ(domain.MergeLoss(domain.Leaf(0), 1),
            std::llround(39.0 / 1599 * static_cast<double>(kLabelUnits)));
  EXPECT_EQ(domain.MergeLoss(domain.Leaf(0), 40), kLabelUnits);
}

TEST(Domain, AncestorsByLevelGiveTheLossesOfAClimb) {
  // Leaves at different depths.
  TaxonomyBuilder builder("*");
  for (int group = 0; group < 30; ++group) {
    auto parent = builder.Add(TaxonomyBuilder::root(), "g" + std::to_string(group));
    for (int leaf = 0; leaf < 40; ++leaf) {
      builder.Add(parent, std::to_string(group) + "/" + std::to_string(leaf));
      if (leaf % 10 == 9)
        parent = builder.Add(parent, std::to_string(group) + "+" + std::to_string(leaf));
    }
  }
  const Domain domain = Domain::FromTaxonomy(std::move(builder).Build(), false);
  const Taxonomy& taxonomy = domain.taxonomy();
  ASSERT_FALSE(domain.has_table());
  ASSERT_EQ(domain.level_count(), 5U);
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    for (Value value = node % 7; value < domain.value_count(); value += 7) {
      const Node both = ClimbToCommon(taxonomy, node, taxonomy.first_leaf() + value);
      ASSERT_EQ(domain.MergeLoss({node, node}, value), domain.Loss({both, both}));
    }
  }
  for (Value value = 0; value < domain.value_count(); ++value) {
    for (size_t level = 1; level <= domain.level_count(); ++level) {
      Node node = taxonomy.first_leaf() + value;
      while (taxonomy.depth(node) > level) node = taxonomy.parent(node);
      const bool reached = taxonomy.depth(node) == level;
      ASSERT_EQ(domain.AncestorsAt(level)[value], reached ? node : ~Node{0});
    }
  }
}

TEST(Domain, AMissingValueOfATaxonomyMeetsOthersAtTheRoot) {
  TaxonomyBuilder builder("*");
  const auto group = builder.Add(TaxonomyBuilder::root(), "group");
  builder.Add(group, "a");
  builder.Add(group, "b");
  builder.Add(TaxonomyBuilder::root(), "");
  const Domain domain = Domain::FromTaxonomy(std::move(builder).Build(), true);
  EXPECT_TRUE(domain.IsMissing(2));
  EXPECT_FALSE(domain.IsMissing(1));
  EXPECT_EQ(domain.MergeLoss(domain.Leaf(0), 2), kLabelUnits);
  EXPECT_EQ(domain.Text(domain.Merge(domain.Leaf(0), domain.Leaf(2))), "*");
  EXPECT_EQ(domain.Text(domain.Merge(domain.Leaf(0), domain.Leaf(1))), "group");
}

TEST(Domain, IntervalsCostTheirShareOfTheWholeWidth) {
  const Domain domain = Domain::FromNumbers({10, 12.5, 20, 50}, false);
  EXPECT_TRUE(domain.is_numeric());
  const Label low = domain.Merge(domain.Leaf(0), domain.Leaf(1));
  EXPECT_DOUBLE_EQ(domain.ExactLoss(low), 2.5 / 40);
  EXPECT_EQ(domain.Text(low), "[10, 12.5]");
  EXPECT_EQ(domain.Loss(domain.Leaf(2)), 0);
  EXPECT_TRUE(domain.IsLeaf(domain.Leaf(2)));
  EXPECT_FALSE(domain.IsLeaf(low));
  EXPECT_EQ(domain.Loss(domain.Merge(domain.Leaf(0), domain.Leaf(3))), kLabelUnits);
}

TEST(Domain, IntervalsShowTheirEndsExactly) {
  std::vector<Decimal> numbers;
  for (const char* text : {"9007199254740992", "9007199254740993", "9007199254740996"}) {
    numbers.push_back(*Decimal::Parse(text));
  }
  const Domain domain = Domain::FromNumbers(numbers, false);
  const Label pair = domain.Merge(domain.Leaf(0), domain.Leaf(1));
  EXPECT_EQ(domain.Text(pair), "[9007199254740992, 9007199254740993]");
  EXPECT_DOUBLE_EQ(domain.ExactLoss(pair), 0.25);
}

TEST(Domain, NumbersBeyondTheDoublesHaveCosts) {
  const Domain large =
      Domain::FromNumbers({*Decimal::Parse("-1e900"), 0, *Decimal::Parse("1e900")}, false);
  EXPECT_DOUBLE_EQ(large.ExactLoss(large.Merge(large.Leaf(0), large.Leaf(1))), 0.5);
  EXPECT_EQ(large.Text(large.Merge(large.Leaf(0), large.Leaf(1))), "[-1e900, 0]");
  const Domain small =
      Domain::FromNumbers({0, *Decimal::Parse("1e-900"), *Decimal::Parse("4e-900")}, false);
  EXPECT_DOUBLE_EQ(small.ExactLoss(small.Merge(small.Leaf(0), small.Leaf(1))), 0.25);
}

TEST(Domain, AMissingNumberMeetsOthersAtTheRoot) {
  const Domain domain = Domain::FromNumbers({1, 2}, true);
  EXPECT_EQ(domain.value_count(), 3U);
  EXPECT_TRUE(domain.IsMissing(2));
  const Label any = domain.Merge(domain.Leaf(0), domain.Leaf(2));
  EXPECT_EQ(domain.Text(any), "*");
  EXPECT_EQ(domain.Loss(any), kLabelUnits);
  EXPECT_EQ(domain.Loss(domain.Leaf(2)), 0);
  EXPECT_TRUE(domain.Covers(any, domain.Leaf(1)));
  EXPECT_EQ(domain.Merge(any, domain.Merge(domain.Leaf(0), domain.Leaf(1))), any);
}

RC_GTEST_PROP(Domain, NumericMergeIsTheHullOfBoth,
              (const std::set<int16_t>& set, bool has_missing)) {
  RC_PRE(set.size() > 1U);
  const std::vector<double> numbers(set.begin(), set.end());
  const Domain domain = Domain::FromNumbers({numbers.begin(), numbers.end()}, has_missing);
  const auto label = *rc::gen::arbitrary<std::pair<uint16_t, uint16_t>>();
  const auto count = static_cast<uint32_t>(numbers.size());
  const Value a = label.first % count;
  const Value b = label.second % count;
  const Label hull = domain.Merge(domain.Leaf(a), domain.Leaf(b));
  RC_ASSERT((hull == Label{std::min(a, b), std::max(a, b)}));
  for (Value value = 0; value < count; ++value) {
    RC_ASSERT(domain.Covers(hull, domain.Leaf(value)) == (hull.low <= value && value <= hull.high));
    const double low = std::min(numbers[hull.low], numbers[value]);
    const double high = std::max(numbers[hull.high], numbers[value]);
    const double loss = (high - low) / (numbers.back() - numbers.front());
    RC_ASSERT(domain.MergeLoss(hull, value) ==
              std::llround(loss * static_cast<double>(kLabelUnits)));
  }
}

}  // namespace
}  // namespace thicket::domain_test
