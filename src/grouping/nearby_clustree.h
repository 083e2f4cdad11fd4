// ClusTree on very many records: seeds choose among few others that an index proposes, not among all (grouping/nearby_search.h).
//
// Without passes (CToff) as grouping/clustree.h, but that many classes grow at the same time: each takes its best record that no earlier
// one has taken.
//
// With passes the cheapest class comes first. ClusTree gives up a class that costs much more than others, and tries it again with a
// higher limit, pass after pass; here the limit rises in many small steps. Every record is a seed and looks for whom it would take in;
// of all seeds the twentieth that will probably cost least goes on: complete classes are accepted, the cheapest first, as far as nobody
// of theirs is taken, and those that are not complete look for their next record. So who is taken early by another never has to
// look far. What a class of two or three will cost in the end is foretold by what others cost then and in the end. A seed
// remembers the best few of each look, so that most of what is taken away costs it no look.
//
//   NearbyClusTreeOptions options;
//   options.class_size = 3;
//   THICKET_ASSIGN(Grouping grouping, NearbyClusTree(encoded, options, parallel, progress));
//
// Who finds no class is left out here; rounds of refining (grouping/refine.h) find one for most of them.
//
// O(n^2) sums of bits, which take less time than comparing up to some 100,000 records, and O(n * comparisons) comparisons of trees:
// of students in classes of three, 0.7 looks for each record without passes, and 2.2 with passes. The result is a function of the data
// and the options alone.
#pragma once

#include <cstddef>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "grouping/grouping.h"
#include "record/dataset.h"

namespace thicket {

struct NearbyClusTreeOptions {
  // How many records a class has.
  int class_size = 2;
  DiversityRule rule;
  MergeOptions merge;
  // Off is CToff: every class is accepted as it comes.
  bool passes = true;
  // How many records are proposed to a growing class, and how many of these are compared.
  size_t proposals = 96;
  size_t comparisons = 96;
  // How many of these are remembered for when the best one is gone.
  size_t remembered = 4;
  // Compares whom bounds would leave out: slow, for tests.
  bool exhaustive = false;
};

Result<Grouping> NearbyClusTree(const EncodedDataset& data, const NearbyClusTreeOptions& options,
                                Parallel& parallel, Progress& progress);

}  // namespace thicket
