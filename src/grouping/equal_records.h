// Records that are equal begin as one class: nothing is lost by that.
//
// Only of single vertices, where equal labels are all there is to see. Where values must be diverse, a class is made of as many
// different ones as the promise asks for, the most frequent ones first (as Anatomy does, Xiao and Tao 2006), so that few records
// are left which have equals but no different ones among them.
//
//   for (const std::vector<RecordId>& records : EqualRecords(model, class_size)) ...
//
// Every record is in one list; lists of more than one record keep the promise for what they are, or for a class of `class_size`
// if they are smaller. O(n log n).
#pragma once

#include <vector>

#include "matching/tree_model.h"

namespace thicket {

std::vector<std::vector<RecordId>> EqualRecords(const TreeModel& model, int class_size);

}  // namespace thicket
