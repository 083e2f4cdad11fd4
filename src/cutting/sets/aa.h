// A cut of sets that keeps k^m-anonymity, by the Apriori anonymization of Terrovitis et al. 2008: AA, the rival of OG in Section 4.5
// of Liu 2010.
//
//   const AaAnswer answer = FindAprioriCut(sets, promise, {.limit_s = 60}, progress);
//   if (!answer.is_feasible) ...                  // not even the roots may be shown
//   Publish(answer.cut);
//
// From the leaves up, by size: combinations of one label that too few records have, then of two, up to m. Each is mended when it is
// found: of all ways to show its labels more generally the cheapest is taken that makes enough records have it, and holds for
// everybody. A combination that stays rare whatever is done ends at the roots. Once all combinations of a size are frequent they remain so, however
// the cut is raised, so what comes out keeps the promise for all sizes up to m. Nothing is proven of what it costs.
//
// Neither the thesis nor the AA paper's idea fixes everything, and what is left open matters: the order in which combinations are met alone
// moves NCP by a factor of two. Here labels are followed by descending support, as in a tree of counts, and the cheapest way is by the increase
// of the database's NCP, which is what all methods for sets are compared by.
//
// Only k and m of the promise: l = 1 and n = 0.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "cutting/sets/item_sets.h"
#include "cutting/sets/set_goal.h"

namespace thicket {

struct AaOptions {
  // After so many seconds the roots are shown: from below nothing is valid before the end.
  std::optional<double> limit_s = std::nullopt;
};

struct AaAnswer {
  // Whether the roots, and with them some cut, keep the promise.
  bool is_feasible = false;
  // Ascending; items of the database's forest.
  std::vector<Item> cut = {};
  // Whether the limit of time ended the search.
  bool stopped_early = false;
  // Rare combinations that were mended, and combinations that were counted.
  uint64_t threats = 0;
  uint64_t nodes = 0;
};

// A StopPoint() (base/stop.h) is at each combination.
AaAnswer FindAprioriCut(const ItemSets& sets, const SetPromise& promise, const AaOptions& options,
                        Progress& progress);

}  // namespace thicket
