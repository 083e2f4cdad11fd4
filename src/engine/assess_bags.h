// What `evaluate` does for bags: a part of engine/assess.cc.
#pragma once

#include <optional>
#include <span>

#include "base/progress.h"
#include "base/result.h"
#include "engine/assess.h"
#include "engine/content.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

// Whether the metrics fit the records: those of bags need bags, and bags need those; `linked`: whether it is known
// whose bag is whose. A kUsage error says which do.
Status CheckBagMetrics(const Policy& policy, const EvaluateOptions& options, bool linked);

// bLM, terms and closed patterns, as far as they are asked for. `original_of`: by published bag, for bLM only.
Status MeasureBags(const LoadedPolicy::Content& content, const EncodedDataset& original,
                   const Dataset& published,
                   const std::optional<std::span<const RecordId>>& original_of,
                   const EvaluateOptions& options, Progress& progress, EvaluateReport& report);

}  // namespace thicket
