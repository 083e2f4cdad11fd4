// What there is to know of the records under a cut: which shapes have a label, and in which of them two labels are
// related.
//
// Labels have slots, small numbers. Two labels are related where one stands above the other on a path of the tree;
// which of them is the upper one follows from their attributes. Relations with a label of the record's root are not
// kept: they hold wherever both labels do, so whoever knows such a relation knows no more than its labels.
//
//   LabelKnowledge knowledge(labels);
//   knowledge.SetShapes(slot, set);
//   knowledge.Relate(a, b, set);
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cutting/kmn/item_hierarchy.h"
#include "cutting/kmn/shape_set.h"

namespace thicket {

// What an adversary may know, m labels and n relations; and how many records must fit that knowledge, k.
struct KnowledgeLimits {
  uint32_t k = 2;
  uint32_t m = 1;
  uint32_t n = 0;
};

// The most labels that an adversary may know: relations between them are bits of one word.
inline constexpr uint32_t kMostKnownLabels = 8;

// Refers to sets of shapes that the caller keeps.
class LabelKnowledge {
 public:
  LabelKnowledge() = default;
  // By slot.
  explicit LabelKnowledge(std::vector<Item> labels)
      : labels_(std::move(labels)),
        shapes_(labels_.size(), nullptr),
        related_(labels_.size() * labels_.size(), nullptr) {}

  uint32_t size() const { return static_cast<uint32_t>(labels_.size()); }
  Item label(uint32_t slot) const { return labels_[slot]; }
  const ShapeSet& shapes(uint32_t slot) const { return *shapes_[slot]; }
  // Nothing where no record has the relation.
  const ShapeSet* related(uint32_t a, uint32_t b) const {
    return related_[size_t{a} * labels_.size() + b];
  }

  void SetShapes(uint32_t slot, const ShapeSet& shapes) { shapes_[slot] = &shapes; }
  void Relate(uint32_t a, uint32_t b, const ShapeSet* shapes) {
    if (shapes != nullptr && shapes->records == 0) shapes = nullptr;
    related_[size_t{a} * labels_.size() + b] = shapes;
    related_[size_t{b} * labels_.size() + a] = shapes;
  }

 private:
  std::vector<Item> labels_;
  std::vector<const ShapeSet*> shapes_;
  std::vector<const ShapeSet*> related_;
};

}  // namespace thicket
