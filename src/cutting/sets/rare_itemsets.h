// Itemsets that fewer than k records support, of the labels of one cut: whether the cut is valid for k, and if not, conflicts
// that say why.
//
// The database is that of the cut (ItemSets::Generalized): its leaves are the labels. For k alone nothing but labels need be
// known (record_threats.h), and the records that support an itemset only become fewer as it grows. So labels are added one by one, rare ones first,
// to the frequent ones of the records that have them, and an itemset is done with once too few records support it. Where more
// than two labels may be added, or absent ones, and few records are left, these are looked at one by one.
//
//   Conflicts conflicts(general);                    // with what is known
//   RareCount count = FindRareItemsets(general, promise, conflicts, parallel);
//   if (count.threats == 0) ...                      // the cut is valid, as far as k goes
//
// A threat is made as general as can be before its conflict is kept: labels are left out or replaced by their parents as long
// as fewer than k records fit, so that the conflict says something of other cuts, too. Not all threats are found, but one if
// there is any, and none that a known conflict covers.
#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "cutting/sets/conflicts.h"
#include "cutting/sets/item_sets.h"
#include "cutting/sets/set_goal.h"

namespace thicket {

struct RareCount {
  // Itemsets that were looked at; threats whose conflicts were kept.
  uint64_t nodes = 0;
  uint64_t threats = 0;
};

// There are at least k records. The same conflicts on any number of threads. A StopPoint() is at each itemset.
RareCount FindRareItemsets(const ItemSets& general, const SetPromise& promise, Conflicts& conflicts,
                           Parallel& parallel);

}  // namespace thicket
