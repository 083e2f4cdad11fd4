// Which vertices may stand together: l-diversity of a set of aligned vertices (Definitions 3.7 and 3.8 of Ozalp et al.
// 2016).
//
// A class of K records is l-diverse in a vertex when no sensitive value stands there more than K / l times. While a
// class grows towards its final size, a value that has reached that number is full, and no further record with it may
// stand there. k-anonymity alone is the same with nothing ever full.
//
// Under (alpha_lev^h, k)-anonymity (Definition 5 of Wang et al. 2018) buckets are levels of sensitivity, 1 to 5, and each
// level has a share of its own: at most K * alpha[level], rounded down, may stand in a vertex of a class of K records. A
// level may then be full before anybody stands there.
//
//   DiversityRule rule;
//   rule.alpha = {0.8, 0.6, 0.4, 0.2, 0.1};
//   rule.Capacity(5, 10) == 1;   // though 10 * 0.1 need not be 1 in floating point
//
// A set of full values is kept as 64 bits, one per value modulo 64: with at most 64 values the bits decide, with more
// they only rule out, and the values themselves are counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace thicket {

struct DiversityRule {
  // 0: no diversity is asked for.
  int l = 0;
  // By level - 1: the largest share of a class. All 0: levels have no shares.
  std::array<double, 5> alpha{};

  bool HasLevels() const { return alpha[0] > 0; }
  // Whether any vertices may not stand together because of their sensitive values.
  bool Constrains() const { return l > 0 || HasLevels(); }

  // How often a value may stand in one vertex of a class of this size.
  int MostRepeats(int class_size) const {
    return l == 0 ? std::numeric_limits<int>::max() : class_size / l;
  }
  // How many values of a level may stand in one vertex: the greatest count whose share, rounded as alpha itself was
  // rounded when it was read, is not above alpha.
  int Capacity(uint32_t level, int class_size) const {
    const double most = alpha[level - 1];
    int count = static_cast<int>(class_size * most) + 1;
    while (count > 0 && static_cast<double>(count) / class_size > most) --count;
    return count;
  }
  // The smallest class in which one value of the level may stand.
  int LeastClassSize(uint32_t level) const {
    constexpr int kMost = std::numeric_limits<int>::max() / 2;
    const double reciprocal = 1 / alpha[level - 1];
    int size = reciprocal < kMost ? static_cast<int>(reciprocal) : kMost;
    while (Capacity(level, size) < 1 && size < kMost) ++size;
    return size;
  }
  // By level, from 1; index 0 is not used.
  std::array<int, 6> Capacities(int class_size) const {
    std::array<int, 6> result{};
    for (uint32_t level = 1; level <= alpha.size(); ++level) {
      result[level] = Capacity(level, class_size);
    }
    return result;
  }
};

inline uint64_t BucketBit(uint32_t bucket) { return uint64_t{1} << (bucket & 63); }

inline int CountBucket(const uint32_t* buckets, size_t count, uint32_t bucket) {
  int found = 0;
  for (size_t i = 0; i < count; ++i) found += buckets[i] == bucket ? 1 : 0;
  return found;
}

// The bits of the values that stand among `buckets` at least `most` times.
inline uint64_t FullBuckets(const uint32_t* buckets, size_t count, int most) {
  uint64_t full = 0;
  for (size_t i = 0; i < count; ++i) {
    if (CountBucket(buckets, count, buckets[i]) >= most) full |= BucketBit(buckets[i]);
  }
  return full;
}

// The bits of the levels that are full among `levels`, those without any room included.
inline uint64_t FullLevels(const uint32_t* levels, size_t count,
                           const std::array<int, 6>& capacities) {
  uint64_t full = 0;
  for (uint32_t level = 1; level < capacities.size(); ++level) {
    if (CountBucket(levels, count, level) >= capacities[level]) full |= BucketBit(level);
  }
  return full;
}

}  // namespace thicket
