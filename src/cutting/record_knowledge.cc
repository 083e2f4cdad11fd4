#include "cutting/record_knowledge.h"

#include <algorithm>

namespace thicket {

void RecordKnowledge::Clear() {
  labels.assign(1, kRecord);
  over.clear();
  secrets.assign(1, {});
}

uint32_t RecordKnowledge::PlaceOf(Item label) {
  const auto place = std::find(labels.begin(), labels.end(), label);
  if (place != labels.end()) return static_cast<uint32_t>(place - labels.begin());
  labels.push_back(label);
  secrets.emplace_back();
  return static_cast<uint32_t>(labels.size() - 1);
}

void ReadTree(const LabelTree& tree, RecordKnowledge& known) {
  known.Clear();
  for (uint32_t node = 0; node < tree.size(); ++node) {
    const uint32_t place = known.PlaceOf(tree.label(node));
    for (uint32_t above = tree.parent(node); above != LabelTree::kNoParent;
         above = tree.parent(above)) {
      known.over.emplace_back(known.PlaceOf(tree.label(above)), place);
    }
  }
}

KnowledgeReader::KnowledgeReader(const ItemHierarchy& items, const EncodedDataset& data,
                                 const Recoded& recoded)
    : items_(items), data_(data), recoded_(recoded) {
  uint32_t next = 0;
  for (const VertexClass& one : data.schema().classes) {
    first_secret_.push_back(next);
    next += static_cast<uint32_t>(one.sensitive.size());
  }
}

const RecordKnowledge& KnowledgeReader::Read(RecordId record) {
  known_.Clear();
  open_.clear();
  for (uint32_t v = recoded_.root[record]; v < recoded_.root[record + 1]; ++v) {
    while (!open_.empty() && open_.back().end <= v) open_.pop_back();
    Open here = {v + recoded_.subtree_size[v], {}, {}};
    if (!open_.empty()) here.path = open_.back().path;
    const ClassId id = recoded_.vertex_class[v];
    for (uint32_t slot = 0; slot < data_.classes[id].domains.size(); ++slot) {
      const Label label = recoded_.label(v, slot);
      if (label == kNoLabel) continue;
      const ItemHierarchy::Attribute& attribute =
          items_.attributes()[items_.first_attribute(id) + slot];
      const uint32_t place = known_.PlaceOf(ItemHierarchy::root(attribute) + label.low);
      for (const uint32_t above : here.path) known_.over.emplace_back(above, place);
      here.path.push_back(place);
      here.shown.push_back(place);
    }
    if (open_.empty()) here.shown.push_back(0);
    if (here.shown.empty()) here.shown = open_.back().shown;
    for (const uint32_t place : here.shown) AddSecrets(v, place);
    open_.push_back(std::move(here));
  }
  return known_;
}

void KnowledgeReader::AddSecrets(uint32_t vertex, uint32_t place) {
  const ClassId id = recoded_.vertex_class[vertex];
  const VertexClass& one = data_.schema().classes[id];
  for (const Vertex source : recoded_.sources_of(vertex)) {
    for (uint32_t i = 0; i < one.sensitive.size(); ++i) {
      if (data_.forest().value(source, one.sensitive_slot(i)) == kMissing) continue;
      known_.secrets[place].emplace_back(first_secret_[id] + i, data_.Bucket(source, i));
    }
  }
}

}  // namespace thicket
