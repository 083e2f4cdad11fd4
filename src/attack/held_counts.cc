#include "attack/held_counts.h"

#include <algorithm>
#include <utility>

namespace thicket {

HeldCounts::HeldCounts(const Schema& schema, const Release& release)
    : schema_(schema), release_(release) {
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    auto& first = first_secret_.emplace_back();
    for (size_t attribute = 0; attribute < schema.classes[id].sensitive.size(); ++attribute) {
      first.push_back(secret_count_);
      secret_count_ += release.bucket_count(static_cast<ClassId>(id), attribute);
    }
  }
  const Forest& forest = release.forest();
  holder_.resize(forest.vertex_count());
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    holder_[forest.root(record)] = forest.root(record);
    for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
      const auto has_label = [&](Vertex at) {
        const ClassId id = forest.class_of(at);
        for (size_t slot = 0; slot < schema.classes[id].quasi.size(); ++slot) {
          if (release.IsLabel(id, slot, forest.value(at, slot))) return true;
        }
        return false;
      };
      for (const Vertex child : forest.Children(v)) {
        holder_[child] = has_label(child) ? child : holder_[v];
      }
    }
  }
}

void HeldCounts::AppendSecrets(Vertex vertex, std::vector<uint32_t>& secrets) const {
  const ClassId id = release_.forest().class_of(vertex);
  for (size_t attribute = 0; attribute < first_secret_[id].size(); ++attribute) {
    const size_t slot = schema_.classes[id].sensitive_slot(attribute);
    if (release_.forest().value(vertex, slot) == kMissing) continue;
    secrets.push_back(first_secret_[id][attribute] + release_.Bucket(vertex, attribute));
  }
}

// `accept`: whether what this vertex holds counts.
template <typename Accept>
HeldCounts::ByShape HeldCounts::CountWhere(const Accept& accept) const {
  ByShape result;
  const Forest& forest = release_.forest();
  std::vector<uint32_t> secrets;
  std::vector<uint32_t> all;
  for (size_t shape = 0; shape < release_.shapes().size(); ++shape) {
    all.clear();
    for (size_t member = 0; member < release_.shapes().size(shape); ++member) {
      const RecordId record = release_.shapes().member(shape, member);
      secrets.clear();
      for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
        if (accept(holder_[v])) AppendSecrets(v, secrets);
      }
      std::sort(secrets.begin(), secrets.end());
      secrets.erase(std::unique(secrets.begin(), secrets.end()), secrets.end());
      all.insert(all.end(), secrets.begin(), secrets.end());
    }
    std::sort(all.begin(), all.end());
    for (size_t i = 0; i < all.size(); ++i) {
      if (i == 0 || all[i - 1] != all[i]) result.counts.push_back({all[i], 0});
      ++result.counts.back().records;
    }
    result.first.push_back(static_cast<uint32_t>(result.counts.size()));
  }
  return result;
}

const HeldCounts::ByShape& HeldCounts::OfRoots() {
  if (roots_.empty()) {
    roots_.push_back(
        CountWhere([&](Vertex holder) { return release_.forest().class_of(holder) == 0; }));
  }
  return roots_[0];
}

const HeldCounts::ByShape& HeldCounts::OfLabel(const KnownLabel& label) {
  const auto known = labels_.find(label);
  if (known != labels_.end()) return known->second;
  const Forest& forest = release_.forest();
  ByShape counts = CountWhere([&](Vertex holder) {
    return forest.class_of(holder) == label.id &&
           release_.Covers(label.id, label.slot, forest.value(holder, label.slot), label.value);
  });
  const size_t size = counts.counts.size() + counts.first.size();
  if (kept_ + size > kMostCounts) {
    labels_.clear();
    kept_ = 0;
  }
  kept_ += size;
  return labels_.emplace(label, std::move(counts)).first->second;
}

}  // namespace thicket
