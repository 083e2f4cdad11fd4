// What becomes of records that no class has room for.
//
//   if (!PlaceLeftover(leftovers, model, merger, classes, record)) suppressed.push_back(record);
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "matching/merge.h"
#include "matching/representative.h"
#include "matching/tree_model.h"
#include "record/publication.h"

namespace thicket {

enum class Leftovers {
  kAbsorb,    // join the class where they cost least, where that keeps the promise
  kSuppress,  // are not published, as in the papers
};

// Adds the record to the class whose cost then rises least, of equals the first, if by less than what the record weighs; whether there
// is one. Classes that are suppressed whole are passed over. One comparison of trees per class, cut short by the best so far.
bool PlaceLeftover(Leftovers how, const TreeModel& model, Merger& merger,
                   std::vector<Representative>& classes, RecordId record);

// How many of the suppressed records some class could take in, which keeps the promise, but none without losing as much by it as the
// record has. Nothing if it would take too long to find out: each of them is held against every class.
std::optional<size_t> CountCostlyLeftovers(const EncodedDataset& data, const DiversityRule& rule,
                                           const MergeOptions& merge, const Publication& published);

}  // namespace thicket
