#include "cutting/kmn/item_hierarchy.h"

#include <utility>

namespace thicket {

ItemHierarchy::ItemHierarchy(const EncodedDataset& data) : labels_(data) {
  std::vector<Item> parents;
  for (const LabelSpace::Attribute& labels : labels_.attributes()) AddAttribute(labels, parents);
  forest_ = ItemForest(std::move(parents));
  for (const uint32_t level : level_) peers_.push_back(level_size_[level]);
  FindLosses();
}

void ItemHierarchy::FindLosses() {
  std::vector<uint32_t> leaves(size(), 0);
  for (auto item = static_cast<Item>(size()); item-- > 0;) {
    if (is_leaf(item)) leaves[item] = 1;
    if (!forest_.is_root(item)) leaves[parent(item)] += leaves[item];
  }
  loss_.assign(size(), 0);
  for (Item item = 0; item < size(); ++item) {
    const uint32_t all = leaves[attribute(item).left_out];
    if (is_left_out(item)) {
      loss_[item] = 2;
    } else if (all > 1) {
      loss_[item] = static_cast<double>(leaves[item] - 1) / (all - 1);
    }
  }
}

void ItemHierarchy::AddAttribute(const LabelSpace::Attribute& labels, std::vector<Item>& parents) {
  Attribute attribute;
  attribute.class_id = labels.class_id;
  attribute.slot = labels.slot;
  attribute.left_out = static_cast<Item>(parents.size());
  const auto add = [&](Item parent, uint32_t level) {
    parents.push_back(parent);
    level_.push_back(level);
    if (level_size_.size() <= level) level_size_.resize(level + 1, 0);
    ++level_size_[level];
  };
  add(attribute.left_out, 0);
  for (LabelId label = labels.first; label < labels.end; ++label) {
    if (label == labels.missing) continue;
    const LabelId parent = labels_.parent(label);
    add(parent == LabelSpace::kNone ? attribute.left_out : root(attribute) + parent - labels.first,
        labels_.level(label) + 1);
  }
  attribute.end = static_cast<Item>(parents.size());
  attribute_of_.resize(attribute.end, static_cast<uint32_t>(attributes_.size()));
  attributes_.push_back(attribute);
}

}  // namespace thicket
