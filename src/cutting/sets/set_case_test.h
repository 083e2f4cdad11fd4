// Sets of the reference (tests/testing/literal_sets.h) as the search sees them, for tests.
//
//   const SetCase one = DrawSetCase(seed);
//   FindOptimalCut(one.sets, one.promise, ...);
//   one.ToLiteral(labels);
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cutting/sets/item_sets.h"
#include "cutting/sets/set_goal.h"
#include "testing/literal_sets.h"
#include "testing/random_sets.h"

namespace thicket::set_case_test {

// Nodes of the reference's taxonomy are items: a parent has a lower number there, too.
inline ItemSets ToItemSets(const testing::LiteralSetData& data) {
  SetRecords records;
  for (size_t node = 0; node < data.taxonomy.parents.size(); ++node) {
    const int parent = data.taxonomy.parents[node];
    records.parents.push_back(parent == -1 ? 0 : static_cast<Item>(parent));
  }
  for (size_t record = 0; record < data.size(); ++record) {
    std::vector<Item> leaves(data.items[record].begin(), data.items[record].end());
    // In any order, and some twice.
    if (!leaves.empty()) leaves.insert(leaves.begin(), leaves.back());
    const std::vector<uint32_t> sensitive(data.sensitive[record].begin(),
                                          data.sensitive[record].end());
    records.Add(leaves, sensitive);
  }
  return ItemSets(records);
}

inline SetPromise ToPromise(const testing::LiteralPrivacy& privacy) {
  const testing::LiteralFraction share = privacy.most_share;
  return {static_cast<uint64_t>(privacy.k),
          {static_cast<uint64_t>(share.above()), static_cast<uint64_t>(share.below())},
          static_cast<uint32_t>(privacy.m),
          static_cast<uint32_t>(privacy.n)};
}

inline testing::LiteralNodes ToLiteral(std::span<const Item> labels) {
  testing::LiteralNodes nodes;
  for (const Item label : labels) nodes.insert(static_cast<int>(label));
  return nodes;
}

struct SetCase {
  testing::LiteralSets literal;
  ItemSets sets;
  SetPromise promise;

  explicit SetCase(testing::LiteralSets reference)
      : literal(std::move(reference)),
        sets(ToItemSets(literal.sets())),
        promise(ToPromise(literal.privacy())) {}

  // Whether a cost in units is this NCP.
  bool CostIs(ItemSets::Cost cost, testing::LiteralFraction ncp) const {
    const auto all = static_cast<int64_t>(sets.all_occurrences() * sets.all_leaves());
    if (all == 0) return cost == 0;
    return testing::LiteralFraction(static_cast<int64_t>(cost), all) == ncp;
  }
};

inline SetCase DrawSetCase(uint64_t seed, int most_m = 4, int most_n = 4,
                           const testing::RandomSetLimits& limits = {}) {
  Random random = Random::Seeded(seed);
  testing::LiteralSetData data = testing::RandomLiteralSets(random, limits);
  const testing::LiteralPrivacy privacy = testing::RandomLiteralPrivacy(random, most_m, most_n);
  return SetCase(testing::LiteralSets(std::move(data), privacy));
}

}  // namespace thicket::set_case_test
