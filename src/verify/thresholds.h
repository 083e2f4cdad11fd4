// The secrets of a table, published and original side by side, and the largest share that each may have in a class.
//
//   THICKET_ASSIGN(Secrets secrets, ReadSecrets(privacy, published, original, 0));
//   const uint32_t secret = secrets.published[forest.value(vertex, slot)];
//   if (secret != Secrets::kSuppressed && count > secrets.thresholds[secret].Most(size)) ...
//
// A secret is what texts mean (base/fold.h), or a bucket of numbers; a missing or blank value is one of its own. "*" is none,
// where values may be suppressed. Under l-diversity every threshold is 1/l, under k-anonymity nothing is too much. Under
// l+-diversity (Definition 3.1 of Liu 2010) it is the policy's; with `derive: frequency` (section 3.6.1.2) that of a value
// at or above the average frequency is theta * frequency / average, at most 1, and the average is over the values that the
// original has. This is known from the original alone.
//
// All comparisons are exact.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/decimal.h"
#include "base/result.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

// theta * parts / wholes, or 1 if that is more.
class Threshold {
 public:
  explicit Threshold(Decimal theta, uint32_t part = 1, uint32_t times = 1, uint32_t whole = 1);

  // How many of `size` records may have the value. O(log size) the first time that a size is asked for.
  uint64_t Most(uint64_t size);
  double ToDouble() const;

 private:
  Decimal theta_;
  // What theta is multiplied with, and divided by.
  uint32_t part_;
  uint32_t times_;
  uint32_t whole_;
  std::map<uint64_t, uint64_t> most_;
};

// Of one sensitive attribute of the records' roots.
struct Secrets {
  static constexpr uint32_t kSuppressed = ~uint32_t{0};
  // By symbol: the number of the secret, kSuppressed where the text says only that there was one.
  std::vector<uint32_t> published;
  // Empty without an original.
  std::vector<uint32_t> original;
  // By number.
  std::vector<Threshold> thresholds;
};

// `original` may be null; kUsage if the thresholds follow from it.
Result<Secrets> ReadSecrets(const PrivacyPolicy& privacy, const Dataset& published,
                            const Dataset* original, size_t attribute);

}  // namespace thicket
