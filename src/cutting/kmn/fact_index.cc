#include "cutting/kmn/fact_index.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/stop.h"

namespace thicket {

FactIndex::FactIndex(FactStore& store, const std::vector<Item>& label_of,
                     const BrokenRelations& broken, const Options& options)
    : store_(&store), items_(&store.items()), node_of_(items_->size(), kNoNode) {
  NameNodes(label_of, options);
  FindOverlaps();
  if (!options.relations) return;
  Relate();
  if (!broken.empty()) Lose(label_of, broken);
}

void FactIndex::NameNodes(const std::vector<Item>& label_of, const Options& options) {
  const ItemHierarchy& items = *items_;
  const std::span<const Item> fresh = options.fresh;
  std::vector<uint8_t> is_label(items.size(), 0);
  std::vector<uint8_t> is_above(items.size(), 0);
  for (Item item = 0; item < items.size(); ++item) {
    const Item label = label_of[item];
    if (!items.is_leaf(item) || items.is_left_out(label) || is_label[label] != 0) continue;
    is_label[label] = 1;
    for (Item up = label; !items.is_left_out(up) && is_above[items.parent(up)] == 0;) {
      up = items.parent(up);
      is_above[up] = 1;
    }
  }
  std::vector<Item> above;
  for (Item item = 0; item < items.size(); ++item) {
    if (is_label[item] != 0) items_of_nodes_.push_back(item);
    if (is_above[item] != 0) above.push_back(item);
  }
  store_->Learn(above, options.relations);
  const auto others = std::stable_partition(
      items_of_nodes_.begin(), items_of_nodes_.end(),
      [&](Item item) { return std::binary_search(fresh.begin(), fresh.end(), item); });
  fresh_ = static_cast<uint32_t>(others - items_of_nodes_.begin());
  labels_ = nodes();
  std::copy_if(above.begin(), above.end(), std::back_inserter(items_of_nodes_),
               [&](Item item) { return !items.is_left_out(item); });
  for (uint32_t node = 0; node < nodes(); ++node) node_of_[item(node)] = node;
}

void FactIndex::FindOverlaps() {
  overlaps_.assign(nodes(), 0);
  // Those above labels ascend, parents first.
  for (uint32_t node = nodes(); node-- > labels_;) {
    if (store_->children_meet(item(node))) overlaps_[node] = 1;
    const Item parent = items_->parent(item(node));
    if (overlaps_[node] != 0 && !items_->is_left_out(parent)) overlaps_[node_of_[parent]] = 1;
  }
}

void FactIndex::Relate() {
  over_.assign(size_t{nodes()} * nodes(), nullptr);
  for (uint32_t upper = 0; upper < nodes(); ++upper) {
    store_->ForEachOver(item(upper), [&](Item lower, const ShapeWords& rows) {
      if (node_of_[lower] != kNoNode) over_[Pair(upper, node_of_[lower])] = &rows;
    });
  }
}

// Takes broken relations out of the pairs of one tree after the other.
class FactIndex::Loss {
 public:
  explicit Loss(FactIndex& index)
      : index_(index), tree_(*index.items_), seen_(index.over_.size(), 0) {}

  void Lose(uint32_t shape, const std::vector<Item>& label_of, const BrokenRelations& broken) {
    tree_.Load(index_.store_->shapes(), shape, label_of);
    parents_.clear();
    for (uint32_t node = 0; node < tree_.size(); ++node) parents_.push_back(tree_.parent(node));
    tree_.Apply(broken);
    ListLost();
    if (lost_.empty()) return;
    ++looks_;
    for (uint32_t node = 0; node < tree_.size(); ++node) {
      ForEachAbove(
          node, [&](uint32_t above) { return tree_.parent(above); },
          [&](uint32_t above) { See(tree_.label(above), tree_.label(node)); });
    }
    for (const Relation& relation : lost_) RemoveWithAllAbove(relation, shape);
  }

  // What nobody has any more is nothing.
  void Finish() {
    for (const auto& [pair, set] : own_) {
      const bool is_empty =
          std::all_of(set->begin(), set->end(), [](uint64_t word) { return word == 0; });
      if (is_empty) index_.over_[pair] = nullptr;
    }
  }

