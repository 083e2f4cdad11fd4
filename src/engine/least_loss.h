// What the report gives as utility.at_least: a loss that no grouping with the same promise is below (grouping/loss_bound.h).
#pragma once

#include <optional>

#include "base/parallel.h"
#include "policy/policy.h"
#include "record/dataset.h"
#include "record/publication.h"

namespace thicket {

// Nothing where the data is too large for it: beside the grouping the bound must not take long.
std::optional<double> LeastLoss(const Policy& policy, const EncodedDataset& data,
                                const Publication& published, Parallel& parallel);

}  // namespace thicket
