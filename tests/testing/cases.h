// How many random cases a test tries that draws them by itself. With a sanitizer each takes several times as long, and the
// build without one has tried them all, so a quarter of them is tried there, as of the cases of properties (scripts/check).
//
//   for (uint64_t seed = 0; seed < Cases(200); ++seed) ...
#pragma once

#include <cstdint>

namespace thicket {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

constexpr uint64_t Cases(uint64_t all) { return kIsSanitized ? (all + 3) / 4 : all; }

}  // namespace thicket
