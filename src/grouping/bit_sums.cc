#include "grouping/bit_sums.h"

#include <bit>

#include "base/simd.h"

namespace thicket {

namespace {

// `sum` may be one of the three.
THICKET_SIMD void AddThree(const uint64_t* a, const uint64_t* b, const uint64_t* c, uint64_t* sum,
                           uint64_t* __restrict carry) {
  for (size_t i = 0; i < BitSums::kWords; ++i) {
    const uint64_t both = a[i] ^ b[i];
    carry[i] = (a[i] & b[i]) | (both & c[i]);
    sum[i] = both ^ c[i];
  }
}

THICKET_SIMD void Subtract(const uint64_t* __restrict row, const uint64_t* __restrict mask,
                           uint64_t* __restrict out) {
  for (size_t i = 0; i < BitSums::kWords; ++i) out[i] = row[i] & ~mask[i];
}

THICKET_SIMD void Unite(const uint64_t* __restrict row, uint64_t* __restrict out) {
  for (size_t i = 0; i < BitSums::kWords; ++i) out[i] |= row[i];
}

// What of `equal` has the digit is more than a number without it.
THICKET_SIMD void Compare(const uint64_t* __restrict row, bool digit, uint64_t* __restrict equal,
                          uint64_t* __restrict more) {
  if (digit) {
    for (size_t i = 0; i < BitSums::kWords; ++i) equal[i] &= row[i];
    return;
  }
  for (size_t i = 0; i < BitSums::kWords; ++i) {
    more[i] |= equal[i] & row[i];
    equal[i] &= ~row[i];
  }
}

}  // namespace

template <uint32_t digits>
void BitSumsOf<digits>::Without(const uint64_t* row, const uint64_t* mask, uint64_t* out) {
  Subtract(row, mask, out);
}

template <uint32_t digits>
void BitSumsOf<digits>::With(const uint64_t* row, uint64_t* out) {
  Unite(row, out);
}

template <uint32_t digits>
void BitSumsOf<digits>::AddUp(std::span<const Term> terms) {
  count_.fill(0);
  for (const Term& term : terms) Add(term.row, term.digit);
  for (uint32_t digit = 0; digit < kDigits; ++digit) {
    if (count_[digit] == 2) Add(none_.data(), digit);
    if (count_[digit] == 0) waiting_[digit][0] = none_.data();
  }
}

template <uint32_t digits>
void BitSumsOf<digits>::Add(const uint64_t* row, uint32_t digit) {
  while (count_[digit] == 2) {
    const auto [a, b] = waiting_[digit];
    count_[digit] = 1;
    waiting_[digit][0] = sum_[digit].data();
    const bool last = digit + 1 == kDigits;
    const uint32_t next = last ? digit : digit + 1;
    const auto waits = [&](const Row& carry) {
      return (count_[next] > 0 && waiting_[next][0] == carry.data()) ||
             (count_[next] > 1 && waiting_[next][1] == carry.data());
    };
    size_t free = 0;
    while (waits(carry_[next][free])) ++free;
    AddThree(a, b, row, sum_[digit].data(), carry_[next][free].data());
    if (last) return;
    row = carry_[next][free].data();
    digit = next;
  }
  waiting_[digit][count_[digit]++] = row;
}

template <uint32_t digits>
void BitSumsOf<digits>::AtLeast(uint32_t least, const Row& candidates, Row& found) const {
  found.fill(0);
  if (least > kMost) return;
  Row equal = candidates;
  for (uint32_t digit = kDigits; digit-- > 0;) {
    Compare(waiting_[digit][0], (least >> digit & 1) != 0, equal.data(), found.data());
  }
  With(equal.data(), found.data());
}

template <uint32_t digits>
uint32_t BitSumsOf<digits>::Quantile(const Row& candidates, size_t count) const {
  uint32_t least = 0;
  Row found;
  for (uint32_t digit = kDigits; digit-- > 0;) {
    const uint32_t tried = least | (1U << digit);
    AtLeast(tried, candidates, found);
    size_t reached = 0;
    for (const uint64_t word : found) reached += static_cast<size_t>(std::popcount(word));
    if (reached >= count) least = tried;
  }
  return least;
}

template class BitSumsOf<BitSums::kDigits>;
template class BitSumsOf<FineBitSums::kDigits>;

}  // namespace thicket
