// Support of combinations with negative facts: labels that a record does not show, relations that it does not have.
//
//   THICKET_ASSIGN(CombinationFindings found, CountSigned(trees, k, m, n, parallel));   // trees with ancestors
//
// Most records lack most labels, so lists of who lacks what would be as long as the data. Instead the walk over what
// records have (combination_walk.h) counts for every set of names who has all of them; who has some of a set and lacks the
// others follows by inclusion and exclusion over its subsets. Then every set of up to m names is judged, whether any
// record has it or not: O(C(names, m) 3^m) beside the walk, and memory for the sets of fewer than m names.
//
// Facts are kept apart in one way only: a relation names its upper label as present, and one that holds its lower label,
// too; that a label is absent is not said together with a relation to it that does not hold, which follows from it.
//
// Section III-G of Gkountouna et al. 2013, which has nodes "-a" in the trees; here they are never made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/parallel.h"
#include "base/result.h"
#include "verify/combination_findings.h"
#include "verify/label_trees.h"

namespace thicket {

// Facts of a set of names have 64 bits: 7 names have 14, and 42 for their pairs.
inline constexpr size_t kMostSigned = 7;

// What it takes beside the walk.
double SignedSteps(const LabelTrees& trees, size_t m);

// m is at most the number of names, and kMostSigned. kUsage if there is not enough room for the counts.
Result<CombinationFindings> CountSigned(const LabelTrees& trees, uint64_t k, size_t m, size_t n,
                                        Parallel& parallel);

}  // namespace thicket
