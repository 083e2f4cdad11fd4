#include "cutting/record_knowledge.h"

#include <algorithm>

namespace thicket {

namespace {

class Reader {
 public:
  Reader(const ItemHierarchy& items, const EncodedDataset& data, const Recoded& recoded)
      : items_(items), data_(data), recoded_(recoded) {
    uint32_t next = 0;
    for (const VertexClass& one : data.schema().classes) {
      first_secret_.push_back(next);
      next += static_cast<uint32_t>(one.sensitive.size());
    }
  }

  RecordKnowledge Read(RecordId record) {
    RecordKnowledge known;
    known.labels.push_back(RecordKnowledge::kRecord);
    known.secrets.emplace_back();
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    // By open vertex: where it ends, the places of labels on its path, and those that it shows (the root's are it itself).
    struct Open {
      uint32_t end;
      std::vector<uint32_t> path;
      std::vector<uint32_t> shown;
    };
    std::vector<Open> open;
    for (uint32_t v = recoded_.root[record]; v < recoded_.root[record + 1]; ++v) {
      while (!open.empty() && open.back().end <= v) open.pop_back();
      Open here = {v + recoded_.subtree_size[v], {}, {}};
      if (!open.empty()) here.path = open.back().path;
      const ClassId id = recoded_.vertex_class[v];
      for (uint32_t slot = 0; slot < data_.classes[id].domains.size(); ++slot) {
        const Label label = recoded_.label(v, slot);
        if (label == kNoLabel) continue;
        const ItemHierarchy::Attribute& attribute =
            items_.attributes()[items_.first_attribute(id) + slot];
        const uint32_t place = PlaceOf(known, ItemHierarchy::root(attribute) + label.low);
        for (const uint32_t above : here.path) pairs.emplace_back(above, place);
        here.path.push_back(place);
        here.shown.push_back(place);
      }
      if (open.empty()) here.shown.push_back(0);
      if (here.shown.empty()) here.shown = open.back().shown;
      for (const uint32_t place : here.shown) AddSecrets(v, known.secrets[place]);
      open.push_back(std::move(here));
    }
    known.related.assign(known.labels.size(), std::vector<bool>(known.labels.size(), false));
    for (const auto& [a, b] : pairs) known.related[a][b] = known.related[b][a] = true;
    return known;
  }

 private:
  static uint32_t PlaceOf(RecordKnowledge& known, Item label) {
    const auto place = std::find(known.labels.begin(), known.labels.end(), label);
    if (place != known.labels.end()) {
      return static_cast<uint32_t>(place - known.labels.begin());
    }
    known.labels.push_back(label);
    known.secrets.emplace_back();
    return static_cast<uint32_t>(known.labels.size() - 1);
  }

  void AddSecrets(uint32_t vertex, std::set<Secret>& secrets) const {
    const ClassId id = recoded_.vertex_class[vertex];
    const VertexClass& one = data_.schema().classes[id];
    for (const Vertex source : recoded_.sources_of(vertex)) {
      for (uint32_t i = 0; i < one.sensitive.size(); ++i) {
        if (data_.forest().value(source, one.sensitive_slot(i)) == kMissing) continue;
        secrets.emplace(first_secret_[id] + i, data_.Bucket(source, i));
      }
    }
  }

  const ItemHierarchy& items_;
  const EncodedDataset& data_;
  const Recoded& recoded_;
  std::vector<uint32_t> first_secret_;
};

}  // namespace

std::vector<RecordKnowledge> ReadKnowledge(const ItemHierarchy& items, const EncodedDataset& data,
                                           const Recoded& recoded) {
  Reader reader(items, data, recoded);
  std::vector<RecordKnowledge> records;
  for (RecordId record = 0; record < recoded.record_count(); ++record) {
    records.push_back(reader.Read(record));
  }
  return records;
}

}  // namespace thicket
