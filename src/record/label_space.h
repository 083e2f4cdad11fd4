// The nodes of all taxonomies of a data set in one numbering: by class, by quasi-identifier, by node.
//
// All hierarchies together are one forest. Labels of different attributes differ even where their texts are equal. Whoever needs
// more than labels (cuts that leave an attribute out, the classes of vertices) numbers them behind or between these, and says so.
//
//   const LabelSpace space(encoded);
//   const LabelId label = space.Id(course, code, node);
//   space.parent(label);
//
// The level of a label is its depth in its own taxonomy, so roots are level 0; in taxonomies of unequal depth leaves stand at
// several levels. The leaf for missing values has a number as the last one of its attribute, and counts at no level. An attribute
// with free intervals has no labels here: CheckTaxonomies() refuses it where that matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"

namespace thicket {

using LabelId = uint32_t;

class LabelSpace {
 public:
  static constexpr LabelId kNone = ~uint32_t{0};

  struct Attribute {
    ClassId class_id = 0;
    // Among the quasi-identifiers of the class.
    uint32_t slot = 0;
    // Its labels are [first, end), the root first; none for free intervals.
    LabelId first = 0;
    LabelId end = 0;
    // The leaf for missing values, or kNone.
    LabelId missing = kNone;
  };

  explicit LabelSpace(const EncodedDataset& data);

  size_t size() const { return parent_.size(); }
  LabelId Id(ClassId id, size_t quasi, Node node) const {
    return attributes_[first_attribute_[id] + quasi].first + node;
  }
  // The leaf of a value of the data; kNone for a missing one.
  LabelId Leaf(ClassId id, size_t quasi, Value value) const {
    const Attribute& attribute = attributes_[first_attribute_[id] + quasi];
    const LabelId leaf = first_leaf_[first_attribute_[id] + quasi] + value;
    return leaf == attribute.missing ? kNone : leaf;
  }
  // The label that is published for it.
  Label label(LabelId id) const {
    const Node node = id - attribute(id).first;
    return {node, node};
  }

  // kNone for the root of a taxonomy; otherwise a lower number.
  LabelId parent(LabelId label) const { return parent_[label]; }
  uint32_t level(LabelId label) const { return level_[label]; }
  bool is_leaf(LabelId label) const { return is_leaf_[label]; }
  // How many labels of all taxonomies are at this level; 0 beyond the deepest.
  uint64_t at_level(uint32_t level) const {
    return level < at_level_.size() ? at_level_[level] : 0;
  }
  size_t level_count() const { return at_level_.size(); }

  // In the order in which they stand on a path: parents' classes first.
  const std::vector<Attribute>& attributes() const { return attributes_; }
  // The attributes of a class, in the order of its quasi-identifiers: first_attribute(id) + slot.
  uint32_t first_attribute(ClassId id) const { return first_attribute_[id]; }
  uint32_t attribute_of(LabelId label) const { return attribute_of_[label]; }
  const Attribute& attribute(LabelId label) const { return attributes_[attribute_of_[label]]; }
  // Whether labels of attribute `below` may stand below labels of `above` on a path: it comes later in the same class, or is of
  // a class below.
  bool MayStandBelow(uint32_t above, uint32_t below) const {
    return may_stand_below_[above * attributes_.size() + below];
  }
  // Whether one of the labels could stand above the other.
  bool MayRelate(LabelId a, LabelId b) const {
    return MayStandBelow(attribute_of_[a], attribute_of_[b]) ||
           MayStandBelow(attribute_of_[b], attribute_of_[a]);
  }

 private:
  void AddLabels(const Domain& domain, Attribute& attribute);
  void RelateAttributes(const Schema& schema);

  std::vector<Attribute> attributes_;
  std::vector<LabelId> first_leaf_;        // by attribute
  std::vector<uint32_t> first_attribute_;  // by class
  // By label.
  std::vector<LabelId> parent_;
  std::vector<uint32_t> level_;
  std::vector<bool> is_leaf_;
  std::vector<uint32_t> attribute_of_;
  std::vector<uint64_t> at_level_;
  std::vector<bool> may_stand_below_;
};

// Fails with kUsage if a quasi-identifier has no taxonomy but free intervals.
Status CheckTaxonomies(const EncodedDataset& data);

}  // namespace thicket
