// Which vertices may stand together: l-diversity of a set of aligned vertices (Definitions 3.7 and 3.8 of Ozalp et al.
// 2016).
//
// A class of K records is l-diverse in a vertex when no sensitive value stands there more than K / l times. While a
// class grows towards its final size, a value that has reached that number is full, and no further record with it may
// stand there. k-anonymity alone is the same with nothing ever full.
//
// A set of full values is kept as 64 bits, one per value modulo 64: with at most 64 values the bits decide, with more
// they only rule out, and the values themselves are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace thicket {

struct DiversityRule {
  // 0: no diversity is asked for.
  int l = 0;

  // How often a value may stand in one vertex of a class of this size.
  int MostRepeats(int class_size) const {
    return l == 0 ? std::numeric_limits<int>::max() : class_size / l;
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

}  // namespace thicket
