// Records that are near each other: one that is drawn, and those that have most in common with it.
//
//   const std::vector<RecordId> records = NearSample(data, 4'000);
//
// How near two records are is told by their labels, counted as if parents did not matter. O(vertices); a function of the data and the
// number alone.
#pragma once

#include <cstddef>
#include <vector>

#include "record/dataset.h"

namespace thicket {

// Ascending; all records where there are no more than `count`.
std::vector<RecordId> NearSample(const EncodedDataset& data, size_t count);

}  // namespace thicket
