// Sums of bitmaps: 2,048 sums at once, a bitmap for each binary digit.
//
// A term adds 2^digit to the sums of a bitmap's members. Three bitmaps of one digit come down to two by a full adder over
// whole words: one of the same digit, and one of the next. So t terms take about t full adders, five operations for each 64 sums.
//
//   BitSums sums;
//   sums.AddUp(terms);                        // bitmaps must stay while the sums are read
//   sums.AtLeast(17, candidates, best);
//   sums.at(5);
//
// Sums are less than 2^digits (2^10 in BitSums); what is beyond is lost, so whoever adds up must see to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thicket {

// `digits`: how many binary digits a sum has; of each number there is an instance in bit_sums.cc.
template <uint32_t digits>
class BitSumsOf {
 public:
  static constexpr size_t kWords = 32;
  static constexpr size_t kCount = kWords * 64;
  static constexpr uint32_t kDigits = digits;
  static constexpr uint32_t kMost = (1U << kDigits) - 1;
  using Row = std::array<uint64_t, kWords>;
  struct Term {
    const uint64_t* row;  // kWords of them
    uint32_t digit;
  };

  // In place of what the sums were.
  void AddUp(std::span<const Term> terms);

  // The candidates whose sum is at least `least`.
  void AtLeast(uint32_t least, const Row& candidates, Row& found) const;
  // The greatest sum that `count` candidates reach; 0 if there are fewer of them.
  uint32_t Quantile(const Row& candidates, size_t count) const;
  uint32_t at(size_t i) const {
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < kDigits; ++digit) {
      sum |= static_cast<uint32_t>(waiting_[digit][0][i / 64] >> (i % 64) & 1) << digit;
    }
    return sum;
  }

  // out = row without mask, and out = out with row.
  static void Without(const uint64_t* row, const uint64_t* mask, uint64_t* out);
  static void With(const uint64_t* row, uint64_t* out);

 private:
  void Add(const uint64_t* row, uint32_t digit);

  // By digit: up to two bitmaps that wait for a third. In the end one, whose members have the digit.
  std::array<std::array<const uint64_t*, 2>, kDigits> waiting_{};
  std::array<uint32_t, kDigits> count_{};
  alignas(32) std::array<Row, kDigits> sum_{};
  // By digit: what comes from the digit below; one is being written while two wait.
  alignas(32) std::array<std::array<Row, 3>, kDigits> carry_{};
  alignas(32) Row none_{};
};

using BitSums = BitSumsOf<10>;
// For sums that must be bounds, so that little is lost by rounding.
using FineBitSums = BitSumsOf<13>;

}  // namespace thicket
