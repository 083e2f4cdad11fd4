// A cut of sets that keeps KL(m,n)-privacy for large m and n, in rounds: mOG (Section 4.4.2 of Liu 2010).
//
// Rounds (1, 0) to (m, 0), then (m, 1) to (m, n): each finds the cheapest cut above the one of the round before, where
// only few items are left for large itemsets. The answer is valid, and may cost more than the best one.
//
//   SetAnswer answer = FindCutInRounds(sets, promise, {}, parallel, progress);
#pragma once

#include "base/parallel.h"
#include "base/progress.h"
#include "cutting/sets/og.h"

namespace thicket {

// `limit_s` is for all rounds together: what is left of it is for the next round, and a round that has none takes a
// cut that is valid.
SetAnswer FindCutInRounds(const ItemSets& sets, const SetPromise& promise, const OgOptions& options,
                          Parallel& parallel, Progress& progress);

}  // namespace thicket
