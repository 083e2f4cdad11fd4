// How a field of a CSV file is written.
#pragma once

#include <string>
#include <string_view>

namespace thicket {

// Quotes wherever the field could be taken for something else, also by a reader that has yet to find the delimiter.
void AppendCsvField(std::string_view text, char delimiter, std::string& out);

}  // namespace thicket
