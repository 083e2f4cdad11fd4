// The taxonomies that a cut goes through, as one forest of numbered items.
//
// An item is a node of some taxonomy; a root is the top of one. Items are dense numbers, a parent before its children.
// Nothing here knows of attributes, labels or records: whoever searches for a cut brings a forest, which may be less
// than the taxonomies: items that no cut may show are left out, and a search that may begin below the roots begins with
// more of them.
//
//   const ItemForest forest({0, 0, 0, 3});       // item 0 above 1 and 2; item 3 by itself
//   for (const Item child : forest.Children(item)) ...
//   forest.CountCuts();                          // 2
//
// A cut has exactly one item on each way from a root to a leaf (Section 3.1.2 of Liu 2010).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thicket {

using Item = uint32_t;

class ItemForest {
 public:
  ItemForest() = default;
  // By item: its parent, which has a lower number; a root is its own parent.
  explicit ItemForest(std::vector<Item> parents);

  size_t size() const { return parent_.size(); }
  // Ascending.
  const std::vector<Item>& roots() const { return roots_; }
  Item parent(Item item) const { return parent_[item]; }
  bool is_root(Item item) const { return parent_[item] == item; }
  // Ascending.
  std::span<const Item> Children(Item item) const {
    return {children_.data() + first_child_[item], first_child_[item + 1] - first_child_[item]};
  }
  bool is_leaf(Item item) const { return first_child_[item] == first_child_[item + 1]; }

  // How many cuts there are: the product over the roots, each of which has 1 + the product over its children (Section
  // 3.1.4.2 of Liu 2010). Counted, not visited. Exact up to 2^53, near beyond, infinite beyond 1e308.
  double CountCuts() const;

 private:
  std::vector<Item> parent_;
  std::vector<Item> roots_;
  std::vector<uint32_t> first_child_ = {0};
  std::vector<Item> children_;
};

}  // namespace thicket
