// Whether two texts are the same, where that is asked for every value that is read.
//
//   if (SameText(keys[expected].name, name)) ...
//
// As ==, but never a call: in a large source g++ stops to inline basic_string_view::compare(), which then takes as long as all the rest of
// such a look-up.
#pragma once

#include <cstring>
#include <string_view>

namespace thicket {

[[gnu::always_inline]] inline bool SameText(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

}  // namespace thicket
