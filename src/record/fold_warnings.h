// Where a data set writes the same sensitive value in different ways, for whoever should know that they count as one.
//
//   for (const Warning& warning : FoldWarnings(data)) ...
//   // "courses.grade: 5 texts mean only 3 values, and count as those (...)"
//
// Attributes with buckets are left out: there many numbers are one bucket anyway. O(vertices + distinct texts).
#pragma once

#include <vector>

#include "record/dataset.h"

namespace thicket {

// One warning per attribute, by what the forest shows. Sensitive values must still be symbols of their dictionaries.
std::vector<Warning> FoldWarnings(const Dataset& data);

}  // namespace thicket
