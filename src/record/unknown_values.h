// Values that do not fit their recoding, where the policy says `unknown: missing`: they count as if they were not there.
//
//   data = LeaveOutUnknown(std::move(data), taxonomies);     // "n/a" under numeric: true is a missing value
//
// Whoever measures, groups or attacks the data sees missing values, and never the texts. verify/ has this for itself.
//
// O(distinct values), and O(vertices) where some do not fit.
#pragma once

#include <vector>

#include "record/dataset.h"

namespace thicket {

// The data with such values missing, and a warning for each attribute that has some.
Dataset LeaveOutUnknown(Dataset data, const TaxonomyFiles& taxonomies);

// Values of a slot that are to be missing: by symbol, where it is true.
struct ValuesToDrop {
  ClassId id = 0;
  size_t slot = 0;
  std::vector<bool> symbols;
};

// The data without these values, neither in its vertices nor in its dictionaries.
Dataset DropValues(Dataset data, const std::vector<ValuesToDrop>& values);

}  // namespace thicket
