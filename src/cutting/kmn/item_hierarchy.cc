#include "cutting/kmn/item_hierarchy.h"

#include <utility>

namespace thicket {

ItemHierarchy::ItemHierarchy(const EncodedDataset& data) : data_(&data) {
  const Schema& schema = data.schema();
  std::vector<Item> parents;
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    first_attribute_.push_back(static_cast<uint32_t>(attributes_.size()));
    for (size_t slot = 0; slot < schema.classes[id].quasi.size(); ++slot) {
      AddAttribute(data.classes[id].domains[slot], static_cast<ClassId>(id),
                   static_cast<uint32_t>(slot), parents);
    }
  }
  forest_ = ItemForest(std::move(parents));

  for (const uint32_t level : level_) peers_.push_back(level_size_[level]);

  FindLosses();

  const size_t count = attributes_.size();
  may_stand_below_.assign(count * count, false);
  for (size_t above = 0; above < count; ++above) {
    for (size_t below = 0; below < count; ++below) {
      ClassId id = attributes_[below].class_id;
      if (id == attributes_[above].class_id) {
        may_stand_below_[above * count + below] = above < below;
        continue;
      }
      while (id != 0 && id != attributes_[above].class_id) id = schema.classes[id].parent;
      may_stand_below_[above * count + below] = id == attributes_[above].class_id;
    }
  }
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

void ItemHierarchy::AddAttribute(const Domain& domain, ClassId id, uint32_t slot,
                                 std::vector<Item>& parents) {
  const Taxonomy& taxonomy = domain.taxonomy();
  // The missing value is the last leaf of all.
  const size_t nodes = taxonomy.node_count() - (domain.has_missing() ? 1 : 0);
  const auto number = static_cast<uint32_t>(attributes_.size());
  Attribute attribute;
  attribute.class_id = id;
  attribute.slot = slot;
  attribute.left_out = static_cast<Item>(parents.size());
  attribute.end = attribute.left_out + 1 + static_cast<Item>(nodes);
  attribute_of_.resize(attribute.end, number);
  const auto add = [&](Item parent, uint32_t level) {
    parents.push_back(parent);
    level_.push_back(level);
    if (level_size_.size() <= level) level_size_.resize(level + 1, 0);
    ++level_size_[level];
  };
  add(attribute.left_out, 0);
  for (Node node = 0; node < nodes; ++node) {
    add(node == Taxonomy::kRoot ? attribute.left_out
                                : attribute.left_out + 1 + taxonomy.parent(node),
        taxonomy.depth(node) + 1);
  }
  attributes_.push_back(attribute);
}

std::optional<Item> ItemHierarchy::Leaf(uint32_t attribute, Value value) const {
  const Attribute& one = attributes_[attribute];
  const Domain& domain = data_->classes[one.class_id].domains[one.slot];
  if (domain.IsMissing(value)) return std::nullopt;
  return root(one) + domain.Leaf(value).low;
}

}  // namespace thicket
