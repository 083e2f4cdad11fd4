#include "grouping/cluster_bound.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

ClusterBound::ClusterBound(const TreeModel& model, bool equal_only)
    : model_(&model), nodes_(model, equal_only) {
  const Forest& forest = model.forest();
  std::vector<uint32_t> seen;
  first_entry_.push_back(0);
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    seen.clear();
    const Vertex root = forest.root(record);
    for (Vertex v = root + 1; v < root + forest.record_size(record); ++v) {
      seen.push_back(nodes_.of_class(forest.class_of(v)));
      nodes_.ForEachOf(v, [&](uint32_t node) { seen.push_back(node); });
    }
    std::sort(seen.begin(), seen.end());
    for (size_t i = 0; i < seen.size();) {
      const auto end = std::upper_bound(seen.begin(), seen.end(), seen[i]);
      const auto count = static_cast<size_t>(end - seen.begin()) - i;
      const Units gain = nodes_.gain(seen[i]);
      if (gain > 0) {
        entries_.push_back({seen[i], static_cast<uint32_t>(count), static_cast<uint32_t>(gain)});
      }
      i += count;
    }
    first_entry_.push_back(entries_.size());
  }
}

ClusterBound::Profile ClusterBound::ProfileOf(const Representative& cluster) const {
  Profile profile(nodes_.size(), 0);
  for (uint32_t p = 1; p < cluster.size(); ++p) {
    ++profile[nodes_.of_class(cluster.class_of(p))];
    nodes_.ForEachOf(cluster, p, [&](uint32_t node) { ++profile[node]; });
  }
  return profile;
}

std::vector<ClusterBound::Entry> ClusterBound::CommonOf(
    const std::vector<RecordId>& records) const {
  const auto entries = [&](RecordId record) { return entries_.data() + first_entry_[record]; };
  std::vector<Entry> common(entries(records.front()), entries(records.front() + 1));
  for (size_t i = 1; i < records.size(); ++i) {
    const Entry* at = entries(records[i]);
    const Entry* end = entries(records[i] + 1);
    size_t kept = 0;
    for (const Entry& entry : common) {
      while (at != end && at->node < entry.node) ++at;
      if (at == end) break;
      if (at->node != entry.node) continue;
      common[kept++] = {entry.node, std::min(entry.count, at->count), entry.gain};
    }
    common.resize(kept);
  }
  return common;
}

namespace {

Units MostBelow(const ClusterBound::Profile& profile, const ClusterBound::Entry* begin,
                const ClusterBound::Entry* end) {
  Units most = 0;
  for (const ClusterBound::Entry* entry = begin; entry != end; ++entry) {
    const Units pairs = std::min(profile[entry->node], entry->count);
    most += pairs * entry->gain;
  }
  return most;
}

}  // namespace

Units ClusterBound::Most(const Representative& cluster, const Profile& profile,
                         RecordId record) const {
  if (cluster.size() == 0) return 0;
  return nodes_.Saved(cluster, 0, model_->forest().root(record)) +
         MostBelow(profile, entries_.data() + first_entry_[record],
                   entries_.data() + first_entry_[record + 1]);
}

Units ClusterBound::Most(const Representative& cluster, const Profile& profile,
                         const std::vector<RecordId>& records,
                         const std::vector<Entry>& common) const {
  if (cluster.size() == 0) return 0;
  Units root = model_->vertex_weight(0);
  for (const RecordId record : records)
    root = std::min(root, nodes_.Saved(cluster, 0, model_->forest().root(record)));
  return root + MostBelow(profile, common.data(), common.data() + common.size());
}

}  // namespace thicket
