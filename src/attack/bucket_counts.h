// How often each bucket of a sensitive attribute occurs in each shape of a release, among the vertices that show a
// known label. Counted once per label, since many victims share it, and only where the label is shown: which positions of shapes
// show which published value is found once for each quasi-identifier.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
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
  // For each shape that has any, the counts sorted by bucket.
  struct ByShape {
    std::vector<uint32_t> shapes;  // ascending
    std::vector<uint32_t> first = {0};
    std::vector<Count> counts;
    // Of one bucket in all shapes together, if the bucket is of a value that is shown.
    uint32_t most = 0;
    // Calls `visit` with the counts of each of these shapes, which ascend, as far as it has any.
    template <typename Visit>
    void ForEach(std::span<const uint32_t> asked, const Visit& visit) const {
      size_t at = 0;
      for (const uint32_t shape : asked) {
        size_t step = 1;
        while (at + step < shapes.size() && shapes[at + step] < shape) step *= 2;
        const auto begin = shapes.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end =
            shapes.begin() + static_cast<std::ptrdiff_t>(std::min(at + step + 1, shapes.size()));
        at = static_cast<size_t>(std::lower_bound(begin, end, shape) - shapes.begin());
        if (at == shapes.size()) return;
        if (shapes[at] != shape) continue;
        visit(std::span<const Count>(counts).subspan(first[at], first[at + 1] - first[at]));
      }
    }
  };

  BucketCounts(const Schema& schema, const Release& release);

  // Over the roots. The result of either holds until the next question.
  const ByShape& OfRoots(size_t attribute);
  // Over the vertices of the label's class that show it.
  const ByShape& OfLabel(const KnownLabel& label, size_t attribute);

 private:
  // Beyond this many counts in all, everything is forgotten.
  static constexpr size_t kMostCounts = size_t{1} << 25;

  // Positions of all shapes, numbered shape by shape: of one class those that show each raw value of a quasi-identifier.
  struct Shown {
    std::vector<size_t> first;  // by raw value, and one more
    std::vector<uint32_t> places;
  };
  const Shown& ShownBy(ClassId id, size_t slot);
  void Mark(size_t place) { marks_[place / 64] |= uint64_t{1} << (place % 64); }
  // Of the vertices of a class, by place and then member of the shape, so that counting goes through memory in order. Of the attribute
  // that was asked for last.
  const std::vector<uint32_t>& BucketsOf(ClassId id, size_t attribute);
  // Over the places that are marked, all of one class; none is afterwards.
  ByShape CountMarked(ClassId id, size_t attribute);

  const Schema& schema_;
  const Release& release_;
  std::vector<size_t> first_place_;   // by shape, and one more
  std::vector<size_t> first_vertex_;  // the same for the vertices of its members
  std::optional<std::pair<ClassId, size_t>> buckets_of_;
  std::vector<uint32_t> buckets_;
  std::vector<uint64_t> marks_;  // a bit for each place
  std::vector<ByShape> roots_;
  std::map<std::pair<ClassId, size_t>, Shown> shown_;
  // By class, slot and attribute in one number, then by value.
  std::unordered_map<uint64_t, std::unordered_map<Value, ByShape>> labels_;
  size_t held_ = 0;
};

}  // namespace thicket
