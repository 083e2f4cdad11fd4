// Rows of a table in Arrow's layout as JSON Lines: for what only needs to look at data.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "io/arrow/arrow_table.h"

namespace thicket {

// The first `most` rows, one object per line. What is null or cannot be read (binary data) is left out of its object. `source` is what
// messages call the table.
Result<std::string> ArrowAsJson(const ArrowTable& table, uint64_t most, const std::string& source);

}  // namespace thicket
