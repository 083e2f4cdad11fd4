// Numbers keys from 0 in the order in which they first come: equal keys get equal numbers.
//
//   KeyNumbers numbers;
//   numbers.Reset(keys.size());
//   for (KeyNumbers::Key key : keys) class_of.push_back(numbers.Of(key));
//
// An open hash table of 128-bit keys that is used again and again; O(1) per key.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thicket {

class KeyNumbers {
 public:
  __extension__ using Key = unsigned __int128;

  // Forgets all keys. At most `most` different ones may follow.
  void Reset(size_t most) {
    const size_t slots = std::bit_ceil(std::max<size_t>(16, most * 2));
    if (slots > slots_.size()) {
      slots_.assign(slots, {});
      round_ = 0;
    }
    // The part of the table that is used is as large as it must be, so that it stays in the cache.
    shift_ = 64 - std::countr_zero(slots);
    mask_ = slots - 1;
    if (++round_ == 0) {
      std::fill(slots_.begin(), slots_.end(), Slot{});
      round_ = 1;
    }
    count_ = 0;
  }
  uint32_t Of(Key key) {
    auto place = static_cast<size_t>(Hash(key) >> shift_);
    for (;; place = (place + 1) & mask_) {
      Slot& slot = slots_[place];
      if (slot.round != round_) {
        slot = {key, round_, count_};
        return count_++;
      }
      if (slot.key == key) return slot.number;
    }
  }
  uint32_t count() const { return count_; }
  // The high bits are the best ones.
  static uint64_t Hash(Key key) {
    const auto low = static_cast<uint64_t>(key);
    const auto high = static_cast<uint64_t>(key >> 64);
    return (low ^ (high * 0xD6E8FEB86659FD93ULL)) * 0x9E3779B97F4A7C15ULL;
  }

 private:
  struct Slot {
    Key key = 0;
    uint32_t round = 0;
    uint32_t number = 0;
  };

  std::vector<Slot> slots_;
  uint32_t round_ = 0;
  int shift_ = 0;
  size_t mask_ = 0;
  uint32_t count_ = 0;
};

}  // namespace thicket
