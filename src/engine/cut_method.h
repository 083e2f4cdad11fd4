// The policy's search for a cut, run: from the words of the policy to recoded records, and what was found in words again.
#pragma once

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "cutting/kmn/cut_search.h"
#include "engine/method_result.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

// k^(m,n)-anonymity by GCS, ACS or OCS. kPromise if no cut keeps the promise. `exhaustive`: see RunOptions.
Result<MethodResult> RunKmnSearch(const Policy& policy, CutMethod method, bool exhaustive,
                                  const EncodedDataset& data, Parallel& parallel,
                                  Progress& progress);

}  // namespace thicket
