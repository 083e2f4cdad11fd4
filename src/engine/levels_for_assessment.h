// Levels of sensitivity for measuring: of the original's values, and of the same values where they are published.
//
// As the policy says, found with the verifier's code and not with that of the grouping. An attribute without levels in the
// policy gets default ones: by size over the range of the data if all its values are numbers, else by frequency.
//
//   THICKET_ASSIGN(LevelsForAssessment levels, FindLevels(original, published));
//   levels.published[id][attribute][symbol];
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "record/symbol_levels.h"

namespace thicket {

struct LevelsForAssessment {
  SymbolLevels original;
  SymbolLevels published;
  // By class and sensitive attribute.
  struct Source {
    // "size", "frequency" or "given".
    std::string how;
    bool by_default = false;
  };
  std::vector<std::vector<Source>> sources;
};

// kData where a value has no level, or a published value is none of the original.
Result<LevelsForAssessment> FindLevels(const Dataset& original, const Dataset& published);

}  // namespace thicket
