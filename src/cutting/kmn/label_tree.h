// The tree of one shape under a cut, with relations broken: what is published of a record.
//
//   LabelTree tree(items);
//   tree.Load(shapes, shape, label_of);
//   tree.Apply(broken);
//   for (uint32_t node = 0; node < tree.size(); ++node) Use(tree.label(node), tree.parent(node));
//
// Siblings with equal labels are left side by side: whoever looks at paths, labels or relations sees no difference, and
// merging them first would give the same result.
//
// Section II-D of Gkountouna et al. 2013.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cutting/kmn/item_hierarchy.h"
#include "cutting/kmn/shapes.h"

namespace thicket {

// Label `above` stands above label `below`.
struct Relation {
  Item above = 0;
  Item below = 0;
  friend bool operator==(const Relation&, const Relation&) = default;
  friend bool operator<(const Relation& a, const Relation& b) {
    return a.above != b.above ? a.above < b.above : a.below < b.below;
  }
};

// Relations that were broken, in this order. Breaking "a over b" makes b a sibling of a, and leaves b's children where
// b was (Definition 2); the order matters where the lower label of one relation is a label of another.
class BrokenRelations {
 public:
  explicit BrokenRelations(size_t items) : of_lower_(items) {}

  void Add(const Relation& relation) {
    const Upper upper = {relation.above, static_cast<uint32_t>(relations_.size())};
    std::vector<Upper>& uppers = of_lower_[relation.below];
    uppers.insert(std::upper_bound(uppers.begin(), uppers.end(), upper), upper);
    relations_.push_back(relation);
  }
  bool empty() const { return relations_.empty(); }
  const std::vector<Relation>& relations() const { return relations_; }

  // An upper label, and the number of its relation.
  struct Upper {
    Item label = 0;
    uint32_t number = 0;
    friend bool operator<(const Upper& a, const Upper& b) {
      return a.label != b.label ? a.label < b.label : a.number < b.number;
    }
  };
  // The broken relations whose lower label is `label`, by upper label; ascending.
  const std::vector<Upper>& of_lower(Item label) const { return of_lower_[label]; }

 private:
  std::vector<Relation> relations_;
  std::vector<std::vector<Upper>> of_lower_;
};

class LabelTree {
 public:
  static constexpr uint32_t kNoParent = Shapes::kNoParent;

  explicit LabelTree(const ItemHierarchy& items) : items_(&items) {}

  // Items whose label is left out are no nodes; what is below them hangs below their parents.
  void Load(const Shapes& shapes, size_t shape, const std::vector<Item>& label_of);
  // A node by hand; parents come first.
  uint32_t Add(uint32_t parent, Item label) {
    if (size_ == labels_.size()) Grow(2 * size_ + 16);
    labels_[size_] = label;
    parents_[size_] = parent;
    moved_[size_] = 0;
    return size_++;
  }
  void Clear() { size_ = 0; }
  void Apply(const BrokenRelations& broken);
  // Breaks one relation.
  void Break(const Relation& relation);

  // RPD of the record (equation 2): the mean over its paths of one over the size of the path's domain; 1 without
  // labels.
  double Rpd();

  size_t size() const { return size_; }
  Item label(uint32_t node) const { return labels_[node]; }
  // The parent of `node`, a node with a lower number, or kNoParent.
  uint32_t parent(uint32_t node) const { return parents_[node]; }
  // Whether the node was moved away from where it stood.
  bool moved(uint32_t node) const { return moved_[node] != 0; }

 private:
  void Grow(size_t nodes);
  uint32_t AncestorWith(uint32_t node, Item label) const;

  const ItemHierarchy* items_;
  // Of the nodes, of which the first `size_` count.
  uint32_t size_ = 0;
  std::vector<Item> labels_;
  std::vector<uint32_t> parents_;
  std::vector<uint8_t> moved_;
  std::vector<uint32_t> node_of_;
  std::vector<uint32_t> applicable_;
  // By node: the first node with the same path; and by such a first node, the next one in the list of its siblings.
  std::vector<uint32_t> first_same_;
  std::vector<uint32_t> next_sibling_;
  std::vector<uint32_t> first_child_;
  std::vector<double> domain_;
  std::vector<uint32_t> depth_;
};

}  // namespace thicket
