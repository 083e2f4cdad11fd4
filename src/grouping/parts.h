// Groups records part by part: the same method on parts of the data that are much alike, as if each were all there is.
//
// Parts are halves of halves (grouping/neighbourhoods.h) of at most `size` records. Each part is a data set of its own with the same domains,
// so that what a label costs is the same in all of them, and parts are grouped at the same time, each on one thread. Classes that
// come out with equal trees are united afterwards like those of one part (grouping/unite.h).
//
//   const auto group = [&](const EncodedDataset& part, Parallel& parallel, Progress& progress) {
//     return ClusTree(part, options, parallel, progress);
//   };
//   THICKET_ASSIGN(Grouping grouping, GroupByParts(encoded, 4'000, group, parallel, progress));
//
// For a method that takes O(n^2), O(n * size).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "grouping/grouping.h"
#include "record/dataset.h"

namespace thicket {

// Some of the records as data of their own, with the same domains; in the order of the list.
EncodedDataset PartOf(const EncodedDataset& data, const std::vector<RecordId>& records);

using GroupPart = std::function<Result<Grouping>(const EncodedDataset& part, Parallel& parallel,
                                                 Progress& progress)>;

Result<Grouping> GroupByParts(const EncodedDataset& data, size_t size, const GroupPart& group,
                              Parallel& parallel, Progress& progress);

}  // namespace thicket
