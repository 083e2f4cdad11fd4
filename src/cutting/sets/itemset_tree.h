// The inverse itemset enumeration tree: every itemset that can be known of a record is come by once, general ones
// before their specializations (Sections 4.3.2 to 4.3.4 of Liu 2010).
//
// Items are ordered by their places, x+ before x-. A child adds an item before all of its parent's, and children are
// looked at in that order, depth first. The transactions of a child are found for all children at once, by one pass
// over the parent's.
//
//   Conflicts conflicts(sets);
//   const TreeCount count = GrowItemsetTree(sets, promise, {}, conflicts);
//   conflicts.Allow(cut);                       // whether the cut is valid
//
// Where the thesis is mended: Pruning III is not for children of the null root (the empty itemset is no threat, so
// Theorem 4.2 has nothing to stand on there). x+ may stand above y-; for n > 0 Theorem 4.1 does not hold of such
// itemsets, so that some threats that are not most general ones are materialized, which changes no answer.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "cutting/sets/conflicts.h"
#include "cutting/sets/item_sets.h"
#include "cutting/sets/og.h"
#include "cutting/sets/set_goal.h"

namespace thicket {

struct TreeCount {
  // Itemsets that were looked at, within the adversary's power and supported; threats that were materialized.
  uint64_t nodes = 0;
  uint64_t threats = 0;
};

// Adds the conflicts of all threats. `on_threat` hears of each as it is materialized, undecorated. A StopPoint() is at
// each node.
TreeCount GrowItemsetTree(const ItemSets& sets, const SetPromise& promise,
                          const SetPrunings& prunings, Conflicts& conflicts,
                          const std::function<void(std::span<const Item>)>& on_threat = {});

}  // namespace thicket
