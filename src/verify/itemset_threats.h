// Threats to KL(m,n)-privacy in published sets, straight from Definition 4.4 of Liu 2010: itemsets within an adversary's power
// that some but too few records support, or that tell a sensitive item too surely.
//
// An itemset has up to m groups that are there and groups that are not, which have up to n leaves of the taxonomy together. A
// record supports x+ if it shows a label at or below x, and x- if it shows none. Groups are published labels and what is
// above them; the empty itemset is none.
//
//   const ItemsetThreats found = FindRareItemsets(sets, k, {m, n}, parallel);
//   const ItemsetThreats told = FindTellingItemsets(sets, l, {m, n}, k, parallel);
//   found.threats.front().support;
//
// What is skipped, and why no threat is among it. TS(X) is who supports X; labels are a cut, none stands above another.
//   1. x- of a group above the labels: the labels below x, all absent, have the same TS, and together no more leaves.
//   2. x+ of a group above the labels, where k alone is asked: let r support X. r shows a label y at or below x, and X with y
//      for x has a TS within TS(X) that still holds r: as rare, and not above the same power. So x is skipped. Not so for
//      sensitive items, where the group of two harmless labels may tell: groups count there, unless they hold what one group below
//      them holds.
//   3. An item that everybody in TS(X) has already (or lacks, for x-), whatever is added to X later: without the item the
//      TS is the same and the power less. Where nothing is left without it, TS is everybody: {x-} of something that nobody
//      has is counted once.
//   4. Rare itemsets. Records that no allowed knowledge tells from a record r: those that show all labels of r, and beyond them
//      only labels with more than n leaves. They support whatever r supports. So if they are k or more, nothing that r
//      supports is rare, and if all of TS(X) is so, nothing above X is. If every class of equal records has k, that is all.
//   5. Telling itemsets, where no itemset is rare: a threat has at least k records, so more than k / l have the sensitive item. An
//      X of which fewer have it, for every item, has no threat above it. And TS is a union of classes of equal records: where
//      none of these has a sensitive item in more than 1/l, their union has not.
//   6. Absent labels are added last. Those that can still be afforded take at most so many records away (the best ones for
//      their leaves, as if these could be shared out); and those who show no such label stay. If k or more are left in any case,
//      no rare itemset follows; and a telling one needs that more go than W - l w, where w of W records have the item.
//
// Each itemset that is not skipped is counted in the list of classes that support it. With k alone, n = 0 and m at least as large as
// the largest set, 4 decides everything. Otherwise the time is that of the combinations that occur, as for any count of them;
// every one of them has a StopPoint().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "verify/published_sets.h"

namespace thicket {

struct ItemsetPower {
  size_t m = 0;
  uint64_t n = 0;
};

struct ItemsetThreat {
  // Groups of PublishedSets, ascending.
  std::vector<uint32_t> there;
  std::vector<uint32_t> absent;
  uint64_t support = 0;
  // Telling: which sensitive item, and how many have it.
  uint32_t item = 0;
  uint64_t most = 0;

  // Whether a class of records supports it.
  bool HoldsIn(const PublishedSets& sets, size_t row) const;
};

struct ItemsetThreats {
  // Small ones first, at most kShown.
  std::vector<ItemsetThreat> threats;
  // How many were met: below the first few of a kind the search does not go on.
  uint64_t met = 0;
  // Itemsets that were counted.
  uint64_t counted = 0;

  static constexpr size_t kShown = 20;
};

// Labels must be a cut.
ItemsetThreats FindRareItemsets(const PublishedSets& sets, uint64_t k, const ItemsetPower& power,
                                Parallel& parallel);
// `k`: what FindRareItemsets has found to hold; 1 where nothing was asked of it.
ItemsetThreats FindTellingItemsets(const PublishedSets& sets, uint64_t l, const ItemsetPower& power,
                                   uint64_t k, Parallel& parallel);

}  // namespace thicket
