#include "cutting/label_tree.h"

#include <algorithm>

namespace thicket {

void LabelTree::Load(const Shapes& shapes, size_t shape, const std::vector<Item>& label_of) {
  Clear();
  const uint32_t begin = shapes.first(shape);
  const uint32_t end = shapes.end(shape);
  node_of_.resize(end - begin);
  for (uint32_t node = begin; node < end; ++node) {
    const uint32_t above = shapes.parent(node) == Shapes::kNoParent
                               ? kNoParent
                               : node_of_[shapes.parent(node) - begin];
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
  const size_t count = size();
  if (count == 0) return 1;
  // The last place is the record's root.
  first_same_.resize(count);
  next_sibling_.resize(count);
  first_child_.assign(count + 1, kNoParent);
  domain_.resize(count + 1);
  depth_.resize(count + 1);
  domain_[count] = 1;
  depth_[count] = 0;
  double sum = 0;
  uint32_t leaves = 0;
  for (uint32_t node = 0; node < count; ++node) {
    const uint32_t above =
        parents_[node] == kNoParent ? static_cast<uint32_t>(count) : first_same_[parents_[node]];
    uint32_t same = first_child_[above];
    while (same != kNoParent && labels_[same] != labels_[node]) same = next_sibling_[same];
    if (same != kNoParent) {
      first_same_[node] = same;
      continue;
    }
    first_same_[node] = node;
    next_sibling_[node] = first_child_[above];
    first_child_[above] = node;
    depth_[node] = depth_[above] + 1;
    domain_[node] =
        domain_[above] * depth_[node] * items_->level_size(items_->level(labels_[node]));
  }
  for (uint32_t node = 0; node < count; ++node) {
    if (first_same_[node] != node || first_child_[node] != kNoParent) continue;
    ++leaves;
    sum += 1 / domain_[node];
  }
  return sum / leaves;
}

bool LabelTree::Apply(const BrokenRelations& broken) {
  applicable_.clear();
  for (uint32_t node = 0; node < size(); ++node) {
    for (const uint32_t number : broken.of_lower(labels_[node])) {
      if (AncestorWith(node, broken.relations()[number].above) != kNoParent) {
        applicable_.push_back(number);
      }
    }
  }
  if (applicable_.empty()) return false;
  std::sort(applicable_.begin(), applicable_.end());
  applicable_.erase(std::unique(applicable_.begin(), applicable_.end()), applicable_.end());
  for (const uint32_t number : applicable_) Break(broken.relations()[number]);
  return true;
}

}  // namespace thicket
