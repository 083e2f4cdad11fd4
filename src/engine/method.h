// The policy's algorithm, run: one switch from the words of the policy to the options of an algorithm.
#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/thicket.h"
#include "grouping/grouping.h"
#include "policy/policy.h"
#include "privacy/diversity.h"
#include "record/dataset.h"

namespace thicket {

// What must hold among the vertices of a class that stand together.
DiversityRule RuleOf(const PrivacyPolicy& privacy);

// What the policy does not say.
struct MethodOptions {
  // See RunOptions.
  bool exhaustive = false;
  // For methods that draw records at random (mlevclutree).
  uint64_t random_seed = 1;
};

Result<Grouping> RunMethod(const Policy& policy, const MethodOptions& options,
                           const EncodedDataset& data, Parallel& parallel, Progress& progress);

// The name and the parameters that matter for it.
Report::Method DescribeMethod(const MethodPolicy& method);

}  // namespace thicket
