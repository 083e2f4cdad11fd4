// A bit per record, or shape of records, of a list.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thicket {

using Bitmap = std::vector<uint64_t>;

inline void Intersect(Bitmap& bits, const Bitmap& other) {
  for (size_t i = 0; i < bits.size(); ++i) bits[i] &= other[i];
}
inline void Remove(Bitmap& bits, const Bitmap& other) {
  for (size_t i = 0; i < bits.size(); ++i) bits[i] &= ~other[i];
}
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
