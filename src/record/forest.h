// All records of a data set: every vertex of every tree, in one array per field.
//
// Vertices stand in preorder, record after record. The first child of v is v + 1, the next sibling of a vertex is found
// by skipping its subtree, and a record is a half-open range of vertices. Siblings are grouped by class, in the order of
// the schema's classes, and keep their order in the source within a class.
//
//   for (Vertex child : forest.Children(v)) ...
//
// A forest is built by a ForestBuilder, record by record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/schema.h"

namespace thicket {

using Vertex = uint32_t;
using RecordId = uint32_t;

// The vertices reached from `first` by skipping subtrees, up to `end`.
class Siblings {
 public:
  class Iterator {
   public:
    Iterator(Vertex vertex, const uint32_t* subtree_size)
        : vertex_(vertex), subtree_size_(subtree_size) {}
    Vertex operator*() const { return vertex_; }
    Iterator& operator++() {
      vertex_ += subtree_size_[vertex_];
      return *this;
    }
    bool operator!=(const Iterator& other) const { return vertex_ != other.vertex_; }

   private:
    Vertex vertex_;
    const uint32_t* subtree_size_;
  };

  Siblings(Vertex first, Vertex end, const uint32_t* subtree_size)
      : first_(first), end_(end), subtree_size_(subtree_size) {}
  Iterator begin() const { return {first_, subtree_size_}; }
  Iterator end() const { return {end_, subtree_size_}; }
  bool empty() const { return first_ == end_; }

 private:
  Vertex first_;
  Vertex end_;
  const uint32_t* subtree_size_;
};

// A number per value of every vertex: the forest's own symbols, or what an array of the same layout holds beside them.
// Whoever reads either takes this; it keeps pointers only.
class VertexValues {
 public:
  VertexValues(const uint32_t* first, const uint32_t* values) : first_(first), values_(values) {}
  // The values of a vertex: quasi, sensitive, keep (see VertexClass).
  const uint32_t* of(Vertex vertex) const { return values_ + first_[vertex]; }
  uint32_t at(Vertex vertex, size_t slot) const { return values_[first_[vertex] + slot]; }

 private:
  const uint32_t* first_;
  const uint32_t* values_;
};

class Forest {
 public:
  size_t vertex_count() const { return class_.size(); }
  size_t record_count() const { return root_.size() - 1; }

  // The record's root; its vertices are [root(r), root(r + 1)).
  Vertex root(RecordId record) const { return root_[record]; }
  size_t record_size(RecordId record) const { return root_[record + 1] - root_[record]; }
  // The record that holds the vertex; O(log records).
  RecordId record_of(Vertex vertex) const;
  // Where the record began in the source: a line number, or a record number where there are no lines.
  uint32_t line(RecordId record) const { return line_[record]; }

  ClassId class_of(Vertex vertex) const { return class_[vertex]; }
  // By vertex.
  const ClassId* vertex_classes() const { return class_.data(); }
  const uint32_t* subtree_sizes() const { return subtree_size_.data(); }
  uint32_t subtree_size(Vertex vertex) const { return subtree_size_[vertex]; }
  Siblings Children(Vertex vertex) const {
    return {vertex + 1, vertex + subtree_size_[vertex], subtree_size_.data()};
  }
  bool is_leaf(Vertex vertex) const { return subtree_size_[vertex] == 1; }

  // The symbols of a vertex's values: quasi, sensitive, keep (see VertexClass).
  const uint32_t* values(Vertex vertex) const { return values_.data() + first_value_[vertex]; }
  uint32_t value(Vertex vertex, size_t slot) const { return values_[first_value_[vertex] + slot]; }
  VertexValues values() const { return Beside(values_); }

  // An array beside the symbols has value_count() numbers, those of a vertex from first_value(vertex) on.
  size_t value_count() const { return values_.size(); }
  uint32_t first_value(Vertex vertex) const { return first_value_[vertex]; }
  VertexValues Beside(const std::vector<uint32_t>& values) const {
    return {first_value_.data(), values.data()};
  }

 private:
  friend class ForestBuilder;
  std::vector<Vertex> root_ = {0};
  std::vector<uint32_t> line_;
  std::vector<ClassId> class_;
  std::vector<uint32_t> subtree_size_;
  std::vector<uint32_t> first_value_;
  std::vector<uint32_t> values_;
};

// Builds a Forest from a stream of events, as a parser produces them:
//
//   builder.BeginRecord(line);
//   builder.Open(course);            // below the vertex that is open
//   builder.Set(0, symbol);          // slots that are not set stay missing
//   builder.Close();
//   builder.EndRecord();
//
// BeginRecord opens the root itself. The calls must be balanced; DropRecord forgets an unfinished record.
class ForestBuilder {
 public:
  // Vertex and value numbers are 32 bits wide; `full()` says that a record more might not fit.
  static constexpr size_t kMostVertices = size_t{1} << 31;

  explicit ForestBuilder(const Schema& schema) : schema_(&schema) {}

  void BeginRecord(uint32_t line);
  void Open(ClassId id);
  void Set(size_t slot, uint32_t value);
  void Close();
  void EndRecord();
  void DropRecord();

  bool full() const { return forest_.values_.size() + forest_.class_.size() >= kMostVertices; }
  // The vertex that is open.
  Vertex current() const { return open_.back(); }
  const Forest& forest() const { return forest_; }
  Forest Build() &&;

 private:
  void OpenVertex(ClassId id);
  void GroupSiblings(Vertex root);

  const Schema* schema_;
  Forest forest_;
  std::vector<Vertex> open_;
  bool out_of_order_ = false;
  std::vector<ClassId> last_child_class_;
};

}  // namespace thicket
