// Published values that lead to single people, though the promise holds: nothing protects what is kept, and the ends of free
// intervals are values of the original. Where most of them stand in one record only, whoever knows one knows whose it is.
//
//   for (const std::string& warning : SingleValueWarnings(original, published)) ...
//
// O(vertices + distinct values).
#pragma once

#include <string>
#include <vector>

#include "record/dataset.h"

namespace thicket {

// One text for each `numeric` or kept attribute of which over half of the different values that are published are held by one
// original record each. Quotes no value.
std::vector<std::string> SingleValueWarnings(const Dataset& original, const Dataset& published);

}  // namespace thicket
