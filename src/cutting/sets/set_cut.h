// What a search for a cut of sets has found, with the proof of how good the cut is, and how much work the search was.
#pragma once

#include <cstdint>

#include "cutting/branch_and_bound.h"

namespace thicket {

struct SetAnswer {
  // Labels are items of the database's forest, costs those of ItemSets::SumCosts. At most one cut. `bound` is proven:
  // no valid cut costs less; the gap as NCP is ItemSets::Ncp(best.Gap()). kInfeasible: not even the cut of the roots
  // is valid. Of mog the proof is about its last round: no cut above that of the round before is better.
  BestCuts best;
  // Of all cuts of the forest; counted, not visited.
  double all_cuts = 0;
  // The counters of Tables 4.4 and 4.5: threats that were materialized, itemsets that were looked at, and cuts (the
  // same as best.examined); of mog the sums over its rounds.
  uint64_t threats = 0;
  uint64_t nodes = 0;
  uint64_t cuts = 0;
  // Rounds of mog; 1 for og.
  uint32_t rounds = 1;
};

}  // namespace thicket
