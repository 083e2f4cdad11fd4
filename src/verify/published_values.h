// What the promises have in common: whether published labels are legal, and which sensitive values count as one.
//
// Both look at every symbol once and then at where the forest uses it: a dictionary may hold more than the forest shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "verify/verify.h"

namespace thicket {

// Adds one violation if vertices of the class hold bad symbols in this slot: where the first one is and how many there are.
void ReportValues(const Dataset& data, ClassId id, size_t slot, const std::vector<bool>& bad,
                  ViolationKind kind, std::string_view must_hold, Violations& violations);

// Every label must be one that its recoding can publish. kUsage if a taxonomy is not among the files.
Status CheckLabels(const Dataset& data, const TaxonomyFiles& taxonomies, Violations& violations);

// The bucket of a value that was suppressed: none, though there is something.
inline constexpr uint32_t kSuppressedBucket = ~uint32_t{0};

// By symbol: what must be diverse of a sensitive attribute, 0 for a missing or blank value, kSuppressedBucket for one that
// was suppressed. What texts mean (base/fold.h), or the buckets of numbers: [b_i, b_i+1), the last one closed, and one each
// below the first and above the last bound.
std::vector<uint32_t> ReadBuckets(const Dataset& data, ClassId id, size_t attribute,
                                  Violations& violations);

// The same as texts, which are equal in any two data sets of the schema exactly where buckets are the same; "" for a missing
// or blank value. What was suppressed is "*", and what must be a number and is none "?".
std::vector<std::string> ReadMeanings(const Dataset& data, ClassId id, size_t attribute);

}  // namespace thicket
