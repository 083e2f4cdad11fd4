// Records that are equal begin as one class: nothing is lost by that.
//
// Only of single vertices, where equal labels are all there is to see, and where no sensitive values have to be diverse.
//
//   for (const std::vector<RecordId>& records : EqualRecords(model, class_size)) ...
//
// Every record is in one list, and a list has less than twice `class_size` records. O(n log n).
#pragma once

#include <vector>

#include "matching/tree_model.h"

namespace thicket {

std::vector<std::vector<RecordId>> EqualRecords(const TreeModel& model, int class_size);

}  // namespace thicket
