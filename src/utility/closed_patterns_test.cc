#include "utility/closed_patterns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.h"
#include "testing/cases.h"
#include "testing/literal_bag_measures.h"
#include "testing/thesis_bags.h"
#include "utility/pattern_distance.h"

namespace thicket::closed_patterns_test {
namespace {

using testing::LiteralBag;
using testing::LiteralClosed;

LabelBags BagsOf(const std::vector<LiteralBag>& bags) {
  LabelBags result;
  for (const LiteralBag& bag : bags) result.Add(bag);
  return result;
}

std::vector<ClosedPattern> PatternsOf(const std::vector<LiteralClosed>& literal, size_t count) {
  std::vector<ClosedPattern> patterns;
  for (size_t i = 0; i < std::min(count, literal.size()); ++i) {
    patterns.push_back({{literal[i].labels.begin(), literal[i].labels.end()}, literal[i].support});
  }
  return patterns;
}

std::vector<LiteralBag> RandomBags(Random& random) {
  const uint64_t labels = 2 + random.Below(8);
  std::vector<LiteralBag> bags(random.Below(25));
  for (LiteralBag& bag : bags) {
    for (uint64_t size = random.Below(7); bag.size() < size;) {
      // Some labels are more frequent than others.
      bag.push_back(static_cast<uint32_t>(random.Below(1 + random.Below(labels))));
    }
  }
  return bags;
}

TEST(ClosedPatternsTest, RepeatsCountOnceAndRareOnesNot) {
  Parallel parallel(1);
  const auto patterns =
      MineClosedPatterns(BagsOf({{1, 1, 2}, {1, 2, 3}, {1}, {4, 4}}), {.count = 9}, parallel);
  const std::vector<ClosedPattern> expected = {{{1}, 3}, {{1, 2}, 2}};
  EXPECT_EQ(patterns, expected);
}

TEST(ClosedPatternsTest, OfEqualSupportsTheSmallerAndThenTheFirstComeFirst) {
  Parallel parallel(1);
  const auto patterns = MineClosedPatterns(
      BagsOf({{7, 8}, {7, 8}, {5}, {5}, {3}, {3}, {1, 2}, {1, 2}}), {.count = 3}, parallel);
  const std::vector<ClosedPattern> expected = {{{3}, 2}, {{5}, 2}, {{1, 2}, 2}};
  EXPECT_EQ(patterns, expected);
}

TEST(ClosedPatternsTest, NothingComesOfNothing) {
  Parallel parallel(1);
  EXPECT_TRUE(MineClosedPatterns(BagsOf({}), {}, parallel).empty());
  EXPECT_TRUE(MineClosedPatterns(BagsOf({{}, {}}), {}, parallel).empty());
  EXPECT_TRUE(MineClosedPatterns(BagsOf({{1}, {1}}), {.count = 0}, parallel).empty());
}

TEST(ClosedPatternsTest, RandomBagsHaveThePatternsOfTheDefinition) {
  for (uint64_t seed = 0; seed < Cases(600); ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    std::vector<LiteralBag> bags = RandomBags(random);
    const uint64_t least = 1 + random.Below(3);
    const std::vector<LiteralClosed> all = testing::LiteralClosedPatterns(bags, least);
    Parallel parallel(1 + static_cast<int>(random.Below(3)));
    for (const size_t count : {size_t{1}, 1 + random.Below(12), size_t{1000}}) {
      random.Shuffle(bags);
      EXPECT_EQ(MineClosedPatterns(BagsOf(bags), {count, least}, parallel), PatternsOf(all, count));
    }
  }
}

TEST(PatternDistanceTest, RandomPatternsAreAsFarAsTheDefinitionSays) {
  const Taxonomy goods = testing::ThesisGoods();
  BagPair pair;
  pair.taxonomy = &goods;
  const StepsFrom from = StepsFromTerms(pair);
  const auto steps = [&](uint32_t a, uint32_t b) {
    return from(a, std::vector<BagLabel>{b}).front();
  };
  for (uint64_t seed = 0; seed < Cases(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    std::vector<LiteralBag> sides[2];
    for (int side = 0; side < 2; ++side) {
      // The original has terms, published data any labels.
      sides[side].resize(4 + random.Below(12));
      for (LiteralBag& bag : sides[side]) {
        for (uint64_t size = random.Below(5); bag.size() < size;) {
          bag.push_back(static_cast<uint32_t>(random.Below(side == 0 ? 8 : goods.node_count())));
        }
      }
    }
    const auto original = testing::LiteralClosedPatterns(sides[0]);
    const auto published = testing::LiteralClosedPatterns(sides[1]);
    Parallel parallel(1 + static_cast<int>(random.Below(3)));
    const PatternKeeping kept =
        ComparePatterns(PatternsOf(original, 1000), PatternsOf(published, 1000), from, parallel);
    EXPECT_EQ(kept.original, original.size());
    EXPECT_EQ(kept.published, published.size());
    EXPECT_EQ(kept.kept, testing::LiteralKept(original, published));
    EXPECT_EQ(kept.recall().has_value(), !original.empty());
    EXPECT_EQ(kept.s_dist().has_value(), !original.empty() && !published.empty());
    if (kept.s_dist()) {
      EXPECT_EQ(kept.steps, testing::LiteralStepsAway(original, published, steps));
    }
  }
}

// Example 5.12 of Liu 2010.
TEST(PatternDistanceTest, TheExampleOfTheThesisHasHalfARecallAndHalfAStep) {
  const Taxonomy goods = testing::ThesisGoods();
  BagPair pair;
  pair.taxonomy = &goods;
  const auto label = [&](const char* text) { return pair.LabelOf(*goods.Find(text)); };
  std::vector<BagLabel> before = {label("Wine"), label("Jackets")};
  std::vector<BagLabel> after = {label("Wine"), label("Outwear")};
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  Parallel parallel(1);
  const PatternKeeping kept =
      ComparePatterns({{before, 3}}, {{after, 3}}, StepsFromTerms(pair), parallel);
  EXPECT_EQ(kept.recall(), 0.5);
  EXPECT_EQ(kept.s_dist(), 0.5);
}

TEST(PatternDistanceTest, StepsInANetworkAreThoseOfTheShortestPath) {
  SemanticNetworkBuilder network;
  const auto drink = network.AddConcept();
  const auto thing = network.AddConcept();
  network.Link(network.AddWord("Wine"), drink);
  network.Link(network.AddWord("Vino"), drink);
  network.Link(drink, thing);
  network.Link(network.AddWord("Pants"), thing);
  network.Link(network.AddWord("Vino"), network.AddWord("Pants"));
  network.AddWord("Boots");
  const SemanticNetwork words = std::move(network).Build();
  const Taxonomy goods = testing::ThesisGoods();
  BagPair pair;
  pair.taxonomy = &goods;
  const auto label = [&](const char* text) { return pair.LabelOf(*goods.Find(text)); };
  pair.several = {{label("Pants"), label("Vino")}};
  const std::vector<BagLabel> labels = {label("Wine"),  label("Vino"),
                                        label("Pants"), label("Boots"),
                                        label("Shoes"), static_cast<BagLabel>(goods.node_count())};
  const StepsFrom steps = StepsFromWords(pair, words);
  EXPECT_EQ(steps(label("Wine"), labels), (std::vector<uint32_t>{0, 2, 3, kNoPath, kNoPath, 2}));
  EXPECT_EQ(steps(label("Vino"), labels), (std::vector<uint32_t>{2, 0, 1, kNoPath, kNoPath, 0}));
  const uint32_t none = kNoPath;
  EXPECT_EQ(steps(label("Boots"), labels),
            (std::vector<uint32_t>{none, none, none, 0, none, none}));
  EXPECT_EQ(steps(label("Shoes"), labels),
            (std::vector<uint32_t>{none, none, none, none, 0, none}));
}

TEST(PatternDistanceTest, TermsWithoutAPathAreFurtherThanAllOthers) {
  Parallel parallel(1);
  const StepsFrom steps = [](BagLabel term, std::span<const BagLabel> labels) {
    std::vector<uint32_t> found;
    for (const BagLabel label : labels) found.push_back(term == 9 ? kNoPath : label);
    return found;
  };
  const PatternKeeping kept =
      ComparePatterns({{{1}, 2}, {{9}, 2}}, {{{4}, 2}, {{6}, 2}}, steps, parallel);
  EXPECT_EQ(kept.steps, 4U + 7U);
  EXPECT_EQ(kept.recall(), 0.0);
}

}  // namespace
}  // namespace thicket::closed_patterns_test
