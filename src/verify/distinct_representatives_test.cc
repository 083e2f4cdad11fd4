#include "verify/distinct_representatives.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "base/random.h"

namespace thicket::distinct_representatives_test {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;

uint32_t Missing(const std::vector<uint32_t>& demand, const std::vector<uint32_t>& capacity,
                 const Lists& lists) {
  const std::vector<uint32_t> shortage =
      FindShortage(demand, capacity,
                   [&](uint32_t asker) -> const std::vector<uint32_t>& { return lists[asker]; });
  return std::accumulate(shortage.begin(), shortage.end(), 0U);
}

TEST(DistinctRepresentativesTest, MovesTheFirstAsideForTheSecond) {
  EXPECT_EQ(Missing({1, 1}, {1, 1}, {{0, 1}, {0}}), 0U);
  EXPECT_EQ(Missing({1, 1, 1}, {1, 1, 1}, {{0, 1}, {0, 2}, {0}}), 0U);
}

TEST(DistinctRepresentativesTest, CountsWhatCannotBeHad) {
  EXPECT_EQ(Missing({1, 1, 1}, {1, 1}, {{0}, {0}, {0, 1}}), 1U);
  EXPECT_EQ(Missing({1}, {1}, {{}}), 1U);
  EXPECT_EQ(Missing({}, {1}, {}), 0U);
}

TEST(DistinctRepresentativesTest, MovesGroupsInParts) {
  EXPECT_EQ(Missing({3, 2}, {2, 3}, {{0, 1}, {0}}), 0U);
  EXPECT_EQ(Missing({5, 2, 2}, {4, 5}, {{0, 1}, {0}, {0}}), 0U);
  EXPECT_EQ(Missing({5, 2, 3}, {4, 5}, {{0, 1}, {0}, {0}}), 1U);
}

// By Hall's theorem for groups: the worst set of askers lacks what its demand exceeds its things by.
RC_GTEST_PROP(DistinctRepresentativesPropertyTest, MissesAsMuchAsTheWorstSetOfAskers,
              (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const auto askers = static_cast<uint32_t>(1 + random.Below(7));
  const auto things = static_cast<uint32_t>(1 + random.Below(7));
  std::vector<uint32_t> demand;
  std::vector<uint32_t> capacity;
  Lists lists(askers);
  const uint64_t density = 1 + random.Below(5);
  for (uint32_t a = 0; a < askers; ++a) {
    demand.push_back(static_cast<uint32_t>(1 + random.Below(3)));
    for (uint32_t t = 0; t < things; ++t) {
      if (random.Below(6) < density) lists[a].push_back(t);
    }
  }
  for (uint32_t t = 0; t < things; ++t)
    capacity.push_back(static_cast<uint32_t>(1 + random.Below(3)));
  uint32_t worst = 0;
  for (uint32_t set = 0; set < 1U << askers; ++set) {
    uint32_t need = 0;
    uint32_t reached = 0;
    for (uint32_t a = 0; a < askers; ++a) {
      if ((set >> a & 1) == 0) continue;
      need += demand[a];
      for (const uint32_t t : lists[a]) reached |= 1U << t;
    }
    uint32_t have = 0;
    for (uint32_t t = 0; t < things; ++t) have += (reached >> t & 1) != 0 ? capacity[t] : 0;
    if (need > have) worst = std::max(worst, need - have);
  }
  RC_ASSERT(Missing(demand, capacity, lists) == worst);
}

}  // namespace
}  // namespace thicket::distinct_representatives_test
