// The methods for bags, run on a data set: from its terms to bags of numbers, and back to what is published.
//
// A class of look-alikes is one tree with the bags that it stands for. For each of these a position has one source, the term
// that stands there; terms without a position are left out.
#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/method_result.h"
#include "policy/policy.h"
#include "record/dataset.h"
#include "taxonomy/semantic_network.h"

namespace thicket {

enum class BagSearch { kSsg, kLg, kLgBag };

// `exhaustive`: the nearest bag is found by looking at all of them. kPromise if there are bags of fewer than k people.
Result<MethodResult> RunBagSearch(const Policy& policy, BagSearch search,
                                  const NetworkFiles& networks, const EncodedDataset& data,
                                  bool exhaustive, Parallel& parallel, Progress& progress);

}  // namespace thicket
