#include "verify/source_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace thicket::source_order_test {
namespace {

std::vector<KnownPlace> InOrder(size_t count, uint32_t looks) {
  std::vector<KnownPlace> places;
  for (uint32_t i = 0; i < count; ++i) places.push_back({i, i % looks});
  return places;
}

std::vector<KnownPlace> Shuffled(size_t count, uint32_t looks, Random& random) {
  std::vector<KnownPlace> places = InOrder(count, looks);
  random.Shuffle(places);
  return places;
}

// By all permutations of six things.
TEST(SourceOrder, KnowsHowOftenThereAreSoFewInversionsAndDescents) {
  std::vector<int> order(6);
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> with_inversions(16, 0);
  std::vector<int> with_descents(6, 0);
  do {
    int inversions = 0;
    int descents = 0;
    for (size_t a = 0; a < 6; ++a) {
      for (size_t b = a + 1; b < 6; ++b) inversions += order[a] > order[b] ? 1 : 0;
      descents += a > 0 && order[a - 1] > order[a] ? 1 : 0;
    }
    ++with_inversions[static_cast<size_t>(inversions)];
    ++with_descents[static_cast<size_t>(descents)];
  } while (std::next_permutation(order.begin(), order.end()));
  double at_most = 0;
  for (size_t i = 0; i < 8; ++i) {
    at_most += with_inversions[i] / 720.0;
    EXPECT_NEAR(ChanceOfSum({1, 2, 3, 4, 5}, i), at_most, 1e-12) << i;
  }
  EXPECT_EQ(ChanceOfSum({1, 2, 3, 4, 5}, 8), 1);
  at_most = 0;
  for (size_t i = 0; i < 6; ++i) {
    at_most += with_descents[i] / 720.0;
    EXPECT_NEAR(ChanceOfDescents(6, i), at_most, 1e-12) << i;
  }
}

TEST(SourceOrder, BoundsTheChanceWhereThereAreMany) {
  const std::vector<uint32_t> coins(100000, 1);
  // Five standard deviations of 158 below the mean of 50,000; a normal distribution has 2.9e-7 there.
  EXPECT_GT(ChanceOfSum(coins, 50000 - 791), 2.9e-7);
  EXPECT_LT(ChanceOfSum(coins, 50000 - 791), 1e-5);
  EXPECT_LT(ChanceOfSum(coins, 40000), 1e-100);
  EXPECT_EQ(ChanceOfDescents(100000, 50000), 1);
  EXPECT_LT(ChanceOfDescents(100000, 40000), 1e-100);
}

TEST(SourceOrder, LetsRandomOrdersPass) {
  Random random = Random::Seeded(1);
  for (int i = 0; i < 3000; ++i) {
    const size_t count = random.Below(60);
    const auto looks = static_cast<uint32_t>(1 + random.Below(20));
    EXPECT_FALSE(FindSourceOrder(Shuffled(count, looks, random))) << count;
  }
  EXPECT_FALSE(FindSourceOrder(Shuffled(100000, 30000, random)));
}

TEST(SourceOrder, CannotTellOfTenRecords) {
  EXPECT_FALSE(FindSourceOrder(InOrder(0, 1)));
  EXPECT_FALSE(FindSourceOrder(InOrder(1, 1)));
  EXPECT_FALSE(FindSourceOrder(InOrder(10, 1)));
}

TEST(SourceOrder, RejectsTheOrderOfTheSource) {
  for (const size_t count : {11, 12, 40, 3000, 100000}) {
    std::vector<KnownPlace> places = InOrder(count, 3);
    EXPECT_TRUE(FindSourceOrder(places)) << count;
    std::reverse(places.begin(), places.end());
    EXPECT_TRUE(FindSourceOrder(places)) << count;
  }
}

// Half of the file in order, and half of it shuffled.
TEST(SourceOrder, RejectsAnOrderWithNoise) {
  Random random = Random::Seeded(2);
  std::vector<KnownPlace> places = InOrder(400, 100);
  std::vector<KnownPlace> rest(places.begin() + 200, places.end());
  random.Shuffle(rest);
  std::copy(rest.begin(), rest.end(), places.begin() + 200);
  EXPECT_TRUE(FindSourceOrder(places));
}

TEST(SourceOrder, RejectsWhatWasSortedByClass) {
  Random random = Random::Seeded(3);
  std::vector<KnownPlace> places;
  for (uint32_t i = 0; i < 200; ++i) places.push_back({i, static_cast<uint32_t>(random.Below(20))});
  std::stable_sort(places.begin(), places.end(),
                   [](const KnownPlace& a, const KnownPlace& b) { return a.look < b.look; });
  EXPECT_TRUE(FindSourceOrder(places));
}

TEST(SourceOrder, RejectsLookAlikesInOrder) {
  Random random = Random::Seeded(4);
  // Whose turn it is is random, but the members of a class come one after another.
  std::vector<std::vector<RecordId>> members(30);
  std::vector<uint32_t> turns;
  for (RecordId i = 0; i < 90; ++i) {
    turns.push_back(static_cast<uint32_t>(random.Below(30)));
    members[turns.back()].push_back(i);
  }
  random.Shuffle(turns);
  std::vector<size_t> next(30, 0);
  std::vector<KnownPlace> places;
  for (const uint32_t look : turns) places.push_back({members[look][next[look]++], look});
  EXPECT_TRUE(FindSourceOrder(places));
}

TEST(SourceOrder, OfSiblingsIsCountedOverAllOfThem) {
  // Twelve pairs are 2^12 orders, and twenty-four are 2^24.
  std::vector<std::vector<uint32_t>> sets(12, {3, 8});
  EXPECT_FALSE(StandInOrder(sets));
  sets.insert(sets.end(), 12, {1, 7});
  EXPECT_TRUE(StandInOrder(sets));
  for (std::vector<uint32_t>& set : sets) std::reverse(set.begin(), set.end());
  EXPECT_TRUE(StandInOrder(sets));
  for (size_t i = 0; i < 12; ++i) std::reverse(sets[i].begin(), sets[i].end());
  EXPECT_FALSE(StandInOrder(sets));
  EXPECT_FALSE(StandInOrder({}));
  EXPECT_FALSE(StandInOrder({{}, {5}}));
}

}  // namespace
}  // namespace thicket::source_order_test
