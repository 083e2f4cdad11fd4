#include "record/forest.h"

#include <algorithm>
#include <utility>

namespace thicket {

RecordId Forest::record_of(Vertex vertex) const {
  const auto next = std::upper_bound(root_.begin(), root_.end(), vertex);
  return static_cast<RecordId>(next - root_.begin() - 1);
}

void ForestBuilder::OpenVertex(ClassId id) {
  const auto vertex = static_cast<Vertex>(forest_.class_.size());
  open_.push_back(vertex);
  last_child_class_.push_back(0);
  forest_.class_.push_back(id);
  forest_.subtree_size_.push_back(1);
  forest_.first_value_.push_back(static_cast<uint32_t>(forest_.values_.size()));
  forest_.values_.resize(forest_.values_.size() + schema_->classes[id].value_count(), 0);
}

void ForestBuilder::BeginRecord(uint32_t line) {
  forest_.line_.push_back(line);
  out_of_order_ = false;
  OpenVertex(0);
}

void ForestBuilder::Open(ClassId id) {
  if (id < last_child_class_.back()) out_of_order_ = true;
  last_child_class_.back() = id;
  OpenVertex(id);
}

void ForestBuilder::Set(size_t slot, uint32_t value) {
  forest_.values_[forest_.first_value_[open_.back()] + slot] = value;
}

void ForestBuilder::Close() {
  const Vertex vertex = open_.back();
  open_.pop_back();
  last_child_class_.pop_back();
  forest_.subtree_size_[vertex] = static_cast<uint32_t>(forest_.class_.size() - vertex);
}

void ForestBuilder::EndRecord() {
  Close();
  const Vertex root = forest_.root_.back();
  if (out_of_order_) GroupSiblings(root);
  forest_.root_.push_back(static_cast<Vertex>(forest_.class_.size()));
}

void ForestBuilder::DropRecord() {
  const Vertex root = forest_.root_.back();
  open_.clear();
  last_child_class_.clear();
  if (root < forest_.class_.size()) {
    forest_.values_.resize(forest_.first_value_[root]);
    forest_.line_.pop_back();
  }
  forest_.class_.resize(root);
  forest_.subtree_size_.resize(root);
  forest_.first_value_.resize(root);
}

// Rewrites the last record with every vertex's children in the order of their classes. Rare: JSON documents mostly have
// their keys in one order, and then nothing is out of order or this runs once a record.
void ForestBuilder::GroupSiblings(Vertex root) {
  std::vector<Vertex> order;
  std::vector<Vertex> pending = {root};
  while (!pending.empty()) {
    const Vertex vertex = pending.back();
    pending.pop_back();
    order.push_back(vertex);
    const size_t first = pending.size();
    for (const Vertex child : forest_.Children(vertex)) pending.push_back(child);
    std::stable_sort(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end(),
                     [&](Vertex a, Vertex b) { return forest_.class_[a] < forest_.class_[b]; });
    std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
  }
  std::vector<ClassId> classes;
  std::vector<uint32_t> sizes;
  std::vector<uint32_t> firsts;
  std::vector<uint32_t> values;
  const uint32_t first_value = forest_.first_value_[root];
  for (const Vertex vertex : order) {
    classes.push_back(forest_.class_[vertex]);
    sizes.push_back(forest_.subtree_size_[vertex]);
    firsts.push_back(first_value + static_cast<uint32_t>(values.size()));
    const uint32_t* from = forest_.values(vertex);
    values.insert(values.end(), from, from + schema_->classes[classes.back()].value_count());
  }
  std::copy(classes.begin(), classes.end(), forest_.class_.begin() + root);
  std::copy(sizes.begin(), sizes.end(), forest_.subtree_size_.begin() + root);
  std::copy(firsts.begin(), firsts.end(), forest_.first_value_.begin() + root);
  std::copy(values.begin(), values.end(), forest_.values_.begin() + first_value);
}

Forest ForestBuilder::Build() && { return std::move(forest_); }

}  // namespace thicket
