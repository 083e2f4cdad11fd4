#include "attack/bucket_counts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/stop.h"

namespace thicket {

BucketCounts::BucketCounts(const Schema& schema, const Release& release)
    : schema_(schema), release_(release) {
  first_place_.push_back(0);
  first_vertex_.push_back(0);
  for (size_t shape = 0; shape < release_.shapes().size(); ++shape) {
    const size_t size = release_.shape_size(shape);
    first_place_.push_back(first_place_.back() + size);
    first_vertex_.push_back(first_vertex_.back() + size * release_.shapes().size(shape));
  }
  marks_.assign(first_place_.back() / 64 + 1, 0);
}

const BucketCounts::Shown& BucketCounts::ShownBy(ClassId id, size_t slot) {
  const auto [known, is_new] = shown_.try_emplace({id, slot});
  Shown& shown = known->second;
  if (!is_new) return shown;
  // A counting sort by raw value.
  const auto visit_places = [&](const auto& visit) {
    for (size_t shape = 0; shape < release_.shapes().size(); ++shape) {
      StopPoint();
      for (size_t position = 0; position < release_.shape_size(shape); ++position) {
        const Vertex example = release_.Aligned(shape, 0, position);
        if (release_.forest().class_of(example) != id) continue;
        visit(first_place_[shape] + position, release_.raw().at(example, slot));
      }
    }
  };
  shown.first.assign(release_.raw_count(id, slot) + 1, 0);
  visit_places([&](size_t, uint32_t raw) { ++shown.first[raw + 1]; });
  for (size_t raw = 1; raw < shown.first.size(); ++raw) shown.first[raw] += shown.first[raw - 1];
  shown.places.resize(shown.first.back());
  std::vector<size_t> next(shown.first.begin(), shown.first.end() - 1);
  visit_places([&](size_t place, uint32_t raw) {
    shown.places[next[raw]++] = static_cast<uint32_t>(place);
  });
  return shown;
}

const std::vector<uint32_t>& BucketCounts::BucketsOf(ClassId id, size_t attribute) {
  if (buckets_of_ == std::pair(id, attribute)) return buckets_;
  buckets_of_ = std::pair(id, attribute);
  buckets_.resize(first_vertex_.back());
  for (size_t shape = 0; shape < release_.shapes().size(); ++shape) {
    StopPoint();
    const size_t members = release_.shapes().size(shape);
    for (size_t position = 0; position < release_.shape_size(shape); ++position) {
      if (release_.forest().class_of(release_.Aligned(shape, 0, position)) != id) continue;
      for (size_t member = 0; member < members; ++member) {
        buckets_[first_vertex_[shape] + position * members + member] =
            release_.Bucket(release_.Aligned(shape, member, position), attribute);
      }
    }
  }
  return buckets_;
}

BucketCounts::ByShape BucketCounts::CountMarked(ClassId id, size_t attribute) {
  ByShape result;
  const std::vector<uint32_t>& bucket_of = BucketsOf(id, attribute);
  std::vector<uint32_t> buckets;
  std::vector<uint32_t> in_all(release_.bucket_count(id, attribute), 0);
  size_t shape = 0;
  const auto end_shape = [&] {
    if (buckets.empty()) return;
    std::sort(buckets.begin(), buckets.end());
    for (size_t i = 0; i < buckets.size(); ++i) {
      if (i == 0 || buckets[i - 1] != buckets[i]) result.counts.push_back({buckets[i], 0});
      ++result.counts.back().count;
    }
    result.shapes.push_back(static_cast<uint32_t>(shape));
    result.first.push_back(static_cast<uint32_t>(result.counts.size()));
    buckets.clear();
  };
  for (size_t word = 0; word < marks_.size(); ++word) {
    StopPoint();
    for (uint64_t bits = std::exchange(marks_[word], 0); bits != 0; bits &= bits - 1) {
      const size_t place = word * 64 + static_cast<size_t>(std::countr_zero(bits));
      if (place >= first_place_[shape + 1]) {
        end_shape();
        while (place >= first_place_[shape + 1]) ++shape;
      }
      const size_t members = release_.shapes().size(shape);
      const uint32_t* of_place =
          bucket_of.data() + first_vertex_[shape] + (place - first_place_[shape]) * members;
      buckets.insert(buckets.end(), of_place, of_place + members);
    }
  }
  end_shape();
  for (const Count& count : result.counts) in_all[count.bucket] += count.count;
  for (uint32_t bucket = 0; bucket < in_all.size(); ++bucket) {
    if (!release_.IsSuppressed(id, attribute, bucket)) {
      result.most = std::max(result.most, in_all[bucket]);
    }
  }
  return result;
}

const BucketCounts::ByShape& BucketCounts::OfRoots(size_t attribute) {
  if (roots_.empty()) {
    for (size_t i = 0; i < schema_.root().sensitive.size(); ++i) {
      // A shape begins with its root.
      for (size_t shape = 0; shape + 1 < first_place_.size(); ++shape) Mark(first_place_[shape]);
      roots_.push_back(CountMarked(0, i));
    }
  }
  return roots_[attribute];
}

const BucketCounts::ByShape& BucketCounts::OfLabel(const KnownLabel& label, size_t attribute) {
  const uint64_t place = uint64_t{label.id} << 48 | uint64_t{label.slot} << 24 | attribute;
  const auto known = labels_[place].find(label.value);
  if (known != labels_[place].end()) return known->second;
  const Shown& shown = ShownBy(label.id, label.slot);
  for (uint32_t raw = 0; raw + 1 < shown.first.size(); ++raw) {
    if (shown.first[raw] == shown.first[raw + 1]) continue;
    if (!release_.Covers(label.id, label.slot, raw, label.value)) continue;
    for (size_t i = shown.first[raw]; i < shown.first[raw + 1]; ++i) Mark(shown.places[i]);
  }
  ByShape counts = CountMarked(label.id, attribute);
  const size_t size = counts.counts.size() + counts.shapes.size();
  if (held_ + size > kMostCounts) {
    labels_.clear();
    held_ = 0;
  }
  held_ += size;
  return labels_[place].emplace(label.value, std::move(counts)).first->second;
}

}  // namespace thicket
