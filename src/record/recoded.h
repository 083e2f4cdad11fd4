// What global recoding publishes: one tree per record, whose vertices show some of the labels of their class.
//
// One cut through the taxonomies recodes everybody, so there are no classes of records as in Published. A vertex may show
// fewer labels than its class has, since a label may be moved to a place of its own (structural disassociation, Definition
// 2 of Gkountouna et al. 2013), and it may stand below any ancestor of its class's parent. Vertices that became equal are
// one, and show the sensitive and kept values of all of them.
//
//   for (uint32_t v = recoded.root[record]; v < recoded.root[record + 1]; ++v)
//     Use(recoded.vertex_class[v], recoded.label(v, attribute), recoded.sources_of(v));
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/forest.h"
#include "taxonomy/domain.h"

namespace thicket {

// A label that a vertex does not show.
inline constexpr Label kNoLabel = {~uint32_t{0}, ~uint32_t{0}};

struct Recoded {
  // By record, in the order of the data set, and one more: the record's vertices are [root[r], root[r + 1]), in preorder.
  // The first one is of class 0.
  std::vector<uint32_t> root = {0};
  // By vertex.
  std::vector<ClassId> vertex_class;
  std::vector<uint32_t> subtree_size;
  // By vertex: where its labels begin, one per quasi-identifier of its class.
  std::vector<uint32_t> first_label;
  std::vector<Label> labels;
  // By vertex, and one more: the vertices of the data set whose sensitive and kept values it shows, in `sources`; none for
  // a label that was moved out of its vertex.
  std::vector<uint32_t> first_source = {0};
  std::vector<Vertex> sources;

  size_t record_count() const { return root.size() - 1; }
  size_t vertex_count() const { return vertex_class.size(); }
  Label label(uint32_t vertex, size_t attribute) const {
    return labels[first_label[vertex] + attribute];
  }
  std::span<const Vertex> sources_of(uint32_t vertex) const {
    return {sources.data() + first_source[vertex], first_source[vertex + 1] - first_source[vertex]};
  }
};

}  // namespace thicket
