#include "attack/bucket_counts.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"

namespace thicket {

template <typename Accept>
BucketCounts::ByShape BucketCounts::CountWhere(ClassId id, size_t attribute,
                                               const Accept& accept) const {
  ByShape result;
  std::vector<uint32_t> buckets;
  for (size_t shape = 0; shape < release_.shapes().size(); ++shape) {
    StopPoint();
    buckets.clear();
    for (size_t position = 0; position < release_.shape_size(shape); ++position) {
      const Vertex example = release_.Aligned(shape, 0, position);
      if (release_.forest().class_of(example) != id || !accept(example)) continue;
      for (size_t member = 0; member < release_.shapes().size(shape); ++member) {
        buckets.push_back(release_.Bucket(release_.Aligned(shape, member, position), attribute));
      }
      if (id == 0) break;
    }
    std::sort(buckets.begin(), buckets.end());
    for (size_t i = 0; i < buckets.size(); ++i) {
      if (i == 0 || buckets[i - 1] != buckets[i]) result.counts.push_back({buckets[i], 0});
      ++result.counts.back().count;
    }
    result.first.push_back(static_cast<uint32_t>(result.counts.size()));
  }
  return result;
}

const BucketCounts::ByShape& BucketCounts::OfRoots(size_t attribute) {
  if (roots_.empty()) {
    for (size_t i = 0; i < schema_.root().sensitive.size(); ++i) {
      roots_.push_back(CountWhere(0, i, [](Vertex) { return true; }));
    }
  }
  return roots_[attribute];
}

const BucketCounts::ByShape& BucketCounts::OfLabel(const KnownLabel& label, size_t attribute) {
  const uint64_t place = uint64_t{label.id} << 48 | uint64_t{label.slot} << 24 | attribute;
  const auto known = labels_[place].find(label.value);
  if (known != labels_[place].end()) return known->second;
  ByShape counts = CountWhere(label.id, attribute, [&](Vertex vertex) {
    return release_.Covers(label.id, label.slot, release_.raw().at(vertex, label.slot),
                           label.value);
  });
  const size_t size = counts.counts.size() + counts.first.size();
  if (held_ + size > kMostCounts) {
    labels_.clear();
    held_ = 0;
  }
  held_ += size;
  return labels_[place].emplace(label.value, std::move(counts)).first->second;
}

}  // namespace thicket