 private:
  // The nodes above one, as far as relations with them count.
  template <typename Parent, typename Use>
  void ForEachAbove(uint32_t node, const Parent& parent, const Use& use) const {
    const ItemHierarchy& items = *index_.items_;
    for (uint32_t above = parent(node); above != LabelTree::kNoParent; above = parent(above)) {
      if (items.IsOfRoot(items.attribute_of(tree_.label(above)))) break;
      use(above);
    }
  }

  // Labels of nodes that stood above one another, and do not any more.
  void ListLost() {
    lost_.clear();
    changed_.assign(tree_.size(), 0);
    for (uint32_t node = 0; node < tree_.size(); ++node) {
      // Parents come first, before and after.
      const uint32_t parent = tree_.parent(node);
      const bool goes_along = parent != LabelTree::kNoParent && changed_[parent] != 0;
      changed_[node] = parent != parents_[node] || goes_along ? 1 : 0;
      if (changed_[node] == 0) continue;
      above_.clear();
      ForEachAbove(
          node, [&](uint32_t above) { return tree_.parent(above); },
          [&](uint32_t above) { above_.push_back(above); });
      ForEachAbove(
          node, [&](uint32_t above) { return parents_[above]; },
          [&](uint32_t above) {
            if (std::find(above_.begin(), above_.end(), above) != above_.end()) return;
            lost_.push_back({tree_.label(above), tree_.label(node)});
          });
    }
  }

  size_t Pair(Item upper, Item lower) const {
    return index_.Pair(index_.node_of_[upper], index_.node_of_[lower]);
  }

  // Notes that two labels are related, and all that stands above them. Where a pair was seen, so were those above it.
  void See(Item upper, Item lower) {
    const ItemHierarchy& items = *index_.items_;
    for (Item up = upper; !items.is_left_out(up); up = items.parent(up)) {
      if (seen_[Pair(up, lower)] == looks_) return;
      for (Item low = lower; !items.is_left_out(low); low = items.parent(low)) {
        uint32_t& seen = seen_[Pair(up, low)];
        if (seen == looks_) break;
        seen = looks_;
      }
    }
  }

  // Unless it was seen elsewhere in the tree.
  void RemoveWithAllAbove(const Relation& relation, uint32_t shape) {
    const ItemHierarchy& items = *index_.items_;
    for (Item up = relation.above; !items.is_left_out(up); up = items.parent(up)) {
      for (Item low = relation.below; !items.is_left_out(low); low = items.parent(low)) {
        const size_t pair = Pair(up, low);
        if (seen_[pair] != looks_) RemoveRowsOf(index_.rows(), shape, Own(pair));
      }
    }
  }

  // A copy of the store's set, once.
  ShapeWords& Own(size_t pair) {
    const auto [place, is_new] = own_.try_emplace(pair, nullptr);
    if (is_new) {
      place->second = &index_.own_.emplace_back(*index_.over_[pair]);
      index_.over_[pair] = place->second;
    }
    return *place->second;
  }

  FactIndex& index_;
  LabelTree tree_;
  // By pair: the last look at a tree that had it.
  std::vector<uint32_t> seen_;
  uint32_t looks_ = 0;
  // By node of the tree: its parent before anything was broken; and whether other nodes stand above it since.
  std::vector<uint32_t> parents_;
  std::vector<uint8_t> changed_;
  std::vector<uint32_t> above_;
  std::vector<Relation> lost_;
  std::unordered_map<size_t, ShapeWords*> own_;
};

// Breaking a relation takes ancestors away from labels and gives them none. So what changes is in records that have the
// relation while nothing is broken.
void FactIndex::Lose(const std::vector<Item>& label_of, const BrokenRelations& broken) {
  ShapeWords changed(ShapeWordCount(rows().size()), 0);
  for (const Relation& relation : broken.relations()) {
    const ShapeWords* set = over(node_of_[relation.above], node_of_[relation.below]);
    for (size_t i = 0; set != nullptr && i < changed.size(); ++i) changed[i] |= (*set)[i];
  }
  Loss loss(*this);
  store_->ForEachShapeOf(changed, [&](uint32_t shape) {
    StopPoint();
    loss.Lose(shape, label_of, broken);
  });
  loss.Finish();
}

}  // namespace thicket
