// A bit per record, or shape of records, of a list.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thicket {

using Bitmap = std::vector<uint64_t>;

// All of one length.
void Intersect(Bitmap& bits, const Bitmap& other);
void Remove(Bitmap& bits, const Bitmap& other);
// How many bits are in both.
size_t CountCommon(const Bitmap& bits, const Bitmap& other);
// Whether some bit is.
bool HaveCommon(const Bitmap& bits, const Bitmap& other);
// The bits that are in at least `least` of the bitmaps, which are not none; 1 <= least <= bitmaps.
Bitmap InAtLeast(const std::vector<const Bitmap*>& bitmaps, size_t least);

inline bool HasBit(const Bitmap& bits, uint32_t at) {
  return (bits[at / 64] >> (at % 64) & 1) != 0;
}
template <typename Use>
void ForEachBit(const Bitmap& bits, const Use& use) {
  for (size_t i = 0; i < bits.size(); ++i) {
    for (uint64_t word = bits[i]; word != 0; word &= word - 1) {
      use(static_cast<uint32_t>(i * 64 + static_cast<size_t>(std::countr_zero(word))));
    }
  }
}
// Keeps the bits of a list, ascending or not; or takes them away.
inline void IntersectList(Bitmap& bits, const std::vector<uint32_t>& list) {
  Bitmap kept(bits.size(), 0);
  for (const uint32_t at : list) kept[at / 64] |= bits[at / 64] & uint64_t{1} << (at % 64);
  bits.swap(kept);
}
inline void RemoveList(Bitmap& bits, const std::vector<uint32_t>& list) {
  for (const uint32_t at : list) bits[at / 64] &= ~(uint64_t{1} << (at % 64));
}

}  // namespace thicket
