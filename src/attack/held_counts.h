// In how many records of each shape of a release each sensitive value stands, wherever in the record.
//
// As the promise of k^(m,n)-anonymity counts: a record counts once for a value of an attribute, and a missing value is none.
//
//   for (const HeldCounts::Count& count : held.Of(shape)) Use(count.secret, count.records);
//
// Counted once: O(vertices).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attack/release.h"

namespace thicket {

class HeldCounts {
 public:
  // `secret` stands for a bucket of an attribute of a class.
  struct Count {
    uint32_t secret;
    uint32_t records;
  };

  HeldCounts(const Schema& schema, const Release& release);

  size_t secret_count() const { return secret_count_; }
  std::span<const Count> Of(size_t shape) const {
    return {counts_.data() + first_[shape], first_[shape + 1] - first_[shape]};
  }

 private:
  uint32_t secret_count_ = 0;
  std::vector<size_t> first_ = {0};
  std::vector<Count> counts_;
};

}  // namespace thicket
