// Sums over bitmaps are those of plain numbers.
#include "grouping/bit_sums.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace thicket::bit_sums_test {
namespace {

bool Has(const BitSums::Row& row, size_t i) { return (row[i / 64] >> (i % 64) & 1) != 0; }

RC_GTEST_PROP(BitSumsTest, AreThoseOfPlainNumbers, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  const size_t count = random.Below(60);
  std::vector<BitSums::Row> rows(count);
  std::vector<BitSums::Term> terms;
  std::vector<uint32_t> expected(BitSums::kCount, 0);
  uint32_t most = 0;
  for (BitSums::Row& row : rows) {
    const auto digit = static_cast<uint32_t>(random.Below(BitSums::kDigits));
    if (most + (1U << digit) > BitSums::kMost) continue;
    most += 1U << digit;
    for (uint64_t& word : row)
      word = random.Next() & (random.Below(2) == 0 ? ~0ULL : random.Next());
    terms.push_back({row.data(), digit});
    for (size_t i = 0; i < BitSums::kCount; ++i) expected[i] += Has(row, i) ? 1U << digit : 0;
  }
  BitSums sums;
  // What was there before is gone.
  sums.AddUp(std::vector<BitSums::Term>(terms.begin(), terms.begin() + terms.size() / 2));
  sums.AddUp(terms);
  BitSums::Row candidates;
  for (uint64_t& word : candidates) word = random.Next();
  const auto least = static_cast<uint32_t>(random.Below(most + 2));
  BitSums::Row found;
  sums.AtLeast(least, candidates, found);
  std::vector<uint32_t> of_candidates;
  for (size_t i = 0; i < BitSums::kCount; ++i) {
    RC_ASSERT(sums.at(i) == expected[i]);
    RC_ASSERT(Has(found, i) == (Has(candidates, i) && expected[i] >= least));
    if (Has(candidates, i)) of_candidates.push_back(expected[i]);
  }
  std::sort(of_candidates.rbegin(), of_candidates.rend());
  const size_t rank = 1 + random.Below(of_candidates.size() + 1);
  RC_ASSERT(sums.Quantile(candidates, rank) ==
            (rank <= of_candidates.size() ? of_candidates[rank - 1] : 0));
}

}  // namespace
}  // namespace thicket::bit_sums_test
