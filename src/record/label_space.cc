#include "record/label_space.h"

#include <fmt/format.h>

#include <algorithm>

namespace thicket {

LabelSpace::LabelSpace(const EncodedDataset& data) {
  for (size_t id = 0; id < data.classes.size(); ++id) {
    first_attribute_.push_back(static_cast<uint32_t>(attributes_.size()));
    for (size_t slot = 0; slot < data.classes[id].domains.size(); ++slot) {
      Attribute attribute;
      attribute.class_id = static_cast<ClassId>(id);
      attribute.slot = static_cast<uint32_t>(slot);
      AddLabels(data.classes[id].domains[slot], attribute);
      attributes_.push_back(attribute);
    }
  }
  RelateAttributes(data.schema());
}

void LabelSpace::AddLabels(const Domain& domain, Attribute& attribute) {
  attribute.first = static_cast<LabelId>(size());
  attribute.end = attribute.first;
  first_leaf_.push_back(attribute.first);
  if (domain.is_numeric()) return;
  const Taxonomy& taxonomy = domain.taxonomy();
  attribute.end += static_cast<LabelId>(taxonomy.node_count());
  first_leaf_.back() += taxonomy.first_leaf();
  // The missing value is the last leaf of all.
  if (domain.has_missing()) attribute.missing = attribute.end - 1;
  attribute_of_.resize(attribute.end, static_cast<uint32_t>(attributes_.size()));
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    const uint32_t level = taxonomy.depth(node);
    parent_.push_back(node == Taxonomy::kRoot ? kNone : attribute.first + taxonomy.parent(node));
    level_.push_back(level);
    is_leaf_.push_back(taxonomy.is_leaf(node));
    if (attribute.first + node == attribute.missing) continue;
    at_level_.resize(std::max<size_t>(at_level_.size(), level + 1), 0);
    ++at_level_[level];
  }
}

void LabelSpace::RelateAttributes(const Schema& schema) {
  for (size_t above = 0; above < attributes_.size(); ++above) {
    const ClassId upper = attributes_[above].class_id;
    for (size_t below = 0; below < attributes_.size(); ++below) {
      ClassId id = attributes_[below].class_id;
      if (id == upper) {
        may_stand_below_.push_back(above < below);
        continue;
      }
      while (id != 0 && id != upper) id = schema.classes[id].parent;
      may_stand_below_.push_back(id == upper);
    }
  }
}

Status CheckTaxonomies(const EncodedDataset& data) {
  for (size_t id = 0; id < data.classes.size(); ++id) {
    for (size_t quasi = 0; quasi < data.classes[id].domains.size(); ++quasi) {
      if (!data.classes[id].domains[quasi].is_numeric()) continue;
      const VertexClass& vertex_class = data.schema().classes[id];
      return Error{ErrorCode::kUsage,
                   fmt::format("{} of {}: must have a hierarchy to be measured by levels, but has "
                               "free intervals",
                               vertex_class.quasi[quasi].name, vertex_class.name),
                   "replace numeric: true by ranges, for example ranges: [5, 10, 20]", ""};
    }
  }
  return {};
}

}  // namespace thicket
