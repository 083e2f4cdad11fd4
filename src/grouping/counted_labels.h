// The labels that LM counts: at which nodes of the taxonomies a vertex stands, and what a pair of vertices keeps there.
//
// As grouping/label_nodes.h, but for what is published, not for what is compared: a missing value is no label, and a vertex that is
// shown is worth nothing by itself. Of two vertices whose labels meet at a node x, x and each node above it add what they keep more than their
// parent, which comes to 1 less LM' of x. Free intervals count as if nothing were lost in them: each such attribute has one node.
//
//   CountedLabels labels(data);
//   labels.ForEach(vertex, [&](uint32_t node) { kept += labels.gain(node); });
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/dataset.h"
#include "record/label_space.h"

namespace thicket {

class CountedLabels {
 public:
  static constexpr uint32_t kNone = LabelSpace::kNone;

  explicit CountedLabels(const EncodedDataset& data);

  const EncodedDataset& data() const { return *data_; }
  size_t size() const { return gain_.size(); }
  // What a pair of vertices keeps here and not at the parent.
  Units gain(uint32_t node) const { return gain_[node]; }
  // kNone above the top.
  uint32_t parent(uint32_t node) const {
    return node < labels_.size() ? labels_.parent(node) : kNone;
  }

  // Calls visit(node) for each node at or above a label of the vertex where something is kept.
  template <typename Visit>
  void ForEach(Vertex vertex, const Visit& visit) const {
    const ClassId id = data_->forest().class_of(vertex);
    const uint32_t* values = data_->values(vertex);
    const auto& domains = data_->classes[id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      if (domains[slot].is_numeric()) {
        if (!domains[slot].IsMissing(values[slot])) visit(IntervalNode(id, slot));
        continue;
      }
      for (LabelId label = labels_.Leaf(id, slot, values[slot]); label != kNone;
           label = labels_.parent(label)) {
        if (gain_[label] > 0) visit(label);
      }
    }
  }

  // What the values of the record count: all that can be kept of it.
  Units Total(RecordId record) const;

 private:
  uint32_t IntervalNode(ClassId id, size_t slot) const {
    return static_cast<uint32_t>(labels_.size() + labels_.first_attribute(id) + slot);
  }

  const EncodedDataset* data_;
  LabelSpace labels_;
  std::vector<Units> gain_;  // by label, then by attribute
};

}  // namespace thicket
