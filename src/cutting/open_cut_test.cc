#include "cutting/open_cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>

#include "base/random.h"
#include "testing/naive_cuts.h"

namespace thicket::open_cut_test {
namespace {

using ::testing::ElementsAre;
using testing::FigureForest;
using testing::NaiveCut;
using testing::NaiveCuts;
using testing::RandomItemForest;
using ::testing::UnorderedElementsAre;

// Every cut that is visited, in the order of the visits, with values chosen by `choose` anew at each step.
std::vector<NaiveCut> Visit(const ItemForest& forest,
                            const std::function<Item(const std::vector<Item>&)>& choose) {
  std::vector<NaiveCut> visited;
  OpenCut cut(forest);
  const std::function<void()> visit = [&] {
    visited.push_back(cut.Labels());
    while (!cut.open().empty()) {
      const Item value = choose(cut.open());
      const std::vector<Item> open = cut.open();
      const NaiveCut labels = cut.Labels();
      cut.Save();
      cut.Specialize(value);
      visit();
      cut.Restore();
      // The same steps give the same order again.
      RC_ASSERT(cut.open() == open);
      RC_ASSERT(cut.Labels() == labels);
      cut.Lock(value);
    }
  };
  visit();
  return visited;
}

TEST(OpenCut, TellsOpenValuesFromLockedOnes) {
  const ItemForest forest = FigureForest();
  OpenCut cut(forest);
  EXPECT_THAT(cut.Labels(), ElementsAre(0, 7));
  EXPECT_THAT(cut.open(), UnorderedElementsAre(0, 7));
  cut.Lock(0);
  cut.Save();
  cut.Specialize(7);
  EXPECT_THAT(cut.Labels(), ElementsAre(0, 8, 9));
  EXPECT_THAT(cut.open(), UnorderedElementsAre(8, 9));
  EXPECT_FALSE(cut.is_open(0));
  EXPECT_TRUE(cut.is_label(0));
  EXPECT_TRUE(cut.is_above(7));
  cut.Specialize(8);
  EXPECT_THAT(cut.Labels(), ElementsAre(0, 9, 10, 11));
  EXPECT_THAT(cut.open(), ElementsAre(9)) << "leaves are locked";
  cut.Restore();
  EXPECT_THAT(cut.Labels(), ElementsAre(0, 7));
  EXPECT_THAT(cut.open(), ElementsAre(7)) << "what was locked before stays locked";
}

TEST(OpenCut, VisitsThe25CutsOfTheFigureOnce) {
  const ItemForest forest = FigureForest();
  EXPECT_EQ(forest.CountCuts(), 25);
  std::vector<NaiveCut> visited = Visit(forest, [](const std::vector<Item>& open) {
    return *std::min_element(open.begin(), open.end());
  });
  // Fig. 3.2 (c): the first cuts, and the one in which AnyEdu is locked.
  EXPECT_THAT(visited[0], ElementsAre(0, 7));
  EXPECT_THAT(visited[1], ElementsAre(1, 2, 7));
  EXPECT_THAT(visited[2], ElementsAre(2, 3, 4, 7));
  std::sort(visited.begin(), visited.end());
  EXPECT_EQ(visited, NaiveCuts(forest));
}

TEST(ItemForest, CountsCutsThatNobodyCouldVisit) {
  // Four children each: a value has 1 + c^4 cuts, where its children have c: 1, 2, 17, 83522, and so on.
  std::vector<Item> parents = {0};
  for (Item item = 1; item < 1 + 4 + 16 + 64; ++item) parents.push_back((item - 1) / 4);
  EXPECT_EQ(ItemForest(parents).CountCuts(), 83522);
  for (Item item = 85; item < 85 + 256; ++item) parents.push_back((item - 1) / 4);
  EXPECT_DOUBLE_EQ(ItemForest(parents).CountCuts(), 83522.0 * 83522 * 83522 * 83522);
  EXPECT_EQ(ItemForest().CountCuts(), 1) << "the cut without values";
}

RC_GTEST_PROP(OpenCut, VisitsEveryCutOnceInAnyOrder, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const ItemForest forest = RandomItemForest(random, 300);
  std::vector<NaiveCut> visited = Visit(forest, [&](const std::vector<Item>& open) {
    return open[static_cast<size_t>(random.Below(open.size()))];
  });
  std::sort(visited.begin(), visited.end());
  const std::vector<NaiveCut> all = NaiveCuts(forest);
  RC_ASSERT(visited == all);
  RC_ASSERT(forest.CountCuts() == static_cast<double>(all.size()));
}

}  // namespace
}  // namespace thicket::open_cut_test
