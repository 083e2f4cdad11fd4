#include "verify/bag_pairing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/random.h"

namespace thicket::bag_pairing_test {
namespace {

TEST(BagPairingTest, TakesTheCheapestOfTheFullPairings) {
  BagPairing pairing;
  const uint32_t a = pairing.AddLabel(1);
  const uint32_t b = pairing.AddLabel(1);
  const uint32_t x = pairing.AddTerm(1);
  const uint32_t y = pairing.AddTerm(1);
  pairing.Allow(a, x, 0);
  pairing.Allow(a, y, 5);
  pairing.Allow(b, x, 1);
  EXPECT_EQ(pairing.Solve(), 0U);
  uint64_t cost = 0;
  pairing.ForEachPair([&](uint64_t count, uint64_t each) { cost += count * each; });
  EXPECT_EQ(cost, 6U);
}

TEST(BagPairingTest, CountsLabelsWithoutAPartner) {
  BagPairing pairing;
  const uint32_t label = pairing.AddLabel(3);
  pairing.Allow(label, pairing.AddTerm(2), 1);
  pairing.AddLabel(1);
  EXPECT_EQ(pairing.Solve(), 2U);
  pairing.Clear();
  EXPECT_EQ(pairing.Solve(), 0U);
}

// Of all ways to give each unit a term, or none: the most units, then the least cost.
struct Best {
  size_t paired = 0;
  uint64_t cost = 0;
};

void TryAll(const std::vector<std::vector<std::optional<uint64_t>>>& costs,
            const std::vector<size_t>& units, size_t unit, std::vector<uint64_t>& left, Best now,
            Best& best) {
  if (unit == units.size()) {
    if (now.paired > best.paired || (now.paired == best.paired && now.cost < best.cost)) best = now;
    return;
  }
  TryAll(costs, units, unit + 1, left, now, best);
  for (size_t term = 0; term < left.size(); ++term) {
    const auto& cost = costs[units[unit]][term];
    if (left[term] == 0 || !cost) continue;
    --left[term];
    TryAll(costs, units, unit + 1, left, {now.paired + 1, now.cost + *cost}, best);
    ++left[term];
  }
}

RC_GTEST_PROP(BagPairingPropertyTest, AgreesWithTryingEverything, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  BagPairing pairing;
  // The object is used for one bag after another.
  for (int round = 0; round < 3; ++round) {
    pairing.Clear();
    std::vector<size_t> units;
    std::vector<uint64_t> left;
    const size_t labels = random.Below(4);
    const size_t terms = random.Below(4);
    for (size_t i = 0; i < labels; ++i) {
      const uint64_t count = 1 + random.Below(2);
      pairing.AddLabel(count);
      units.insert(units.end(), count, i);
    }
    for (size_t i = 0; i < terms; ++i) {
      left.push_back(1 + random.Below(2));
      pairing.AddTerm(left.back());
    }
    std::vector<std::vector<std::optional<uint64_t>>> costs(
        labels, std::vector<std::optional<uint64_t>>(terms));
    for (uint32_t label = 0; label < labels; ++label) {
      for (uint32_t term = 0; term < terms; ++term) {
        if (random.Below(3) == 0) continue;
        costs[label][term] = random.Below(6);
        pairing.Allow(label, term, *costs[label][term]);
      }
    }
    Best best;
    TryAll(costs, units, 0, left, {}, best);
    RC_ASSERT(pairing.Solve() == units.size() - best.paired);
    uint64_t cost = 0;
    pairing.ForEachPair([&](uint64_t count, uint64_t each) { cost += count * each; });
    RC_ASSERT(cost == best.cost);
  }
}

}  // namespace
}  // namespace thicket::bag_pairing_test
