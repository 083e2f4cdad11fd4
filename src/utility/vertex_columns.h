// The vertices of a forest class by class, each slot in a column of its own.
//
// Whoever asks thousands of questions about a few classes reads columns from one end to the other, and nothing else. Vertices of a class
// have numbers in the order of the forest, so the children of one class that a vertex has are neighbours.
//
//   VertexColumns columns(schema, forest, values);
//   for (uint32_t course = columns.first(kCourse, student); course < columns.first(kCourse, student + 1); ++course) {
//     columns.column(kCourse, kCode)[course];
//   }
//
// O(vertices * slots) time and memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/stop.h"
#include "record/forest.h"
#include "record/schema.h"

namespace thicket {

class VertexColumns {
 public:
  // Kept values have no columns.
  VertexColumns(const Schema& schema, const Forest& forest, VertexValues values)
      : first_(schema.classes.size()), columns_(schema.classes.size()) {
    std::vector<uint32_t> counts(schema.classes.size(), 0);
    for (size_t id = 0; id < columns_.size(); ++id) {
      columns_[id].resize(schema.classes[id].keep_slot(0));
    }
    for (Vertex v = 0; v < forest.vertex_count(); ++v) {
      StopPoint();
      const ClassId id = forest.class_of(v);
      ++counts[id];
      for (size_t slot = 0; slot < columns_[id].size(); ++slot) {
        columns_[id][slot].push_back(values.at(v, slot));
      }
      for (const ClassId child : schema.classes[id].children) {
        first_[child].push_back(counts[child]);
      }
    }
    for (size_t id = 0; id < first_.size(); ++id) first_[id].push_back(counts[id]);
  }

  // By number of the vertex.
  const uint32_t* column(ClassId id, size_t slot) const { return columns_[id][slot].data(); }
  // The children of this class, which is not that of roots, of the vertex with this number in the class above: from here to those of the next
  // vertex. There is a next one for the last vertex, too.
  uint32_t first(ClassId id, uint32_t parent) const { return first_[id][parent]; }

 private:
  // By class.
  std::vector<std::vector<uint32_t>> first_;
  // By class and slot.
  std::vector<std::vector<std::vector<uint32_t>>> columns_;
};

}  // namespace thicket
