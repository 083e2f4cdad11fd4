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

// That the first stands above the second on a path of the victim's labels.
struct KnownRelation {
  KnownLabel above;
  KnownLabel below;
  friend bool operator==(const KnownRelation&, const KnownRelation&) = default;
  friend bool operator<(const KnownRelation& a, const KnownRelation& b) {
    return std::tie(a.above, a.below) < std::tie(b.above, b.below);
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

// Draws `count` different names: labels that the victim has, and with `negative` some, as many as chance says, that
// it has not.
VictimLabels DrawDistinct(const EncodedDataset& original, RecordId victim, size_t count,
                          bool negative, uint64_t seed);

// All labels that the victim has; sorted and distinct.
std::vector<KnownLabel> DistinctLabels(const EncodedDataset& original, RecordId victim);

struct VictimRelations {
  // Sorted and distinct.
  std::vector<KnownRelation> present;
  std::vector<KnownRelation> absent;
};

// Draws up to `count` of the relations between known labels. With `negative` also of those that the victim does not have
// though the attributes allow them: `count` more of them, or with `together` up to `count` of both.
VictimRelations DrawRelations(const EncodedDataset& original, RecordId victim,
                              const std::vector<KnownLabel>& known, size_t count, bool negative,
                              bool together, uint64_t seed);

}  // namespace thicket
