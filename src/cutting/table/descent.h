// A good cut of a table to begin with: attribute by attribute the best one as long as the others stay as they are.
//
//   const Atoms cells = Atoms::Of(task.table(), items);
//   std::vector<CutAnswer> known = Descend(task, items, cells, parallel);
//   FindBestCuts(problem, {.known = known}, progress);
//
// With all other attributes fixed, the cost of a cut is a sum over the labels of one attribute, so that its best labels follow
// from the leaves up (attribute_bound.h, where everything is final). Begins at the roots, and where something may be
// suppressed also at the leaves, and ends where no attribute can be improved. Of a large table it begins at one of both only,
// and with LM, or where nothing is suppressed, looks at coarse labels only.
// O(cells x depth) for an attribute. Where kinds are few, cells are put into buckets by what they show in the other attributes, so
// that classes are found bucket by bucket in little memory, on all threads, and are known by their counts. The same on any number of threads.
//
// Such an end need not be the best cut: with CM everything may stay at the roots, because nothing is gained before several
// attributes are specialized. DescendAgain() begins at cuts that are drawn, half of them near the best cut so far. It takes as
// long as a few hundred cuts of a search, and is for searches that take longer.
#pragma once

#include <functional>
#include <vector>

#include "base/parallel.h"
#include "cutting/branch_and_bound.h"
#include "cutting/table/atoms.h"
#include "cutting/table/attribute_bound.h"
#include "cutting/table/search_forest.h"

namespace thicket {

// Tables with more cells are large.
inline constexpr size_t kFewCells = 200'000;

// Labels are items of the search's forest. Empty if no valid cut was come by; one answer otherwise.
std::vector<CutAnswer> Descend(const TableTask& task, const SearchForest& items, const Atoms& cells,
                               Parallel& parallel, size_t few_kinds = AttributeBound::kFewKinds,
                               size_t few_cells = kFewCells);

// The best valid cut that was come by, which is `best` itself if no other is better. Ends early if `is_over()`; otherwise the
// same cuts are drawn every time.
CutAnswer DescendAgain(const TableTask& task, const SearchForest& items, const Atoms& cells,
                       Parallel& parallel, CutAnswer best, const std::function<bool()>& is_over);

}  // namespace thicket
