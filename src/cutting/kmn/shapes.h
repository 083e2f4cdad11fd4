// The label trees of all records: distinct ones once, with how many records have them.
//
// A vertex with several quasi-identifiers is a chain of nodes with one label each, in the policy's order; its children
// hang below the last one. A missing value is no node. Equal siblings are merged with their subtrees, so siblings are
// distinct, and no attribute occurs twice on a path.
//
//   Shapes shapes = Shapes::Of(items, encoded);                  // labels are leaves
//   Shapes fewer = shapes.Generalized(label_of);                 // label_of[leaf] is what the leaf is generalized to
//
// The data model of Section II-A of Gkountouna et al. 2013; distinct shapes take the place of its lists of record ids.
// O(nodes * siblings).
#pragma once

#include <cstdint>
#include <vector>

#include "cutting/kmn/item_hierarchy.h"

namespace thicket {

class Shapes {
 public:
  // Above the nodes without a parent, which are children of the record's pseudo-root.
  static constexpr uint32_t kNoParent = ~uint32_t{0};

  static Shapes Of(const ItemHierarchy& items, const EncodedDataset& data);
  // Items that map to a left-out item are no nodes any more; what was below them hangs below their parents.
  Shapes Generalized(const ItemHierarchy& items, const std::vector<Item>& label_of) const;

  size_t size() const { return weight_.size(); }
  // How many records have the shape.
  uint32_t weight(size_t shape) const { return weight_[shape]; }
  uint64_t records() const { return records_; }
  // By record of the data set that the shapes were made of.
  uint32_t shape_of(RecordId record) const { return shape_of_[record]; }
  size_t node_count() const { return item_.size(); }

  // The nodes of a shape, in preorder; siblings ascend by item.
  uint32_t first(size_t shape) const { return first_[shape]; }
  uint32_t end(size_t shape) const { return first_[shape + 1]; }
  Item item(uint32_t node) const { return item_[node]; }
  // A node of the same shape, or kNoParent.
  uint32_t parent(uint32_t node) const { return parent_[node]; }

 private:
  friend class ShapeCollector;

  uint64_t records_ = 0;
  std::vector<uint32_t> shape_of_;
  std::vector<uint32_t> first_ = {0};
  std::vector<uint32_t> weight_;
  std::vector<Item> item_;
  std::vector<uint32_t> parent_;
};

}  // namespace thicket
