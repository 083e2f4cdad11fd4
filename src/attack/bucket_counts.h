// How often each bucket of a sensitive attribute occurs in each shape of a release, among the vertices that show a
// known label. Counted once per label, since many victims share it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "attack/known_labels.h"
#include "attack/release.h"

namespace thicket {

class BucketCounts {
 public:
  struct Count {
    uint32_t bucket;
    uint32_t count;
  };
  // By shape; each list sorted by bucket.
  struct ByShape {
    std::vector<uint32_t> first = {0};
    std::vector<Count> counts;
    std::span<const Count> Of(size_t shape) const {
      return {counts.data() + first[shape], first[shape + 1] - first[shape]};
    }
  };

  BucketCounts(const Schema& schema, const Release& release) : schema_(schema), release_(release) {}

  // Over the roots. The result of either holds until the next question.
  const ByShape& OfRoots(size_t attribute);
  // Over the vertices of the label's class that show it.
  const ByShape& OfLabel(const KnownLabel& label, size_t attribute);

 private:
  // Beyond this many counts in all, everything is forgotten.
  static constexpr size_t kMostCounts = size_t{1} << 25;

  template <typename Accept>
  ByShape CountWhere(ClassId id, size_t attribute, const Accept& accept) const;

  const Schema& schema_;
  const Release& release_;
  std::vector<ByShape> roots_;
  // By class, slot and attribute in one number, then by value.
  std::unordered_map<uint64_t, std::unordered_map<Value, ByShape>> labels_;
  size_t held_ = 0;
};

}  // namespace thicket
