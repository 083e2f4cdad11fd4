// What a fuzz target says of something that cannot be: it stops there.
#pragma once

#include <cstdlib>

namespace thicket::fuzz {

inline void Check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace thicket::fuzz
