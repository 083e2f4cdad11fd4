// A good cut of a table to begin with: attribute by attribute the best one as long as the others stay as they are.
//
//   std::vector<CutAnswer> known = Descend(task, items);
//   FindBestCuts(problem, {.known = known}, progress);
//
// With all other attributes fixed, the cost of a cut is a sum over the labels of one attribute, so that its best labels follow
// from the leaves up (attribute_bound.h, where everything is final). Begins at the roots, and where something may be
// suppressed also at the leaves, and ends where no attribute can be improved. O(cells x depth) for an attribute.
#pragma once

#include <vector>

#include "cutting/branch_and_bound.h"
#include "cutting/table/atoms.h"
#include "cutting/table/attribute_bound.h"
#include "cutting/table/search_forest.h"

namespace thicket {

// Labels are items of the search's forest. Empty if no valid cut was come by; one answer otherwise.
std::vector<CutAnswer> Descend(const TableTask& task, const SearchForest& items);

}  // namespace thicket
