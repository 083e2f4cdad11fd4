// What becomes of records that no class has room for.
//
//   if (leftovers == Leftovers::kSuppress || !AbsorbLeftover(model, merger, classes, record)) suppressed.push_back(record);
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

// Adds the record to the class whose cost then rises least, of equals the first, if by less than what the record weighs.
// Classes that are suppressed whole are passed over. One comparison of trees per class, cut short by the best so far.
bool AbsorbLeftover(const TreeModel& model, Merger& merger, std::vector<Representative>& classes,
                    RecordId record);

}  // namespace thicket
