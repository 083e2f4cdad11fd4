// What it cost that neighbourhoods were looked at instead of everybody: an estimate for the report.
//
// Records that are near each other (grouping/near_sample.h) are grouped twice: as the run grouped all of them, and as a whole, everybody with
// everybody. What the first loses more than the second, as a part of what the second loses, is the estimate. Whom an index would propose to a
// record among all others is mostly in the sample, since the sample is a neighbourhood; records at its border find less company
// than in the run, either way.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "base/result.h"
#include "grouping/grouping.h"
#include "record/dataset.h"

namespace thicket {

// How many records are grouped twice; 0: none, since that would take too long beside the run. `neighbourhood` and `parts` as in
// Report::Search.
size_t NeighbourhoodSample(size_t records, size_t neighbourhood, size_t parts);

using GroupData = std::function<Result<Grouping>(const EncodedDataset& data)>;

// Nothing where the sample as a whole loses nothing, or nobody in it could be published. Fails only where the user stops the run.
Result<std::optional<double>> NeighbourhoodCost(const EncodedDataset& data, size_t sample,
                                                const GroupData& nearby, const GroupData& whole);

}  // namespace thicket
