// The levels of sensitivity of a data set's values, as its policy says (Wang et al. 2018, section 3.3).
//
// An attribute gets them from the size of its numbers, from how often its values occur (a rare one is sensitive), or from
// the policy outright. A missing value tells nothing about a person: its level is 1.
//
//   THICKET_ASSIGN(AttributeLevels levels, ReadLevels(data, id, attribute));
//   THICKET_TRY(ApplyLevels(encoded));   // from now on the buckets of sensitive attributes are levels
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "privacy/levels.h"
#include "record/dataset.h"

namespace thicket {

struct AttributeLevels {
  // By symbol: 1 to 5.
  std::vector<uint32_t> level_of_symbol;
  // By symbol: how many vertices have the value.
  std::vector<uint64_t> count_of_symbol;
  // The fuzzy sets, over the numbers or over the frequencies; absent where the policy gives the levels.
  std::optional<FuzzyLevels> sets;
};

// kData where a value is no number, or in none of the given levels: the message says where and how many. kUsage where the
// attribute has no levels.
Result<AttributeLevels> ReadLevels(const Dataset& data, ClassId id, size_t attribute);

// Turns the buckets of every sensitive attribute into levels.
Status ApplyLevels(EncodedDataset& data);

}  // namespace thicket
