// A set of shapes that gets smaller and smaller: the words of a bitmap that are not empty.
//
//   Narrow(from, {set.words.data(), 0}, narrowed);                 // the shapes of `from` that are in `set`, too
//   CountRecords(narrowed, k, weights, [](const ShapeWord& word) { return word.bits; });
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thicket {

// 64 shapes, from 64 * `at` on.
struct ShapeWord {
  uint64_t bits;
  uint32_t at;
};

// A set as a whole bitmap; or with all bits of `flip` set, everything that is not in the set.
struct ShapeOperand {
  const uint64_t* words;
  uint64_t flip;

  uint64_t Of(const ShapeWord& word) const { return word.bits & (words[word.at] ^ flip); }
};

inline void Narrow(const std::vector<ShapeWord>& from, const ShapeOperand& also_in,
                   std::vector<ShapeWord>& narrowed) {
  narrowed.resize(from.size());
  size_t count = 0;
  for (const ShapeWord& word : from) {
    const uint64_t bits = also_in.Of(word);
    narrowed[count] = {bits, word.at};
    count += bits != 0 ? 1 : 0;
  }
  narrowed.resize(count);
}

// How many records have the shapes of which `bits_of` leaves a bit in a word; once there are `most`, no more are
// counted. `Weights` says how many records a shape has, and whether each has but one.
template <typename Weights, typename BitsOf>
uint64_t CountRecords(const std::vector<ShapeWord>& words, uint64_t most, const Weights& weights,
                      const BitsOf& bits_of) {
  uint64_t records = 0;
  for (const ShapeWord& word : words) {
    uint64_t bits = bits_of(word);
    if (bits == 0) continue;
    if (weights.one_each) {
      records += static_cast<uint64_t>(std::popcount(bits));
    } else {
      for (; bits != 0 && records < most; bits &= bits - 1) {
        const auto bit = static_cast<size_t>(std::countr_zero(bits));
        records += weights.of(size_t{word.at} * 64 + bit);
      }
    }
    if (records >= most) return records;
  }
  return records;
}

}  // namespace thicket
