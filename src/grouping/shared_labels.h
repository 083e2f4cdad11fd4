// What one record has in common with others, as bits over its own labels.
//
// Every node at or above a label of the record (grouping/counted_labels.h) has as many items as the record has vertices there: the j-th item is
// kept with another record if j pairs of their vertices stand together at the node or below. Another record can keep an item only if it has j
// vertices there as well. So the items that it may keep are a bitmap, and what a class keeps of the record is at most what the items
// weigh that all others of the class may keep: labels counted as if parents did not matter, which is exact for single vertices.
//
// Where no sensitive value may stand twice at a place, a pair needs two different values: of a and b vertices, of which a_y and b_y have
// the value y, at most min(a, b, a - a_y + b - b_y) pairs stand together. (Take away all vertices but those with the value y on either side:
// every pair has lost one of its ends.) The value of a vertex is that of grouping/deciding_values.h.
//
//   const std::vector<uint32_t> values = SharedLabels::ValuesOf(model);
//   SharedLabels own(labels, values);
//   own.Load(record);
//   std::vector<uint64_t> mask(own.words());
//   own.Share(other, mask.data());
//   Units most = own.Weigh(mask.data());
//
// Load is O(items), Share O(labels of the other record), Weigh a look-up for each eight items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grouping/counted_labels.h"
#include "matching/tree_model.h"

namespace thicket {

class SharedLabels {
 public:
  static constexpr uint32_t kNoValue = ~uint32_t{0};
  // A node of the record that is loaded.
  struct Place {
    uint32_t node;
    uint32_t count;       // vertices of the record
    uint32_t first_item;  // of `count`
    uint32_t value;       // of its only vertex; kNoValue if there are several, or none decides
    // The values of its vertices: [first_value, first_value + values) of values_.
    uint32_t first_value;
    uint32_t values;
  };

  // `values`: by vertex the value that keeps it apart from equal ones, or kNoValue; empty where equal values may stand together. All must
  // outlive this object.
  SharedLabels(const CountedLabels& labels, const std::vector<uint32_t>& values);
  // The values of all vertices, for a model whose rule asks for diversity.
  static std::vector<uint32_t> ValuesOf(const TreeModel& model);

  void Load(RecordId record);
  // Ascending by node.
  const std::vector<Place>& places() const { return places_; }
  size_t items() const { return weights_.size(); }
  size_t words() const { return (items() + 63) / 64; }
  Units weight(size_t item) const { return weights_[item]; }
  // All that the record's labels count.
  Units total() const { return total_; }

  // The items that the other record may keep with the loaded one.
  void Share(RecordId other, uint64_t* mask);
  // What the items of a bitmap weigh.
  Units Weigh(const uint64_t* mask) const {
    Units sum = 0;
    for (size_t word = 0; word < words(); ++word) {
      for (size_t byte = 0; byte < 8; ++byte) {
        sum += sums_[(word * 8 + byte) * 256 + (mask[word] >> (8 * byte) & 255)];
      }
    }
    return sum;
  }

 private:
  struct ValueCount {
    uint32_t value;
    uint32_t own;
    uint32_t others;
  };
  // A vertex of the record at a node.
  struct Standing {
    uint32_t node;
    uint32_t value;
  };

  // Calls visit(node, value) for each vertex of the record and each of its nodes.
  template <typename Visit>
  void ForEachStanding(RecordId record, const Visit& visit) const;
  void AddPlace(size_t begin, size_t end);
  void FillSums();

  const CountedLabels* labels_;
  const std::vector<uint32_t>* vertex_values_;
  Units total_ = 0;
  std::vector<Place> places_;
  std::vector<ValueCount> values_;
  std::vector<Units> weights_;      // by item
  std::vector<int32_t> sums_;       // by byte of a bitmap and its value
  std::vector<uint32_t> place_of_;  // by node; kNoPlace
  std::vector<Standing> standings_;
  std::vector<uint32_t> counts_;  // by place, of the other record
  std::vector<uint32_t> touched_;
};

}  // namespace thicket
