// Makes k-anonymous classes l-diverse: the second half of dMiRaCle.
//
// Ozalp et al. 2016 (section 6) compare with a MiRaCle for l-diversity, dMiRaCle, without saying how it works. This is the
// obvious one. Classes are formed without regard to sensitive values; then
//
//  1. a class whose root is not diverse takes in the nearest other class, of those that bring it closer to being diverse,
//     until it is. Where no class does, its records are suppressed, and those it had taken in stay as they were;
//  2. in every class, vertices that stand together and are not diverse are suppressed with all that is below them.
//
//   THICKET_ASSIGN(Repaired repaired, RepairDiversity(std::move(classes), {.l = 3}, search, progress));
//
// How far a class of K records is from being diverse is, per sensitive attribute of the root, how often its most frequent
// value stands there times l, less K. A class comes closer with each class that it takes in, so it takes in at most
// l * K of them. O(classes) merges of two classes per class taken in.
#pragma once

#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "grouping/miracle_nearest.h"

namespace thicket {

struct Repaired {
  std::vector<Representative> classes;
  std::vector<RecordId> suppressed;
};

Result<Repaired> RepairDiversity(std::vector<Representative> classes, DiversityRule rule,
                                 ClusterSearch& search, const Progress& progress);

}  // namespace thicket
