// A name as SQL wants it, whatever stands in it: Größe "cm" -> "Größe ""cm""".
#pragma once

#include <string>
#include <string_view>

namespace thicket {

inline std::string QuoteSqlName(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace thicket
