// What becomes of records that no class has room for.
//
//   if (PlaceLeftover(leftovers, model, merger, classes, record) != LeftoverFate::kAbsorbed) suppressed.push_back(record);
#pragma once

#include <vector>

#include "matching/merge.h"
#include "matching/representative.h"
#include "matching/tree_model.h"

namespace thicket {

enum class Leftovers {
  kAbsorb,    // join the class where they cost least, where that keeps the promise
  kSuppress,  // are not published, as in the papers
};

enum class LeftoverFate {
  kAbsorbed,
  // Some class may take the record, but each would lose at least as much by it as the record has.
  kCostsMore,
  // No class may take the record, or leftovers are suppressed whatever they cost.
  kSuppressed,
};

// Adds the record to the class whose cost then rises least, of equals the first, if by less than what the record weighs.
// Classes that are suppressed whole are passed over. One comparison of trees per class, cut short by the best so far.
LeftoverFate PlaceLeftover(Leftovers how, const TreeModel& model, Merger& merger,
                           std::vector<Representative>& classes, RecordId record);

}  // namespace thicket
