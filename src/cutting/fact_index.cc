#include "cutting/fact_index.h"

#include <algorithm>
#include <set>

namespace thicket {

FactIndex::FactIndex(const ItemHierarchy& items, const Shapes& shapes, const FactRows& rows,
                     const std::vector<Item>& label_of, const BrokenRelations& broken,
                     const Options& options)
    : items_(&items), rows_(&rows), node_of_(items.size(), 0) {
  NameNodes(label_of, options.general);
  present_.assign(nodes(), ShapeSet(rows.size()));
  overlaps_.assign(nodes(), 0);
  by_.assign(nodes(), 0);
  LabelTree tree(items);
  for (uint32_t shape = 0; shape < shapes.size(); ++shape) {
    tree.Load(shapes, shape, label_of);
    tree.Apply(broken);
    Add(shape, tree, options.relations);
  }
}

void FactIndex::NameNodes(const std::vector<Item>& label_of, bool general) {
  const ItemHierarchy& items = *items_;
  std::set<Item> labels;
  for (Item item = 0; item < items.size(); ++item) {
    if (items.is_leaf(item) && !items.is_left_out(label_of[item])) labels.insert(label_of[item]);
  }
  std::set<Item> above;
  for (Item label : labels) {
    if (!general) break;
    for (label = items.parent(label); !items.is_left_out(label); label = items.parent(label)) {
      above.insert(label);
    }
  }
  items_of_nodes_.assign(labels.begin(), labels.end());
  items_of_nodes_.insert(items_of_nodes_.end(), above.begin(), above.end());
  labels_ = static_cast<uint32_t>(labels.size());
  for (uint32_t node = 0; node < nodes(); ++node) node_of_[item(node)] = node;
  for (uint32_t label = 0; label < labels_; ++label) {
    std::vector<uint32_t>& chain = chain_.emplace_back(1, label);
    if (!general) continue;
    for (Item up = items.parent(item(label)); !items.is_left_out(up); up = items.parent(up)) {
      chain.push_back(node_of_[up]);
    }
  }
}

void FactIndex::AddRows(uint32_t shape, ShapeSet& set) const {
  if (set.words.empty()) set = ShapeSet(rows_->size());
  for (uint32_t row = rows_->first(shape); row < rows_->first(shape + 1); ++row) {
    set.Add(row, rows_->weight(row));
  }
}

void FactIndex::Add(uint32_t shape, const LabelTree& tree, bool relations) {
  shown_.clear();
  for (uint32_t node = 0; node < tree.size(); ++node) shown_.push_back(node_of_[tree.label(node)]);
  std::sort(shown_.begin(), shown_.end());
  shown_.erase(std::unique(shown_.begin(), shown_.end()), shown_.end());
  for (const uint32_t label : shown_) {
    for (const uint32_t node : chain_[label]) {
      if (by_[node]++ > 0) {
        overlaps_[node] = 1;
      } else {
        AddRows(shape, present_[node]);
      }
    }
  }
  for (const uint32_t label : shown_) {
    for (const uint32_t node : chain_[label]) by_[node] = 0;
  }
  if (!relations) return;
  for (uint32_t node = 0; node < tree.size(); ++node) {
    const uint32_t lower = node_of_[tree.label(node)];
    for (uint32_t above = tree.parent(node); above != LabelTree::kNoParent;
         above = tree.parent(above)) {
      if (items_->IsOfRoot(items_->attribute_of(tree.label(above)))) break;
      for (const uint32_t up : chain_[node_of_[tree.label(above)]]) {
        for (const uint32_t low : chain_[lower]) AddRows(shape, over_[uint64_t{up} << 32 | low]);
      }
    }
  }
}

}  // namespace thicket
