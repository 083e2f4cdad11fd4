// Levels of sensitivity as a table: for code that counts them, however they were found.
#pragma once

#include <cstdint>
#include <vector>

namespace thicket {

// By class, sensitive attribute and symbol: the level, 1 to 5; 0 of a value that was suppressed, which nobody knows.
using SymbolLevels = std::vector<std::vector<std::vector<uint32_t>>>;

}  // namespace thicket
