// What is published: equivalence classes of records, each with the tree that its records have in common.
//
// A class's representative (Definition 3.14 of Ozalp et al. 2016) is a tree of labels in preorder. Each member says
// which of its own vertices stands at each position, so sensitive and kept values stay where they were: in the data set.
//
//   for (size_t position = 0; position < group.size(); ++position)
//     for (size_t member = 0; member < group.records.size(); ++member)
//       Use(group.labels(position), data.values(group.vertex(member, position)));
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/forest.h"
#include "taxonomy/domain.h"

namespace thicket {

struct PublishedClass {
  // By position, in preorder; siblings are in canonical order (class, then labels, then subtree).
  std::vector<ClassId> vertex_class;
  std::vector<uint32_t> subtree_size;
  std::vector<uint32_t> first_label;
  std::vector<Label> label_values;
  // Members in no particular order; never empty unless the class is.
  std::vector<RecordId> records;
  // By member, then position.
  std::vector<Vertex> vertices;

  size_t size() const { return vertex_class.size(); }
  const Label* labels(size_t position) const { return label_values.data() + first_label[position]; }
  Vertex vertex(size_t member, size_t position) const {
    return vertices[member * size() + position];
  }
};

struct Published {
  std::vector<PublishedClass> classes;
  // Records that are left out whole.
  std::vector<RecordId> suppressed;

  size_t record_count() const {
    size_t count = 0;
    for (const PublishedClass& group : classes) count += group.records.size();
    return count;
  }
};

}  // namespace thicket
