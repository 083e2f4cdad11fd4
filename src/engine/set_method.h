// The policy's method for sets, run: from the words of the policy to a database of sets with its promise, and from what was
// found to what is published and what the report says.
//
// A published record is the set of its generalized items: items that become equal are one. Sensitive items stay as they are, and
// an item without a value is left out. Chapter 4 of Liu 2010.
#pragma once

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/method_result.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

enum class SetSearch { kOg, kMog, kAa, kMm, kLg };

// KL(m,n)-privacy, or k^(m,n)-anonymity, of records that are a root with one class of leaves. kPromise if nothing can be
// published; kUsage if a sensitive item of the policy never occurs.
Result<MethodResult> RunSetSearch(const Policy& policy, SetSearch search,
                                  const EncodedDataset& data, Parallel& parallel,
                                  Progress& progress);

}  // namespace thicket
