// What `attack` does for bags: a part of engine/assess.cc.
#pragma once

#include <optional>
#include <span>

#include "base/progress.h"
#include "base/result.h"
#include "engine/assess.h"
#include "engine/content.h"
#include "record/dataset.h"

namespace thicket {

// Whether the request fits the records: what is for bags alone, and what is not for bags. `linked`: whether there is a link.
Status CheckBagAttack(const Policy& policy, const AttackRequest& request, bool linked);

// The adversary who knows all terms of a bag, and, if asked for, the one who knows some of them. `original_of`: by published bag.
Status PlayOnBags(const LoadedPolicy::Content& content, const EncodedDataset& original,
                  const Dataset& published,
                  const std::optional<std::span<const RecordId>>& original_of,
                  const AttackRequest& request, Progress& progress, AttackSummary& summary);

}  // namespace thicket
