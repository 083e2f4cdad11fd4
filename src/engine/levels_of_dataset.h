// The levels of data that is read, for the files of engine/ only; engine/levels.h says what they are.
#pragma once

#include "base/result.h"
#include "engine/levels.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

// kData where a value has no level.
Result<LevelsReport> DescribeLevels(const Policy& policy, const Dataset& data);

}  // namespace thicket
