#include "cutting/kmn/shapes.h"

#include <utility>

#include "base/stop.h"
#include "record/label_chains.h"

namespace thicket {

// Builds one tree after the other, with siblings in order and merged, and keeps the distinct ones.
class ShapeCollector {
 public:
  static constexpr uint32_t kNone = Shapes::kNoParent;

  ShapeCollector() : table_(1024, 0) {}

  void Begin() {
    nodes_.clear();
    first_root_ = kNone;
  }
  // The child of the node with this item, new or known.
  uint32_t Child(uint32_t parent, Item item) {
    uint32_t* link = parent == kNone ? &first_root_ : &nodes_[parent].first_child;
    while (*link != kNone && nodes_[*link].item < item) link = &nodes_[*link].next_sibling;
    if (*link != kNone && nodes_[*link].item == item) return *link;
    const auto added = static_cast<uint32_t>(nodes_.size());
    const Node node = {item, kNone, *link};
    *link = added;
    nodes_.push_back(node);
    return added;
  }
  // Returns the number of the shape.
  uint32_t End(uint32_t weight) {
    const auto first = static_cast<uint32_t>(shapes_.item_.size());
    hash_ = 0;
    Emit(first_root_, kNone);
    shapes_.records_ += weight;
    const uint32_t known = Find(first);
    if (known != kNone) {
      shapes_.item_.resize(first);
      shapes_.parent_.resize(first);
      shapes_.weight_[known] += weight;
      return known;
    }
    shapes_.first_.push_back(static_cast<uint32_t>(shapes_.item_.size()));
    shapes_.weight_.push_back(weight);
    return static_cast<uint32_t>(shapes_.size() - 1);
  }
  Shapes Take() && { return std::move(shapes_); }

 private:
  struct Node {
    Item item;
    uint32_t first_child;
    uint32_t next_sibling;
  };

  void Emit(uint32_t sibling, uint32_t parent) {
    for (; sibling != kNone; sibling = nodes_[sibling].next_sibling) {
      const auto place = static_cast<uint32_t>(shapes_.item_.size());
      shapes_.item_.push_back(nodes_[sibling].item);
      shapes_.parent_.push_back(parent);
      Mix(nodes_[sibling].item);
      Emit(nodes_[sibling].first_child, place);
      Mix(kNone);
    }
  }
  void Mix(uint32_t word) {
    hash_ = (hash_ ^ word) * 0x9E3779B97F4A7C15u;
    hash_ ^= hash_ >> 29;
  }

  bool Same(uint32_t shape, uint32_t first) const {
    const uint32_t begin = shapes_.first_[shape];
    const size_t count = shapes_.item_.size() - first;
    if (shapes_.first_[shape + 1] - begin != count) return false;
    for (size_t i = 0; i < count; ++i) {
      if (shapes_.item_[begin + i] != shapes_.item_[first + i]) return false;
      const uint32_t a = shapes_.parent_[begin + i];
      const uint32_t b = shapes_.parent_[first + i];
      if ((a == kNone) != (b == kNone) || (a != kNone && a - begin != b - first)) return false;
    }
    return true;
  }
  // The known shape that equals the nodes from `first` on; otherwise they become the next one.
  uint32_t Find(uint32_t first) {
    if (2 * (shapes_.size() + 1) > table_.size()) Grow();
    size_t place = hash_ & (table_.size() - 1);
    for (; table_[place] != 0; place = (place + 1) & (table_.size() - 1)) {
      const uint32_t shape = table_[place] - 1;
      if (hashes_[shape] == hash_ && Same(shape, first)) return shape;
    }
    table_[place] = static_cast<uint32_t>(shapes_.size()) + 1;
    hashes_.push_back(hash_);
    return kNone;
  }
  void Grow() {
    table_.assign(table_.size() * 2, 0);
    for (uint32_t shape = 0; shape < hashes_.size(); ++shape) {
      size_t place = hashes_[shape] & (table_.size() - 1);
      while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
      table_[place] = shape + 1;
    }
  }

  Shapes shapes_;
  std::vector<Node> nodes_;
  uint32_t first_root_ = kNone;
  uint64_t hash_ = 0;
  // Open addressing: one more than the number of a shape, 0 for a free place.
  std::vector<uint32_t> table_;
  std::vector<uint64_t> hashes_;
};

Shapes Shapes::Of(const ItemHierarchy& items, const EncodedDataset& data) {
  const Forest& forest = data.forest();
  ShapeCollector collector;
  std::vector<uint32_t> shape_of;
  LabelChains<uint32_t> chains;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    collector.Begin();
    chains.Walk(data.schema(), forest, record, kNoParent,
                [&](uint32_t above, Vertex v, size_t slot) {
                  const auto leaf = items.Leaf(forest.class_of(v), slot, data.value(v, slot));
                  return leaf ? collector.Child(above, *leaf) : above;
                });
    shape_of.push_back(collector.End(1));
  }
  Shapes shapes = std::move(collector).Take();
  shapes.shape_of_ = std::move(shape_of);
  return shapes;
}

Shapes Shapes::Generalized(const ItemHierarchy& items, const std::vector<Item>& label_of) const {
  ShapeCollector collector;
  std::vector<uint32_t> node_of;
  for (size_t shape = 0; shape < size(); ++shape) {
    StopPoint();
    collector.Begin();
    const uint32_t begin = first(shape);
    node_of.assign(end(shape) - begin, kNoParent);
    for (uint32_t node = begin; node < end(shape); ++node) {
      const uint32_t above =
          parent_[node] == kNoParent ? kNoParent : node_of[parent_[node] - begin];
      const Item label = label_of[item_[node]];
      node_of[node - begin] = items.is_left_out(label) ? above : collector.Child(above, label);
    }
    collector.End(weight_[shape]);
  }
  return std::move(collector).Take();
}

}  // namespace thicket
