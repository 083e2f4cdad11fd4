// The cheapest cut of sets that keeps a promise, with threats looked for near the best cuts only.
//
// A cut that is cheapest as far as known conflicts go is proposed, and what would be published of it is searched for
// threats. If there are any, their conflicts are kept, and a cut is proposed again; if there are none, the cut is
// valid, and since no cut that avoids some of the conflicts is cheaper, it is a cheapest one. The cost of what was
// proposed is a bound all the time.
//
// Small itemsets first: proposals are searched for single items until nothing is found, then for pairs, and so on.
// What small itemsets forbid need not be found in large ones, of which there are many more.
//
//   SetAnswer answer = SearchSets(sets, SteppedLevelsOf(promise), options, parallel, progress);
//
// Departs from Section 4.2.4 of Liu 2010, which materializes all threats before cuts are searched.
#pragma once

#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "cutting/sets/item_sets.h"
#include "cutting/sets/og.h"
#include "cutting/sets/set_cut.h"
#include "cutting/sets/set_goal.h"

namespace thicket {

// The promise against those who know less, up to the promise itself: (1, 0) to (m, 0), then (m, 1) to (m, n).
std::vector<SetPromise> LevelsOf(const SetPromise& promise);

// Some of these, fewer and fewer the larger m and n are: the last one is the promise.
std::vector<SetPromise> SteppedLevelsOf(const SetPromise& promise);

// Each level asks for more than the one before; the last one is the promise.
SetAnswer SearchSets(const ItemSets& sets, std::span<const SetPromise> levels,
                     const OgOptions& options, Parallel& parallel, Progress& progress);

// Whether the cut of all leaves is known to be valid. Only asked for k alone; of other promises the answer is no.
bool HoldsAsItIs(const ItemSets& sets, const SetPromise& promise, Parallel& parallel);

}  // namespace thicket
