// What an adversary can know of records: which labels each has, and which of them are related.
//
// A graph belongs to one shape, or to one record. Its labels ascend. Two labels are related when one stands above the
// other on a path of the tree; which of them is the upper one follows from their attributes, so it is not kept.
//
//   const GraphRef graph = graphs[shape];
//   for (uint32_t i = 0; i < graph.count; ++i) Use(graph.labels[i], graph.Related(i, j));
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thicket {

// An item of a cut; or, for negative knowledge, an item that a record has nothing of.
using GraphLabel = uint32_t;

// One graph, wherever it is kept; valid as long as that is not changed.
struct GraphRef {
  const GraphLabel* labels = nullptr;
  // One row per label, one bit per label.
  const uint64_t* rows = nullptr;
  uint32_t count = 0;
  // How many records have the graph.
  uint32_t weight = 0;

  const uint64_t* row(uint32_t index) const { return rows + size_t{index} * ((count + 63) / 64); }
  bool Related(uint32_t a, uint32_t b) const { return (row(a)[b / 64] >> (b % 64) & 1) != 0; }
  // The place of a label in the graph, or `count`.
  uint32_t Find(GraphLabel label) const {
    uint32_t place = 0;
    while (place < count && labels[place] < label) ++place;
    return place < count && labels[place] == label ? place : count;
  }
};

class LabelGraphs {
 public:
  GraphRef operator[](size_t graph) const {
    return {labels_.data() + first_label_[graph], rows_.data() + first_row_[graph],
            first_label_[graph + 1] - first_label_[graph], weight_[graph]};
  }
  size_t size() const { return weight_.size(); }
  void Clear() {
    first_label_.assign(1, 0);
    first_row_.assign(1, 0);
    weight_.clear();
    labels_.clear();
    rows_.clear();
  }
  // A graph without relations; the labels must ascend.
  void Add(const std::vector<GraphLabel>& labels, uint32_t weight) {
    labels_.insert(labels_.end(), labels.begin(), labels.end());
    first_label_.push_back(static_cast<uint32_t>(labels_.size()));
    rows_.resize(rows_.size() + labels.size() * ((labels.size() + 63) / 64), 0);
    first_row_.push_back(rows_.size());
    weight_.push_back(weight);
  }
  // A graph of others.
  void AddCopy(const LabelGraphs& from, size_t graph) {
    const GraphRef source = from[graph];
    labels_.insert(labels_.end(), source.labels, source.labels + source.count);
    first_label_.push_back(static_cast<uint32_t>(labels_.size()));
    const auto begin = from.rows_.begin() + static_cast<ptrdiff_t>(from.first_row_[graph]);
    const auto end = from.rows_.begin() + static_cast<ptrdiff_t>(from.first_row_[graph + 1]);
    rows_.insert(rows_.end(), begin, end);
    first_row_.push_back(rows_.size());
    weight_.push_back(source.weight);
  }
  // The rows of the last graph.
  uint64_t* LastRows() { return rows_.data() + first_row_[size() - 1]; }
  // Relates two labels of the last graph.
  void Relate(uint32_t a, uint32_t b) {
    const size_t graph = size() - 1;
    const size_t words = (first_label_[graph + 1] - first_label_[graph] + 63) / 64;
    rows_[first_row_[graph] + a * words + b / 64] |= uint64_t{1} << (b % 64);
    rows_[first_row_[graph] + b * words + a / 64] |= uint64_t{1} << (a % 64);
  }

 private:
  std::vector<uint32_t> first_label_ = {0};
  std::vector<size_t> first_row_ = {0};
  std::vector<uint32_t> weight_;
  std::vector<GraphLabel> labels_;
  std::vector<uint64_t> rows_;
};

}  // namespace thicket
