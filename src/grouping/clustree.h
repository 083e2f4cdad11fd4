// ClusTree: classes of look-alikes, grown one record at a time around a seed (Ozalp et al. 2016, section 5.3).
//
// A cluster begins with the first record that is left and takes in the record that costs least until it has the size that
// the promise needs. A cluster that costs more than mean + chi * deviation of those accepted so far is given up; chi
// grows by s with each pass over the records that are left, and is without limit once it reaches m. CToff is the same
// without that check.
//
//   ClusTreeOptions options;
//   options.class_size = 3;
//   options.rule.l = 3;
//   THICKET_ASSIGN(Grouping grouping, ClusTree(encoded, options, parallel, progress));
//
// Departures from the paper, all of which leave the promise untouched:
//  - Costs are counted in whole units and may be weighted (matching/merge.h).
//  - Weighted, a record is never taken into a cluster whose root it may not join; a seed that no record may join is set
//    aside with the leftovers, as soon as no limit on the cost stands in the way of knowing it. (Faithfully, both would
//    be suppressed whole, and with them the cluster.)
//  - A seed that failed in an earlier pass is rebuilt from what it had found as far as those records are still there,
//    searches look somewhat beyond the limit of their pass and remember what they find, and a cluster is given up before
//    it is complete when its cost has passed the limit. The result is the same.
//  - Leftovers may be absorbed by the class where they cost least, if that costs less than suppressing them.
//
// O(passes * n^2) comparisons of trees, most of which the search prunes.
#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "grouping/grouping.h"
#include "record/dataset.h"

namespace thicket {

struct ClusTreeOptions {
  // How many records a class needs at least: max(k, l).
  int class_size = 2;
  DiversityRule rule;
  MergeOptions merge;
  // Off is CToff: every cluster is accepted as it comes.
  bool passes = true;
  double s = 0.5;
  double m = 4;
  Leftovers leftovers = Leftovers::kAbsorb;
  // Compares every record, and starts every attempt from scratch: slow, for tests and benchmarks.
  bool exhaustive = false;
};

Result<Grouping> ClusTree(const EncodedDataset& data, const ClusTreeOptions& options,
                          Parallel& parallel, Progress& progress);

}  // namespace thicket
