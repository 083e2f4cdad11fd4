// The policy's algorithm, run: one switch from the words of the policy to the options of an algorithm.
#pragma once

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/thicket.h"
#include "grouping/grouping.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

Result<Grouping> RunMethod(const Policy& policy, bool exhaustive, const EncodedDataset& data,
                           Parallel& parallel, Progress& progress);

// The name and the parameters that matter for it.
Report::Method DescribeMethod(const MethodPolicy& method);

}  // namespace thicket
