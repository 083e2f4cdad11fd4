// A set of shapes as a bitmap, and how many records have them.
//
//   ShapeSet set(shapes.size());
//   set.Add(shape, shapes.weight(shape));
//   ForEachShape(set.words, [&](uint32_t shape) { ... });        // ascending
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thicket {

using ShapeWords = std::vector<uint64_t>;

inline size_t ShapeWordCount(size_t shapes) { return (shapes + 63) / 64; }

struct ShapeSet {
  ShapeWords words;
  uint64_t records = 0;

  ShapeSet() = default;
  explicit ShapeSet(size_t shapes) : words(ShapeWordCount(shapes), 0) {}

  bool Contains(uint32_t shape) const { return (words[shape / 64] >> (shape % 64) & 1) != 0; }
  // Adding a shape that is in the set, and removing one that is not, does nothing.
  void Add(uint32_t shape, uint32_t weight) {
    uint64_t& word = words[shape / 64];
    const uint64_t bit = uint64_t{1} << (shape % 64);
    if ((word & bit) != 0) return;
    word |= bit;
    records += weight;
  }
  void Remove(uint32_t shape, uint32_t weight) {
    uint64_t& word = words[shape / 64];
    const uint64_t bit = uint64_t{1} << (shape % 64);
    if ((word & bit) == 0) return;
    word &= ~bit;
    records -= weight;
  }
};

// The shapes of one word, which is the one with number `at`.
template <typename Use>
void ForEachShapeOfWord(uint64_t word, size_t at, const Use& use) {
  for (uint64_t rest = word; rest != 0; rest &= rest - 1) {
    use(static_cast<uint32_t>(at * 64) + static_cast<uint32_t>(std::countr_zero(rest)));
  }
}

template <typename Use>
void ForEachShape(const ShapeWords& words, const Use& use) {
  for (size_t i = 0; i < words.size(); ++i) ForEachShapeOfWord(words[i], i, use);
}

}  // namespace thicket
