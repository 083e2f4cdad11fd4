// Whether an array that somebody handed over is one of its type, so that reading it stays inside its buffers.
//
//   THICKET_TRY(CheckArrow(type, chunk, "students"));
//   ArrowColumn(type, chunk).Value(row, scratch);          // any row of the chunk
//
// The C data interface says how many buffers, children and rows there are, and nothing of how long a buffer is. All that can be told
// apart from that is: lengths and offsets that are not negative, the right number of buffers, children that reach as far as what
// stands above them, offsets that do not go back and end within the elements, views within the buffers that are named (whose lengths
// the interface does say), numbers of values within their dictionary, a map of nulls where there are nulls. That buffers are as long as
// the rows and the last offset say is up to who made them. Whether texts are UTF-8 and times are of a day is seen when they are read.
//
// The error is kData with the path of the column. O(rows) for texts, lists and dictionaries, O(1) for other columns.
#pragma once

#include <string>

#include "base/arrow_abi.h"
#include "base/result.h"
#include "io/arrow/arrow_type.h"

namespace thicket {

Status CheckArrow(const ArrowType& type, const ArrowArray& array, const std::string& source);

}  // namespace thicket
