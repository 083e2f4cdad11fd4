// The cheapest cut of sets that keeps KL(m,n)-privacy, with the proof: OG (Algorithm 4.1 of Liu 2010).
//
//   SetAnswer answer = FindOptimalCut(sets, promise, {.limit_s = 60}, parallel, progress);
//   if (answer.best.proof == BestCuts::Proof::kInfeasible) ...     // not even the roots may be shown
//   Publish(answer.best.cuts.front().labels);
//
// Threats are found, and say what no valid cut specializes (conflicts.h); cuts are searched by branch and bound
// (set_problem.h). The thesis does one after the other: all threats in the inverse itemset enumeration tree
// (itemset_tree.h), then cuts. Here both take turns (set_search.h). An answer is valid whatever the limits; without
// limits it is proven to be the cheapest.
#pragma once

#include <cstdint>
#include <optional>

#include "base/parallel.h"
#include "base/progress.h"
#include "cutting/sets/item_sets.h"
#include "cutting/sets/set_cut.h"
#include "cutting/sets/set_goal.h"

namespace thicket {

// The prunings of the inverse itemset enumeration tree (Section 4.3.3). Without them the answer costs the same, and
// more work.
struct SetPrunings {
  bool global = true;   // I: what a threat generalizes is not looked at
  bool local = true;    // II: nor what follows below a threat, and its siblings' below its item
  bool generic = true;  // III: nor below a node that as many records support as its parent
  bool locked = true;   // IV: nor below items that no valid cut specializes
  // Ours: nor what would make a conflict that a known one covers (conflicts.h).
  bool covered = false;
};

struct OgOptions {
  // As in BranchAndBoundOptions.
  double alpha = 0;
  std::optional<double> limit_s = std::nullopt;

  // The thesis's way, for its tables: all threats are found in the inverse itemset enumeration tree before cuts are
  // searched with the thesis's bound. Without it threats are found near the best cuts only, and bounds are higher; the
  // answer costs the same. The limit of time is not kept in the tree.
  bool thesis = false;
  SetPrunings prunings = {};
  // Phase 2 of the thesis (Table 4.5): cost based pruning, ordering by cost, bounds that tighten on the way back,
  // taxonomy reduction. Only with `thesis`.
  bool by_cost = true;
  bool by_weight = true;
  bool tighten = true;
  bool reduce = true;
};

// A StopPoint() (base/stop.h) is at each cut and in the search for threats. The same answer on any number of threads,
// unless a limit of time ends the search.
SetAnswer FindOptimalCut(const ItemSets& sets, const SetPromise& promise, const OgOptions& options,
                         Parallel& parallel, Progress& progress);

}  // namespace thicket
