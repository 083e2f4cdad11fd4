// What an adversary with limited knowledge knows about a victim: labels that the victim has, and some that it has not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "record/dataset.h"

namespace thicket {

// A value of a quasi-identifier with the path to it.
struct KnownLabel {
  ClassId id = 0;
  size_t slot = 0;
  Value value = 0;
  friend bool operator==(const KnownLabel&, const KnownLabel&) = default;
  friend bool operator<(const KnownLabel& a, const KnownLabel& b) {
    return std::tie(a.id, a.slot, a.value) < std::tie(b.id, b.slot, b.value);
  }
};

struct VictimLabels {
  // Sorted; a label that the victim has twice may be there twice.
  std::vector<KnownLabel> present;
  // Sorted and distinct.
  std::vector<KnownLabel> absent;
};

// Draws `count` of the labels that the victim has and up to `count` that others have. The same victim and seed give the
// same labels.
VictimLabels DrawLabels(const EncodedDataset& original, RecordId victim, size_t count,
                        uint64_t seed);

}  // namespace thicket
