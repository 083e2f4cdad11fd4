// MLevCluTree: classes of look-alikes under (alpha_lev^h, k)-anonymity (Wang et al. 2018, section 4, Algorithm 2).
//
// A class begins with a random record. All records that are left are ordered by what it costs to merge them with it, the
// first `candidates` of them are the candidates, and the one that costs least joins until the class has its size. Which
// vertices may stand together is the rule's business (privacy/diversity.h), how children are paired that of
// matching/merge.h: greedily, as in Algorithm 1.
//
//   MLevCluTreeOptions options;
//   options.class_size = 10;
//   options.rule.alpha = {0.8, 0.6, 0.4, 0.2, 0.1};
//   THICKET_ASSIGN(Grouping grouping, MLevCluTree(encoded, options, parallel, progress));
//
// The buckets of the data must be levels (privacy/levels_of_data.h).
//
// Departures from the paper, all of which leave the promise untouched:
//  - Costs are counted in whole units and may be weighted (matching/merge.h). Of equals the first record is taken.
//  - Children are paired class by class, the smaller side's in turn, the class's where both have as many. Vertices of a
//    level that k leaves no room for are taken out of the seed before, so that they do not use up a partner. (The paper
//    would suppress the partner with them.)
//  - A record whose root may not stand in the class is no candidate; where no candidate is left, the next ones in the order
//    are. A seed that too few records may join is set aside with the leftovers. (The paper would suppress the roots, and
//    with them the class.)
//  - Leftovers may be absorbed by the class where they cost least, if that costs less than suppressing them.
//
// A random record is the n-th of those that are left, with n from base/random.h: the same random_seed gives the same classes.
//
// O(n^2 / k) comparisons of trees at most; bounds spare most of them (grouping/nearest_first.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "grouping/grouping.h"
#include "record/dataset.h"

namespace thicket {

struct MLevCluTreeOptions {
  // How many records a class has at least: k.
  int class_size = 2;
  DiversityRule rule;
  // How many of the records nearest to a seed may join it.
  size_t candidates = 50;
  MergeOptions merge = {.mapping = Mapping::kGreedy, .cost = MergeCost::kWeighted};
  Leftovers leftovers = Leftovers::kAbsorb;
  // Chooses the records that classes begin with.
  uint64_t random_seed = 1;
  // Compares a seed with everybody, without bounds: slow, with the same result.
  bool exhaustive = false;
};

Result<Grouping> MLevCluTree(const EncodedDataset& data, const MLevCluTreeOptions& options,
                             Parallel& parallel, Progress& progress);

}  // namespace thicket
