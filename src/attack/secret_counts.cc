#include "attack/secret_counts.h"

#include <algorithm>

namespace thicket {

namespace {

// That of a missing value.
constexpr uint32_t kNoBucket = 0;

}  // namespace

SecretCounts::SecretCounts(const Schema& schema, const Release& release) {
  // By class and attribute: the number of its first bucket.
  std::vector<std::vector<uint32_t>> first_secret(schema.classes.size());
  uint32_t secret_count = 0;
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    for (size_t i = 0; i < schema.classes[id].sensitive.size(); ++i) {
      first_secret[id].push_back(secret_count);
      secret_count += release.bucket_count(static_cast<ClassId>(id), i);
    }
  }
  sums_.assign(secret_count, 0);
  const Forest& forest = release.forest();
  std::vector<uint32_t> of_record;
  std::vector<uint32_t> of_shape;
  for (size_t shape = 0; shape < release.shapes().size(); ++shape) {
    of_shape.clear();
    for (size_t member = 0; member < release.shapes().size(shape); ++member) {
      of_record.clear();
      for (size_t position = 0; position < release.shape_size(shape); ++position) {
        const Vertex vertex = release.Aligned(shape, member, position);
        const ClassId id = forest.class_of(vertex);
        for (size_t i = 0; i < first_secret[id].size(); ++i) {
          const uint32_t bucket = release.Bucket(vertex, i);
          if (release.IsSuppressed(id, i, bucket)) continue;
          if (bucket != kNoBucket) of_record.push_back(first_secret[id][i] + bucket);
        }
      }
      std::sort(of_record.begin(), of_record.end());
      of_record.erase(std::unique(of_record.begin(), of_record.end()), of_record.end());
      of_shape.insert(of_shape.end(), of_record.begin(), of_record.end());
    }
    std::sort(of_shape.begin(), of_shape.end());
    for (size_t i = 0; i < of_shape.size(); ++i) {
      if (i == 0 || of_shape[i - 1] != of_shape[i]) counts_.push_back({of_shape[i], 0});
      ++counts_.back().records;
    }
    first_.push_back(counts_.size());
  }
  for (const Count& count : counts_) {
    most_of_all_ = std::max(most_of_all_, sums_[count.secret] += count.records);
  }
  std::fill(sums_.begin(), sums_.end(), 0);
}

uint32_t SecretCounts::Most(size_t shape) const {
  uint32_t most = 0;
  for (size_t i = first_[shape]; i < first_[shape + 1]; ++i) {
    most = std::max(most, counts_[i].records);
  }
  return most;
}

uint32_t SecretCounts::Most(const std::vector<uint32_t>& shapes) {
  uint32_t most = 0;
  for (const uint32_t shape : shapes) {
    for (size_t i = first_[shape]; i < first_[shape + 1]; ++i) {
      most = std::max(most, sums_[counts_[i].secret] += counts_[i].records);
    }
  }
  for (const uint32_t shape : shapes) {
    for (size_t i = first_[shape]; i < first_[shape + 1]; ++i) sums_[counts_[i].secret] = 0;
  }
  return most;
}

}  // namespace thicket
