// Matching bags against every matching (tests/testing/literal_bags.h), and Example 5.5 of Liu 2010.
#include "grouping/bags/bag_matching.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "grouping/bags/bag_case_test.h"
#include "grouping/bags/hyper_vocabulary.h"

namespace thicket::bag_matching_test {
namespace {

using bag_case_test::RunningExample;
using bag_case_test::ToBags;
using bag_case_test::ToDistances;
using testing::LiteralBags;
using testing::LiteralMatching;

std::optional<double> Omega(int64_t halves) {
  return halves < 0 ? std::nullopt : std::optional(static_cast<double>(halves) / 2);
}

MatchingTable TableOf(const LiteralBags& literal, const LiteralBags::Hyper& hyper,
                      const LiteralBags::Bag& bag) {
  MatchingTable table(hyper.size(), bag.size());
  for (size_t row = 0; row < hyper.size(); ++row) {
    for (size_t column = 0; column < bag.size(); ++column) {
      const int64_t weight = literal.Weight(hyper[row], bag[column]);
      if (weight >= 0) table.at(row, column) = static_cast<uint32_t>(weight);
    }
  }
  return table;
}

// Section 5.2.2, Example 5.5: with epsilon 4 the distance of the first two vocabularies is 6, in both models.
TEST(BagMatcher, FindsTheDistanceOfExample55) {
  const LiteralBags literal = RunningExample(4);
  const Bags bags = ToBags(literal);
  const TermDistances distances = ToDistances(literal);
  for (const std::optional<double> omega : {std::optional<double>(), std::optional<double>(4)}) {
    for (const BagMatching kind : {BagMatching::kExact, BagMatching::kGreedy}) {
      BagMatcher matcher(kind);
      HyperVocabulary vocabulary(distances);
      vocabulary.Start(bags.terms(0));
      EXPECT_EQ(vocabulary.Measure(bags.terms(1), matcher, omega), (BagDistance{0, 6}));
    }
  }
}

// By the weight alone the third vocabulary would be nearer to the first than the second is.
TEST(BagMatcher, CountsUnmatchedTermsFirst) {
  const LiteralBags literal = RunningExample(4);
  const TermDistances distances = ToDistances(literal);
  const Bags bags = ToBags(literal);
  BagMatcher matcher(BagMatching::kExact);
  HyperVocabulary vocabulary(distances);
  vocabulary.Start(bags.terms(0));
  const BagDistance third = vocabulary.Measure(bags.terms(2), matcher, std::nullopt);
  EXPECT_EQ(third, (BagDistance{1, 4}));
  EXPECT_GT(BagCosts().Of(third), BagCosts().Of({0, 6}));
  EXPECT_GT(BagCosts(4.0, 1).Of(third), BagCosts(4.0, 1).Of({0, 6}));
}

// 2 + 3 steps for two pairs, or 0 for one: a largest matching has both.
TEST(BagMatcher, MatchesAllItCanWithoutOmega) {
  MatchingTable table(2, 2);
  table.at(0, 0) = 0;
  table.at(0, 1) = 2;
  table.at(1, 0) = 3;
  BagMatcher exact(BagMatching::kExact);
  EXPECT_EQ(exact.Measure(table, BagCosts()), (BagDistance{0, 5}));
  BagMatcher greedy(BagMatching::kGreedy);
  EXPECT_EQ(greedy.Measure(table, BagCosts()), (BagDistance{2, 0}));
}

TEST(BagMatcher, LeavesTermsUnmatchedWhereOmegaCostsLess) {
  MatchingTable table(2, 2);
  table.at(0, 0) = 0;
  table.at(0, 1) = 2;
  table.at(1, 0) = 3;
  BagMatcher exact(BagMatching::kExact);
  EXPECT_EQ(exact.Measure(table, BagCosts(2.0, 1)), (BagDistance{2, 0}));
  EXPECT_EQ(exact.Measure(table, BagCosts(3.0, 1)), (BagDistance{0, 5}));
}

TEST(BagMatcher, MatchesNothingWithNothing) {
  for (const BagMatching kind : {BagMatching::kExact, BagMatching::kGreedy}) {
    BagMatcher matcher(kind);
    std::vector<uint32_t> columns;
    EXPECT_EQ(matcher.Match(MatchingTable(0, 3), BagCosts(), columns), (BagDistance{3, 0}));
    EXPECT_EQ(matcher.Match(MatchingTable(2, 0), BagCosts(), columns), (BagDistance{2, 0}));
    EXPECT_EQ(columns, (std::vector<uint32_t>{BagMatcher::kUnmatched, BagMatcher::kUnmatched}));
  }
}

// Random tables with many ties, also of hyper terms with several members.
RC_GTEST_PROP(BagMatcher, FindsTheFirstOfAllBestMatchings, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralBags literal = bag_case_test::RandomBags(random, 2, 6);
  if (literal.bags.size() < 2) return;
  const auto terms = literal.steps.size();
  const size_t members = 1 + random.Below(3);
  LiteralBags::Hyper hyper;
  for (const int term : literal.bags[0]) {
    hyper.push_back({term});
    while (hyper.back().size() < members) {
      hyper.back().push_back(static_cast<int>(random.Below(terms)));
    }
  }
  const LiteralBags::Bag& bag = literal.bags[1];
  const MatchingTable table = TableOf(literal, hyper, bag);
  const int64_t halves = static_cast<int64_t>(random.Below(18)) - 4;
  const BagCosts costs(Omega(halves), members);
  for (const BagMatching kind : {BagMatching::kExact, BagMatching::kGreedy}) {
    const LiteralMatching expected = kind == BagMatching::kExact
                                         ? literal.MatchExactly(hyper, bag, halves)
                                         : literal.MatchGreedily(hyper, bag, halves);
    BagMatcher matcher(kind);
    std::vector<uint32_t> columns;
    const BagDistance matched = matcher.Match(table, costs, columns);
    RC_ASSERT(matched.unmatched == expected.unmatched);
    RC_ASSERT(matched.weight == static_cast<uint64_t>(expected.weight));
    RC_ASSERT(std::vector<int>(columns.begin(), columns.end()) == expected.column_of_row);
    RC_ASSERT(costs.Of(matcher.Measure(table, costs)) == costs.Of(matched));
  }
}

}  // namespace
}  // namespace thicket::bag_matching_test
