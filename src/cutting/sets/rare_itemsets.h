// Itemsets that fewer than k records support, of the labels of one cut: whether the cut is valid for k, and if not,
// conflicts that say why.
//
// For k alone nothing but labels of the cut need be known (record_threats.h), and the records that support an itemset
// only become fewer as the itemset grows. So labels are added one by one, rare ones first, to the frequent ones of the
// records that have them, and an itemset is done with once too few records support it. Where more than two labels may
// be added, or absent ones, and few records are left, these are looked at one by one.
//
//   RareItemsets rare(sets, parallel);
//   if (rare.Find(cut, promise, conflicts)) ...        // the cut is not valid, and the conflicts say why
//
// A threat is made as general as can be before its conflict is kept: labels are left out or replaced by their parents
// as long as fewer than k records fit, so that the conflict says something of other cuts, too. Not all threats are
// found, but one if there is any that known conflicts do not cover.
//
// Cuts that are looked at one after the other have most labels in common. Itemsets whose labels were all looked at
// together are not looked at again: if they are threats, conflicts cover them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "cutting/sets/conflicts.h"
#include "cutting/sets/item_sets.h"
#include "cutting/sets/set_goal.h"

namespace thicket {

class RareItemsets {
 public:
  // Both must outlive this.
  RareItemsets(const ItemSets& sets, Parallel& parallel)
      : sets_(&sets), parallel_(&parallel), is_done_(sets.forest().size(), false) {}

  // Whether conflicts were found; the cut avoids those that are known. There are at least k records. The same
  // conflicts on any number of threads. A StopPoint() is at each itemset. With `in_haste` a few conflicts are enough.
  bool Find(std::span<const Item> cut, const SetPromise& promise, Conflicts& conflicts,
            bool in_haste = false);
  // The same, without looking for more than one conflict.
  bool FindAny(std::span<const Item> cut, const SetPromise& promise);

  // Itemsets that were looked at; threats whose conflicts were kept.
  uint64_t nodes() const { return nodes_; }
  uint64_t threats() const { return threats_; }

 private:
  const ItemSets* sets_;
  Parallel* parallel_;
  // By item: conflicts that cover all threats of such labels alone are known, for this promise.
  std::vector<bool> is_done_;
  SetPromise done_for_ = {};
  uint64_t nodes_ = 0;
  uint64_t threats_ = 0;
};

}  // namespace thicket
