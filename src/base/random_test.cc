#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace thicket::random_test {
namespace {

TEST(Random, GivesTheSplitMix64SequenceForASeed) {
  // The first outputs of SplitMix64 for seed 0, as its authors' reference code gives them.
  Random random = Random::Seeded(0);
  EXPECT_EQ(random.Next(), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(random.Next(), 0x6e789e6aa1b965f4ULL);
  EXPECT_EQ(random.Next(), 0x06c45d188009454fULL);
}

TEST(Random, RepeatsItselfForEqualSeedsOnly) {
  Random a = Random::Seeded(7);
  Random b = Random::Seeded(7);
  Random c = Random::Seeded(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t number = a.Next();
    EXPECT_EQ(number, b.Next());
    differs |= number != c.Next();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, SecureNumbersDoNotRepeat) {
  Random a = Random::Secure();
  Random b = Random::Secure();
  std::set<uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    seen.insert(a.Next());
    seen.insert(b.Next());
  }
  EXPECT_EQ(seen.size(), 2000U);
}

TEST(Random, BelowReachesEveryNumberAboutEquallyOften) {
  Random random = Random::Seeded(1);
  std::array<int, 6> count{};
  for (int i = 0; i < 60000; ++i) ++count.at(random.Below(6));
  for (const int n : count) EXPECT_NEAR(n, 10000, 500);
}

TEST(Random, BelowOneIsZero) {
  Random random = Random::Seeded(1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.Below(1), 0U);
}

TEST(Random, BelowStaysBelowABoundThatIsNoPowerOfTwo) {
  Random random = Random::Seeded(3);
  const uint64_t bound = (uint64_t{1} << 63) + 1;
  for (int i = 0; i < 1000; ++i) EXPECT_LT(random.Below(bound), bound);
}

TEST(Random, UniformLiesInTheHalfOpenUnitInterval) {
  Random random = Random::Seeded(2);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double x = random.Uniform();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random = Random::Seeded(2);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = random.Normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.05);
}

TEST(Random, ShuffleKeepsEveryItemAndMovesSome) {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  Random random = Random::Seeded(5);
  random.Shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

TEST(Random, ShuffleGivesEveryPermutationAboutEquallyOften) {
  Random random = Random::Seeded(11);
  std::array<int, 6> count{};
  for (int i = 0; i < 60000; ++i) {
    std::vector<size_t> items = {0, 1, 2};
    random.Shuffle(items);
    ++count.at(items[0] * 2 + (items[1] > items[2] ? 1 : 0));
  }
  for (const int n : count) EXPECT_NEAR(n, 10000, 500);
}

}  // namespace
}  // namespace thicket::random_test
