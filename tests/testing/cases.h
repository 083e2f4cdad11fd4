// How many random cases a test tries that draws them by itself. With a sanitizer each takes several times as long, and the
// build without one has tried them all, so a quarter of them is tried there (scripts/check sets THICKET_FEW_CASES), as of the
// cases of properties. The same objects are linked in both builds, so that only the environment can tell.
//
//   for (uint64_t seed = 0; seed < Cases(200); ++seed) ...
#pragma once

#include <cstdint>
#include <cstdlib>

namespace thicket {

inline uint64_t Cases(uint64_t all) {
  static const bool few = std::getenv("THICKET_FEW_CASES") != nullptr;
  return few ? (all + 3) / 4 : all;
}

}  // namespace thicket
