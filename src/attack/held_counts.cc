#include "attack/held_counts.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

HeldCounts::HeldCounts(const Schema& schema, const Release& release) {
  // By class and attribute: the number of its first bucket.
  std::vector<std::vector<uint32_t>> first_secret;
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    auto& first = first_secret.emplace_back();
    for (size_t attribute = 0; attribute < schema.classes[id].sensitive.size(); ++attribute) {
      first.push_back(secret_count_);
      secret_count_ += release.bucket_count(static_cast<ClassId>(id), attribute);
    }
  }
  const Forest& forest = release.forest();
  std::vector<uint32_t> secrets;
  std::vector<uint32_t> all;
  for (size_t shape = 0; shape < release.shapes().size(); ++shape) {
    StopPoint();
    all.clear();
    for (size_t member = 0; member < release.shapes().size(shape); ++member) {
      const RecordId record = release.shapes().member(shape, member);
      secrets.clear();
      for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
        const ClassId id = forest.class_of(v);
        for (size_t attribute = 0; attribute < first_secret[id].size(); ++attribute) {
          const size_t slot = schema.classes[id].sensitive_slot(attribute);
          const uint32_t bucket = release.Bucket(v, attribute);
          if (forest.value(v, slot) == kMissing || release.IsSuppressed(id, attribute, bucket)) {
            continue;
          }
          secrets.push_back(first_secret[id][attribute] + bucket);
        }
      }
      std::sort(secrets.begin(), secrets.end());
      secrets.erase(std::unique(secrets.begin(), secrets.end()), secrets.end());
      all.insert(all.end(), secrets.begin(), secrets.end());
    }
    std::sort(all.begin(), all.end());
    for (size_t i = 0; i < all.size(); ++i) {
      if (i == 0 || all[i - 1] != all[i]) counts_.push_back({all[i], 0});
      ++counts_.back().records;
    }
    first_.push_back(counts_.size());
  }
}

}  // namespace thicket
