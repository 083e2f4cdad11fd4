// The policy's search for the best cut of a table, run: from the words of the policy to a table with thresholds, and from
// the cut that was found to what is published and what the report says.
#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/method_result.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

enum class TableSearch { kLplus, kIncognito, kAnnealing };

// k-anonymity, l-diversity and l+-diversity of single vertices. Who of equal records is left out, and which of `top_h` cuts
// is published, is drawn from `random_seed`. kPromise if no cut keeps the promise, or nobody would be left; kUsage if the
// policy has a threshold for a value that never occurs; kData if a sensitive value is written as suppressed ones are.
Result<MethodResult> RunTableSearch(const Policy& policy, TableSearch search, uint64_t random_seed,
                                    const EncodedDataset& data, Parallel& parallel,
                                    Progress& progress);

}  // namespace thicket
