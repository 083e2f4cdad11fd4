// Whose sensitive value keeps two vertices apart: that of the vertex itself, or, where it has none, of the nearest vertex above it that has one.
//
// Vertices stand together only where their parents do, so a value that is full at a course keeps the books of the course apart
// as well. Bounds of the similarity count nothing at a label whose only vertex is kept apart. The root's own values are
// not looked at here: where these are full, nothing stands together.
//
//   std::vector<uint32_t> decider;
//   FindDeciders(model, tree, 0, tree.size(), decider);
//   if (decider[p] != kNoDecider) full = tree.full_bits(decider[p], 0);
//
// Only attributes whose values 64 bits tell apart decide, and only where they are the only sensitive ones of their vertex.
#pragma once

#include <cstdint>
#include <vector>

#include "matching/tree_model.h"

namespace thicket {

inline constexpr uint32_t kNoDecider = ~uint32_t{0};

// The vertices of the class have exactly one sensitive attribute, told apart by 64 bits.
inline bool OneBitDecides(const TreeModel& model, ClassId id) {
  return model.sensitive_count(id) == 1 && model.bits_decide(id, 0);
}

// By vertex of the tree from `first` (its root) to `end`: the vertex whose value decides, or kNoDecider.
template <typename Tree>
void FindDeciders(const TreeModel& model, const Tree& tree, uint32_t first, uint32_t end,
                  std::vector<uint32_t>& decider) {
  decider.assign(end - first, kNoDecider);
  for (uint32_t v = first; v < end; ++v) {
    for (const uint32_t child : tree.Children(v)) {
      decider[child - first] =
          OneBitDecides(model, tree.class_of(child)) ? child : decider[v - first];
    }
  }
}

}  // namespace thicket
