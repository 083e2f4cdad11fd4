#include "attack/record_bits.h"

#include <bit>
#include <utility>

#include "base/simd.h"

namespace thicket {

namespace {

THICKET_SIMD void And(uint64_t* bits, const uint64_t* other, size_t words) {
  for (size_t i = 0; i < words; ++i) bits[i] &= other[i];
}

THICKET_SIMD void AndNot(uint64_t* bits, const uint64_t* other, size_t words) {
  for (size_t i = 0; i < words; ++i) bits[i] &= ~other[i];
}

// Adds the bits of `more` that are in `other`, too.
THICKET_SIMD void OrCommon(uint64_t* bits, const uint64_t* more, const uint64_t* other,
                           size_t words) {
  for (size_t i = 0; i < words; ++i) bits[i] |= more[i] & other[i];
}

THICKET_SIMD size_t PopulationOfCommon(const uint64_t* bits, const uint64_t* other, size_t words) {
  size_t count = 0;
  for (size_t i = 0; i < words; ++i)
    count += static_cast<size_t>(std::popcount(bits[i] & other[i]));
  return count;
}

}  // namespace

void Intersect(Bitmap& bits, const Bitmap& other) { And(bits.data(), other.data(), bits.size()); }

void Remove(Bitmap& bits, const Bitmap& other) { AndNot(bits.data(), other.data(), bits.size()); }

size_t CountCommon(const Bitmap& bits, const Bitmap& other) {
  return PopulationOfCommon(bits.data(), other.data(), bits.size());
}

bool HaveCommon(const Bitmap& bits, const Bitmap& other) {
  for (size_t i = 0; i < bits.size(); ++i) {
    if ((bits[i] & other[i]) != 0) return true;
  }
  return false;
}

Bitmap InAtLeast(const std::vector<const Bitmap*>& bitmaps, size_t least) {
  const size_t words = bitmaps.front()->size();
  // By number: the bits that are in at least so many of the bitmaps so far; all are in at least none.
  std::vector<Bitmap> in(least + 1, Bitmap(words, 0));
  in[0].assign(words, ~uint64_t{0});
  for (const Bitmap* const one : bitmaps) {
    for (size_t count = least; count > 0; --count) {
      OrCommon(in[count].data(), in[count - 1].data(), one->data(), words);
    }
  }
  return std::move(in[least]);
}

}  // namespace thicket
