#include "cutting/fact_index.h"

#include <set>

namespace thicket {

FactIndex::FactIndex(const ItemHierarchy& items, const std::vector<Item>& label_of, size_t records,
                     bool negative)
    : items_(&items), weight_(records, 0), node_of_(items.size(), 0) {
  std::set<Item> labels;
  for (Item item = 0; item < items.size(); ++item) {
    if (items.is_leaf(item) && !items.is_left_out(label_of[item])) labels.insert(label_of[item]);
  }
  std::set<Item> above;
  for (Item label : labels) {
    if (!negative) break;
    for (label = items.parent(label); !items.is_left_out(label); label = items.parent(label)) {
      above.insert(label);
    }
  }
  items_of_nodes_.assign(labels.begin(), labels.end());
  items_of_nodes_.insert(items_of_nodes_.end(), above.begin(), above.end());
  labels_ = static_cast<uint32_t>(labels.size());
  for (uint32_t node = 0; node < nodes(); ++node) node_of_[item(node)] = node;
  present_.assign(nodes(), ShapeSet(records));
  over_.resize(size_t{labels_} * nodes());
  secrets_.resize(nodes() + size_t{1});
}

FactIndex FactIndex::OfShapes(const ItemHierarchy& items, const Shapes& shapes,
                              const std::vector<Item>& label_of, const BrokenRelations& broken,
                              bool negative) {
  FactIndex index(items, label_of, shapes.size(), negative);
  LabelTree tree(items);
  RecordKnowledge known;
  for (uint32_t shape = 0; shape < shapes.size(); ++shape) {
    tree.Load(shapes, shape, label_of);
    tree.Apply(broken);
    ReadTree(tree, known);
    index.Add(shape, shapes.weight(shape), known);
  }
  index.Finish();
  return index;
}

FactIndex FactIndex::OfRecords(const ItemHierarchy& items, const EncodedDataset& data,
                               const Recoded& recoded, const std::vector<Item>& label_of,
                               bool negative) {
  const auto records = static_cast<uint32_t>(recoded.record_count());
  FactIndex index(items, label_of, records, negative);
  KnowledgeReader reader(items, data, recoded);
  for (uint32_t record = 0; record < records; ++record) index.Add(record, 1, reader.Read(record));
  index.Finish();
  return index;
}

void FactIndex::AddTo(ShapeSet& set, uint32_t record) const {
  if (set.words.empty()) set = ShapeSet(records());
  set.Add(record, weight_[record]);
}

void FactIndex::Unite(const ShapeSet& from, ShapeSet& into) const {
  ForEachShape(from.words, [&](uint32_t record) { AddTo(into, record); });
}

void FactIndex::Add(uint32_t record, uint32_t weight, const RecordKnowledge& known) {
  weight_[record] = weight;
  node_at_.assign(1, nodes());
  for (size_t place = 1; place < known.labels.size(); ++place) {
    node_at_.push_back(node_of_[known.labels[place]]);
    AddTo(present_[node_at_.back()], record);
  }
  for (const auto& [upper, lower] : known.over) {
    AddTo(over_[size_t{node_at_[upper]} * nodes() + node_at_[lower]], record);
  }
  for (size_t place = 0; place < known.secrets.size(); ++place) {
    std::vector<ShapeSet>& sets = secrets_[node_at_[place]];
    for (const Secret& secret : known.secrets[place]) {
      const size_t number =
          number_of_secret_.try_emplace(secret, number_of_secret_.size()).first->second;
      if (sets.size() <= number) sets.resize(number + 1);
      AddTo(sets[number], record);
    }
  }
}

void FactIndex::Finish() {
  for (uint32_t label = 0; label < labels_; ++label) {
    for (Item up = items_->parent(item(label)); labels_ < nodes() && !items_->is_left_out(up);
         up = items_->parent(up)) {
      const uint32_t node = node_of_[up];
      Unite(present_[label], present_[node]);
      for (uint32_t upper = 0; upper < labels_; ++upper) {
        Unite(over(upper, label), over_[size_t{upper} * nodes() + node]);
      }
    }
  }
}

}  // namespace thicket
