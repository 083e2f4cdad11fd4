#include "grouping/cluster_bound.h"

#include <algorithm>

namespace thicket {

ClusterBound::ClusterBound(const TreeModel& model, bool equal_only) : model_(&model) {
  const size_t classes = model.schema().classes.size();
  first_node_.resize(classes);
  for (size_t id = 0; id < classes; ++id) {
    // A vertex that is kept saves its own unit, and at most its whole labels where no taxonomy says less.
    class_node_.push_back(static_cast<uint32_t>(gain_.size()));
    gain_.push_back(1);
    for (const Domain& domain : model.data().classes[id].domains) {
      first_node_[id].push_back(static_cast<uint32_t>(gain_.size()));
      if (domain.is_numeric()) {
        gain_[class_node_[id]] += kLabelUnits;
        continue;
      }
      const Taxonomy& taxonomy = domain.taxonomy();
      for (Node node = 0; node < taxonomy.node_count(); ++node) {
        if (equal_only) {
          gain_.push_back(node >= taxonomy.first_leaf() ? kLabelUnits : 0);
          continue;
        }
        const Node parent = taxonomy.parent(node);
        const Units above = node == Taxonomy::kRoot ? kLabelUnits : domain.Loss({parent, parent});
        gain_.push_back(above - domain.Loss({node, node}));
      }
    }
  }

  const Forest& forest = model.forest();
  std::vector<uint32_t> seen;
  first_entry_.push_back(0);
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    seen.clear();
    const Vertex root = forest.root(record);
    for (Vertex v = root + 1; v < root + forest.record_size(record); ++v) {
      const ClassId id = forest.class_of(v);
      const auto& domains = model.data().classes[id].domains;
      ForEachNode(
          id,
          [&](size_t slot) {
            return domains[slot].taxonomy().first_leaf() + forest.value(v, slot);
          },
          [&](uint32_t number) { seen.push_back(number); });
    }
    std::sort(seen.begin(), seen.end());
    for (size_t i = 0; i < seen.size();) {
      const auto end = std::upper_bound(seen.begin(), seen.end(), seen[i]);
      const auto count = static_cast<size_t>(end - seen.begin()) - i;
      if (gain_[seen[i]] > 0) {
        entries_.push_back(
            {seen[i], static_cast<uint32_t>(count), static_cast<uint32_t>(gain_[seen[i]])});
      }
      i += count;
    }
    first_entry_.push_back(entries_.size());
  }
}

template <typename LabelOf, typename Visit>
void ClusterBound::ForEachNode(ClassId id, const LabelOf& label_of, const Visit& visit) const {
  visit(class_node_[id]);
  const auto& domains = model_->data().classes[id].domains;
  for (size_t slot = 0; slot < domains.size(); ++slot) {
    if (domains[slot].is_numeric()) continue;
    const Taxonomy& taxonomy = domains[slot].taxonomy();
    Node node = label_of(slot);
    for (; node != Taxonomy::kRoot; node = taxonomy.parent(node)) {
      visit(first_node_[id][slot] + node);
    }
    visit(first_node_[id][slot] + Taxonomy::kRoot);
  }
}

ClusterBound::Profile ClusterBound::ProfileOf(const Representative& cluster) const {
  Profile profile(gain_.size(), 0);
  for (uint32_t p = 1; p < cluster.size(); ++p) {
    ForEachNode(
        cluster.class_of(p), [&](size_t slot) { return cluster.labels(p)[slot].low; },
        [&](uint32_t number) { ++profile[number]; });
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

Units ClusterBound::RootSimilarity(const Representative& cluster, RecordId record) const {
  const auto& domains = model_->data().classes[0].domains;
  const Vertex root = model_->forest().root(record);
  Units similarity = model_->vertex_weight(0);
  for (size_t slot = 0; slot < domains.size(); ++slot) {
    similarity -=
        domains[slot].MergeLoss(cluster.labels(0)[slot], model_->forest().value(root, slot));
  }
  return similarity;
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
  return RootSimilarity(cluster, record) + MostBelow(profile,
                                                     entries_.data() + first_entry_[record],
                                                     entries_.data() + first_entry_[record + 1]);
}

Units ClusterBound::Most(const Representative& cluster, const Profile& profile,
                         const std::vector<RecordId>& records,
                         const std::vector<Entry>& common) const {
  if (cluster.size() == 0) return 0;
  Units root = model_->vertex_weight(0);
  for (const RecordId record : records) root = std::min(root, RootSimilarity(cluster, record));
  return root + MostBelow(profile, common.data(), common.data() + common.size());
}

}  // namespace thicket
