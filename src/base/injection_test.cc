#include "base/injection.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace thicket::injection_test {
namespace {

using Matrix = std::vector<std::vector<bool>>;

bool Has(const Matrix& fits, size_t right) {
  InjectionSpace space;
  return HasInjection(
      fits.size(), right, [&](size_t l, size_t r) { return fits[l][r]; }, space);
}

TEST(InjectionTest, MovesTheFirstAside) { EXPECT_TRUE(Has({{true, true}, {true, false}}, 2)); }

TEST(InjectionTest, NothingOnTheLeftAlwaysFits) { EXPECT_TRUE(Has({}, 0)); }

TEST(InjectionTest, FailsWhereTheRightIsTooSmall) { EXPECT_FALSE(Has({{true}, {true}}, 1)); }

TEST(InjectionTest, NamesAnItemThatCannotBePlaced) {
  InjectionSpace space;
  const Matrix fits = {{true, false, false}, {false, false, false}, {true, true, true}};
  EXPECT_FALSE(HasInjection(
      3, 3, [&](size_t l, size_t r) { return fits[l][r]; }, space));
  EXPECT_EQ(space.unplaced, 1U);
}

TEST(InjectionTest, AsksOncePerPair) {
  std::vector<int> asked(25, 0);
  InjectionSpace space;
  const auto fits = [&](size_t l, size_t r) {
    ++asked[l * 5 + r];
    return l + r < 5;
  };
  EXPECT_TRUE(HasInjection(5, 5, fits, space));
  EXPECT_LE(*std::max_element(asked.begin(), asked.end()), 1);
}

RC_GTEST_PROP(InjectionPropertyTest, AgreesWithTryingEveryPermutation, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const size_t left = random.Below(6);
  const size_t right = random.Below(7);
  const uint64_t density = 1 + random.Below(4);
  Matrix fits(left, std::vector<bool>(right));
  for (auto& row : fits) {
    for (size_t r = 0; r < right; ++r) row[r] = random.Below(5) < density;
  }
  std::vector<size_t> order(right);
  std::iota(order.begin(), order.end(), size_t{0});
  bool found = false;
  do {
    bool all = left <= right;
    for (size_t l = 0; l < left && all; ++l) all = fits[l][order[l]];
    found = found || all;
  } while (std::next_permutation(order.begin(), order.end()));
  RC_ASSERT(Has(fits, right) == found);
}

}  // namespace
}  // namespace thicket::injection_test
