#include "cutting/kmn/label_tree.h"

#include <algorithm>

namespace thicket {

void LabelTree::Grow(size_t nodes) {
  labels_.resize(nodes);
  parents_.resize(nodes);
  moved_.resize(nodes);
  node_of_.resize(nodes);
  first_same_.resize(nodes);
  next_sibling_.resize(nodes);
  first_child_.resize(nodes + 1);
  domain_.resize(nodes + 1);
  depth_.resize(nodes + 1);
}

void LabelTree::Load(const Shapes& shapes, size_t shape, const std::vector<Item>& label_of) {
  Clear();
  const uint32_t begin = shapes.first(shape);
  const uint32_t end = shapes.end(shape);
  if (end - begin > labels_.size()) Grow(2 * size_t{end - begin});
  for (uint32_t node = begin; node < end; ++node) {
    const uint32_t parent = shapes.parent(node);
    const uint32_t above = parent == Shapes::kNoParent ? kNoParent : node_of_[parent - begin];
    const Item label = label_of[shapes.item(node)];
    node_of_[node - begin] = items_->is_left_out(label) ? above : Add(above, label);
  }
}

uint32_t LabelTree::AncestorWith(uint32_t node, Item label) const {
  uint32_t above = parents_[node];
  while (above != kNoParent && labels_[above] != label) above = parents_[above];
  return above;
}

void LabelTree::Break(const Relation& relation) {
  for (uint32_t node = 0; node < size(); ++node) {
    if (labels_[node] != relation.below) continue;
    const uint32_t upper = AncestorWith(node, relation.above);
    if (upper == kNoParent) continue;
    for (uint32_t child = node + 1; child < size(); ++child) {
      if (parents_[child] == node) parents_[child] = parents_[node];
    }
    parents_[node] = parents_[upper];
    moved_[node] = 1;
  }
}

double LabelTree::Rpd() {
  const uint32_t count = size_;
  if (count == 0) return 1;
  // The last place is the record's root.
  std::fill_n(first_child_.begin(), count + 1, kNoParent);
  domain_[count] = 1;
  depth_[count] = 0;
  for (uint32_t node = 0; node < count; ++node) {
    const uint32_t parent = parents_[node];
    const uint32_t above = parent == kNoParent ? count : first_same_[parent];
    const Item label = labels_[node];
    uint32_t same = first_child_[above];
    while (same != kNoParent && labels_[same] != label) same = next_sibling_[same];
    if (same != kNoParent) {
      first_same_[node] = same;
      continue;
    }
    first_same_[node] = node;
    next_sibling_[node] = first_child_[above];
    first_child_[above] = node;
    depth_[node] = depth_[above] + 1;
    domain_[node] = domain_[above] * depth_[node] * items_->peers(label);
  }
  double sum = 0;
  uint32_t leaves = 0;
  for (uint32_t node = 0; node < count; ++node) {
    if (first_same_[node] != node || first_child_[node] != kNoParent) continue;
    ++leaves;
    sum += 1 / domain_[node];
  }
  return sum / leaves;
}

void LabelTree::Apply(const BrokenRelations& broken) {
  applicable_.clear();
  for (uint32_t node = 0; node < size_; ++node) {
    const std::vector<BrokenRelations::Upper>& uppers = broken.of_lower(labels_[node]);
    if (uppers.empty()) continue;
    for (uint32_t above = parents_[node]; above != kNoParent; above = parents_[above]) {
      const Item label = labels_[above];
      auto upper = std::lower_bound(uppers.begin(), uppers.end(), BrokenRelations::Upper{label, 0});
      for (; upper != uppers.end() && upper->label == label; ++upper) {
        applicable_.push_back(upper->number);
      }
    }
  }
  std::sort(applicable_.begin(), applicable_.end());
  applicable_.erase(std::unique(applicable_.begin(), applicable_.end()), applicable_.end());
  for (const uint32_t number : applicable_) Break(broken.relations()[number]);
}

}  // namespace thicket
