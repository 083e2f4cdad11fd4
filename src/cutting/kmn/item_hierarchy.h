// All taxonomies of a data set side by side: what a cut goes through.
//
// An item is a label (record/label_space.h), or stands above the root of a taxonomy: "left out", for an attribute that is
// not published at all. Items are dense numbers over all attributes; an attribute's items are consecutive, the left-out one
// first, then its labels in their order, a parent before its children. Missing values are no items.
//
//   ItemHierarchy items(encoded);
//   for (Item child : items.Children(item)) ...
//
// The hierarchy of Figure 4 of Gkountouna et al. 2013, one attribute per class of the paper. Its common root "*" is the
// state in which every attribute is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cutting/item_forest.h"
#include "record/dataset.h"
#include "record/label_space.h"

namespace thicket {

class ItemHierarchy {
 public:
  struct Attribute {
    ClassId class_id = 0;
    // Among the quasi-identifiers of the class.
    uint32_t slot = 0;
    // The left-out item; the root of the taxonomy is the next item.
    Item left_out = 0;
    Item end = 0;
  };

  // All quasi-identifiers must be recoded by taxonomies.
  explicit ItemHierarchy(const EncodedDataset& data);

  // The left-out items are its roots.
  const ItemForest& forest() const { return forest_; }
  size_t size() const { return forest_.size(); }
  // In the order in which they stand on a path: parents' classes first.
  const std::vector<Attribute>& attributes() const { return attributes_; }
  uint32_t attribute_of(Item item) const { return attribute_of_[item]; }
  const Attribute& attribute(Item item) const { return attributes_[attribute_of_[item]]; }
  bool is_left_out(Item item) const { return level_[item] == 0; }
  static Item root(const Attribute& attribute) { return attribute.left_out + 1; }

  // A left-out item is its own parent.
  Item parent(Item item) const { return forest_.parent(item); }
  std::span<const Item> Children(Item item) const { return forest_.Children(item); }
  bool is_leaf(Item item) const { return forest_.is_leaf(item); }
  // 0 for left out, 1 for the root of a taxonomy, and so on.
  uint32_t level(Item item) const { return level_[item]; }
  // How many items of all attributes have this level: |C(u)| as the worked examples of the paper count it.
  uint32_t level_size(uint32_t level) const { return level_size_[level]; }
  // How many items of all attributes have the level of this item.
  double peers(Item item) const { return peers_[item]; }
  // LM' of a label: 0 for a leaf, 1 for the root of a taxonomy; and 2 for a left-out item, since not even whether
  // there was a value is told then.
  double loss(Item item) const { return loss_[item]; }

  // The leaf of a value of the data; nothing for a missing one.
  std::optional<Item> Leaf(ClassId id, size_t slot, Value value) const {
    const LabelId leaf = labels_.Leaf(id, slot, value);
    if (leaf == LabelSpace::kNone) return std::nullopt;
    const uint32_t attribute = labels_.attribute_of(leaf);
    return root(attributes_[attribute]) + (leaf - labels_.attributes()[attribute].first);
  }
  // The label that is published for an item that is not left out.
  Label label(Item item) const {
    const Node node = item - root(attribute(item));
    return {node, node};
  }
  // Whether labels of attribute `below` may stand below labels of `above` on a path.
  bool MayStandBelow(uint32_t above, uint32_t below) const {
    return labels_.MayStandBelow(above, below);
  }
  // Whether the attribute is one of the record's root.
  bool IsOfRoot(uint32_t attribute) const { return attributes_[attribute].class_id == 0; }
  // The attributes of a class, in the order of its quasi-identifiers: first_attribute(id) + slot.
  uint32_t first_attribute(ClassId id) const { return labels_.first_attribute(id); }

 private:
  // Adds an attribute, and the parents of its items to `parents`.
  void AddAttribute(const LabelSpace::Attribute& labels, std::vector<Item>& parents);
  void FindLosses();

  LabelSpace labels_;
  ItemForest forest_;
  std::vector<Attribute> attributes_;
  // By item.
  std::vector<uint32_t> attribute_of_;
  std::vector<uint32_t> level_;
  std::vector<uint32_t> level_size_;
  std::vector<double> peers_;
  std::vector<double> loss_;
};

}  // namespace thicket
