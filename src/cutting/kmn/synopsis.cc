#include "cutting/kmn/synopsis.h"

#include <limits>

namespace thicket {

namespace {

constexpr size_t kSmallestTable = 1024;

size_t HashOf(uint32_t parent, Item label) {
  const uint64_t hash = (uint64_t{parent} << 32 | label) * 0x9E3779B97F4A7C15u;
  return static_cast<size_t>(hash ^ hash >> 32);
}

// RPD_a over nodes that are given by number, parents first; nodes that no record has do not count.
template <typename NodeOf>
double RpdA(const ItemHierarchy& items, const NodeOf& node_of,
            const std::vector<uint32_t>& support) {
  const size_t size = support.size();
  std::vector<uint8_t> has_child(size, 0);
  for (size_t i = size; i-- > 1;) {
    if (support[i] > 0) has_child[node_of(i).parent] = 1;
  }
  // By node: the supports on its path added up, and the size of the path's domain.
  std::vector<double> supports(size, 0);
  std::vector<double> domain(size, 1);
  double sum = 0;
  size_t nodes = 0;
  size_t leaves = 0;
  for (size_t i = 1; i < size; ++i) {
    if (support[i] == 0) continue;
    const Synopsis::Node& node = node_of(i);
    ++nodes;
    supports[i] = supports[node.parent] + support[i];
    domain[i] = domain[node.parent] * node.depth * items.level_size(items.level(node.label));
    if (has_child[i] != 0) continue;
    ++leaves;
    sum += supports[i] / domain[i];
  }
  if (leaves == 0) return std::numeric_limits<double>::infinity();
  return sum / static_cast<double>(leaves) / static_cast<double>(nodes);
}

}  // namespace

Synopsis::Synopsis() : nodes_(1), support_(1, 0), last_tree_(1, 0), table_(kSmallestTable, 0) {}

uint32_t Synopsis::FindChild(uint32_t parent, Item label) const {
  size_t place = HashOf(parent, label) & (table_.size() - 1);
  for (; table_[place] != 0; place = (place + 1) & (table_.size() - 1)) {
    const Node& node = nodes_[table_[place]];
    if (node.parent == parent && node.label == label) return table_[place];
  }
  return kNone;
}

uint32_t Synopsis::Child(uint32_t parent, Item label) {
  const uint32_t known = FindChild(parent, label);
  if (known != kNone) return known;
  const auto added = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({parent, label, nodes_[parent].depth + 1});
  support_.push_back(0);
  last_tree_.push_back(0);
  if (2 * nodes_.size() > table_.size()) {
    Grow();
  } else {
    size_t place = HashOf(parent, label) & (table_.size() - 1);
    while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
    table_[place] = added;
  }
  return added;
}

void Synopsis::Grow() {
  table_.assign(table_.size() * 2, 0);
  for (uint32_t node = 1; node < nodes_.size(); ++node) {
    size_t place = HashOf(nodes_[node].parent, nodes_[node].label) & (table_.size() - 1);
    while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
    table_[place] = node;
  }
}

void Synopsis::Add(const LabelTree& tree, uint32_t weight, std::vector<uint32_t>* nodes) {
  ++trees_;
  support_[kRoot] += weight;
  node_of_.resize(tree.size());
  for (uint32_t i = 0; i < tree.size(); ++i) {
    const uint32_t above =
        tree.parent(i) == LabelTree::kNoParent ? kRoot : node_of_[tree.parent(i)];
    const uint32_t node = Child(above, tree.label(i));
    node_of_[i] = node;
    if (last_tree_[node] == trees_) continue;
    last_tree_[node] = trees_;
    support_[node] += weight;
  }
  if (nodes != nullptr) *nodes = node_of_;
}

double Synopsis::Cost(const ItemHierarchy& items) const {
  return RpdA(
      items, [&](size_t i) -> const Node& { return nodes_[i]; }, support_);
}

void SynopsisChange::Begin(const Synopsis& base) {
  base_ = &base;
  added_.clear();
  support_ = base.support_;
  removed_in_.assign(base.size(), 0);
  kept_in_.assign(base.size(), 0);
  trees_ = 0;
  table_.assign(kSmallestTable, 0);
}

uint32_t SynopsisChange::Child(uint32_t parent, Item label) {
  if (!IsNew(parent)) {
    const uint32_t known = base_->FindChild(parent, label);
    if (known != Synopsis::kNone) return known;
  }
  size_t place = HashOf(parent, label) & (table_.size() - 1);
  for (; table_[place] != 0; place = (place + 1) & (table_.size() - 1)) {
    const Synopsis::Node& node = added_[table_[place] - 1];
    if (node.parent == parent && node.label == label) {
      return static_cast<uint32_t>(base_->size()) + table_[place] - 1;
    }
  }
  const uint32_t depth =
      IsNew(parent) ? added_[parent - base_->size()].depth : base_->node(parent).depth;
  const auto added = static_cast<uint32_t>(support_.size());
  added_.push_back({parent, label, depth + 1});
  support_.push_back(0);
  kept_in_.push_back(0);
  removed_in_.push_back(0);
  table_[place] = static_cast<uint32_t>(added_.size());
  if (2 * added_.size() > table_.size()) Grow();
  return added;
}

void SynopsisChange::Grow() {
  table_.assign(table_.size() * 2, 0);
  for (uint32_t i = 0; i < added_.size(); ++i) {
    size_t place = HashOf(added_[i].parent, added_[i].label) & (table_.size() - 1);
    while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
    table_[place] = i + 1;
  }
}

double SynopsisChange::Cost(const ItemHierarchy& items) {
  return RpdA(
      items,
      [&](size_t i) -> const Synopsis::Node& {
        return i < base_->size() ? base_->node(static_cast<uint32_t>(i))
                                 : added_[i - base_->size()];
      },
      support_);
}

}  // namespace thicket
