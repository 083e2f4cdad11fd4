// ClusTree on very many records: seeds choose among few others that an index proposes, not among all.
//
// As grouping/clustree.h without passes (CToff), with two differences. Whom a seed may take in is proposed by an index of labels
// (grouping/label_scan.h): some dozen records, of which those with the best chances are compared. And many classes grow at the same
// time: each takes its best record that no earlier one has taken.
//
//   NearbyClusTreeOptions options;
//   options.class_size = 3;
//   THICKET_ASSIGN(Grouping grouping, NearbyClusTree(encoded, options, parallel, progress));
//
// Who finds no class is left out here; rounds of refining (grouping/refine.h) find one for most of them.
//
// O(n^2) sums of bits, which take less time than comparing up to some 100,000 records, and O(n * comparisons) comparisons of trees. The
// result is a function of the data and the options alone.
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
  // How many records are proposed to a growing class, and how many of these are compared.
  size_t proposals = 96;
  size_t comparisons = 96;
};

Result<Grouping> NearbyClusTree(const EncodedDataset& data, const NearbyClusTreeOptions& options,
                                Parallel& parallel, Progress& progress);

}  // namespace thicket
