// How sensitive the published values of an attribute are: their levels, 1 to 5, by the policy and the values alone.
//
// The same definition (Wang et al. 2018, section 3.3) that privacy/levels.h follows, read another way: there memberships
// of fuzzy sets are compared, here the points where neighbouring sets meet divide the range. With the range as 0 to 1 they
// are 2/9, 5/12, 7/12 and 7/9, which is Table 2: 0.89, 1.67, 2.33 and 3.11 of 4.
//
// A value on such a point is of the more sensitive level, one outside of the range of that at the end, a missing one of
// level 1. Where all numbers (or frequencies) are equal the level is 3.
//
//   Sensitivity found = FindSensitivity(attribute.levels, published, id, slot);
//   found.level[symbol];
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/dataset.h"

namespace thicket {

struct Sensitivity {
  // By symbol.
  std::vector<uint32_t> level;
  // By symbol: no level can be found; `level` is then 5.
  std::vector<bool> none;
};

// Range and frequencies that the policy leaves open are those of the values that the forest shows.
Sensitivity FindSensitivity(const SensitivityLevels& policy, const Dataset& published, ClassId id,
                            size_t slot);

// The same levels for the values of another data set: those that mean the same. A value that `from` does not have has none.
Sensitivity CarryOver(const Sensitivity& found, const Dataset& from, const Dataset& to, ClassId id,
                      size_t slot);

}  // namespace thicket
