#include "cutting/kmn/fact_index.h"

#include <algorithm>
#include <bit>
#include <set>

#include "base/stop.h"

namespace thicket {

FactIndex::FactIndex(const ItemHierarchy& items, const Shapes& shapes, const FactRows& rows,
                     const std::vector<Item>& label_of, const BrokenRelations& broken,
                     const Options& options)
    : items_(&items), rows_(&rows), node_of_(items.size(), 0) {
  NameNodes(label_of, options);
  present_.assign(nodes(), ShapeSet(rows.size()));
  overlaps_.assign(nodes(), 0);
  LabelTree tree(items);
  for (uint32_t shape = 0; shape < shapes.size(); ++shape) {
    StopPoint();
    tree.Load(shapes, shape, label_of);
    tree.Apply(broken);
    Add(shape, tree, options.relations);
  }
  if (options.general) AddGeneral();
}

void FactIndex::NameNodes(const std::vector<Item>& label_of, const Options& options) {
  const ItemHierarchy& items = *items_;
  const std::span<const Item> fresh = options.fresh;
  const auto is_fresh = [&](Item item) {
    return std::binary_search(fresh.begin(), fresh.end(), item);
  };
  std::set<Item> labels;
  for (Item item = 0; item < items.size(); ++item) {
    if (items.is_leaf(item) && !items.is_left_out(label_of[item])) labels.insert(label_of[item]);
  }
  std::set<Item> above;
  for (Item label : labels) {
    if (!options.general) break;
    for (label = items.parent(label); !items.is_left_out(label); label = items.parent(label)) {
      above.insert(label);
    }
  }
  items_of_nodes_.assign(labels.begin(), labels.end());
  const auto others =
      std::stable_partition(items_of_nodes_.begin(), items_of_nodes_.end(), is_fresh);
  fresh_ = static_cast<uint32_t>(others - items_of_nodes_.begin());
  items_of_nodes_.insert(items_of_nodes_.end(), above.begin(), above.end());
  labels_ = static_cast<uint32_t>(labels.size());
  for (uint32_t node = 0; node < nodes(); ++node) node_of_[item(node)] = node;
  for (uint32_t label = 0; label < labels_; ++label) {
    std::vector<uint32_t>& chain = chain_.emplace_back(1, label);
    if (!options.general) continue;
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
  pairs_.clear();
  for (uint32_t node = 0; relations && node < tree.size(); ++node) {
    for (uint32_t above = tree.parent(node); above != LabelTree::kNoParent;
         above = tree.parent(above)) {
      if (items_->IsOfRoot(items_->attribute_of(tree.label(above)))) break;
      pairs_.push_back(Pair(node_of_[tree.label(above)], shown_[node]));
    }
  }
  for (const uint32_t label : shown_) AddRows(shape, present_[label]);
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  for (const uint64_t pair : pairs_) AddRows(shape, over_[pair]);
}

bool FactIndex::Unite(const ShapeSet& from, ShapeSet& into) const {
  if (into.words.empty()) into = ShapeSet(rows_->size());
  bool both = false;
  for (size_t i = 0; i < from.words.size(); ++i) {
    both = both || (from.words[i] & into.words[i]) != 0;
    for (uint64_t rest = from.words[i] & ~into.words[i]; rest != 0; rest &= rest - 1) {
      into.records += rows_->weight(i * 64 + static_cast<size_t>(std::countr_zero(rest)));
    }
    into.words[i] |= from.words[i];
  }
  return both;
}

void FactIndex::AddGeneral() {
  for (uint32_t label = 0; label < labels_; ++label) {
    for (const uint32_t node : chain_[label]) {
      if (node != label && Unite(present_[label], present_[node])) overlaps_[node] = 1;
    }
  }
  // New ones are no labels' pairs.
  std::vector<uint64_t> pairs;
  for (const auto& [pair, set] : over_) pairs.push_back(pair);
  for (const uint64_t pair : pairs) {
    const auto upper = static_cast<uint32_t>(pair >> 32);
    const auto lower = static_cast<uint32_t>(pair);
    for (const uint32_t up : chain_[upper]) {
      for (const uint32_t low : chain_[lower]) {
        if (up == upper && low == lower) continue;
        Unite(over_.at(pair), over_[Pair(up, low)]);
      }
    }
  }
}

}  // namespace thicket
