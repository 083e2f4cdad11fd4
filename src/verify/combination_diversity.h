// Whether sensitive values are diverse among the records that support a combination, for every combination.
//
//   CombinationFindings found = CheckCombinationDiversity(trees, {.l = 2, .m = 3, .n = 2}, parallel);   // with secrets
//
// Of the records that support a combination at most 1/l may have any one bucket of a sensitive attribute, wherever it stands
// in them. Diversity is not monotone, so every combination that is supported is looked at, and knowing nothing as well. Depth
// first over names in ascending order, with the list of supporting trees: O(sum over combinations of their support), times
// the values of a record. With negative facts lists are as long as the data, so that is for small data.
//
// What must hold: combinations.h. Section III-F of Gkountouna et al. 2013.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/parallel.h"
#include "verify/combination_findings.h"
#include "verify/label_trees.h"

namespace thicket {

struct DiversityQuestion {
  uint64_t l = 2;
  size_t m = 1;
  size_t n = 0;
  bool negative = false;
};

double DiversitySteps(const LabelTrees& trees, const DiversityQuestion& question);

CombinationFindings CheckCombinationDiversity(const LabelTrees& trees,
                                              const DiversityQuestion& question,
                                              Parallel& parallel);

}  // namespace thicket
