// Where labels lie: all labels (record/label_space.h) and behind them a node per class, and what a pair of vertices saves there.
//
// Every bound of the similarity counts vertices at these nodes. Of two vertices that have their lowest common node at x,
// each node from x up to the root adds what it saves more than its parent; the class's own node adds the rest: the unit of a
// vertex that is kept, and whole labels where no taxonomy says less.
//
//   LabelNodes nodes(model);
//   nodes.ForEachOf(vertex, [&](uint32_t node) { most += nodes.gain(node); });
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "matching/representative.h"
#include "matching/tree_model.h"
#include "record/label_space.h"

namespace thicket {

class LabelNodes {
 public:
  // `equal_only`: only vertices with equal labels may stand together (Mapping::kEqual), so inner nodes save nothing.
  explicit LabelNodes(const TreeModel& model, bool equal_only = false);

  size_t size() const { return gain_.size(); }
  Units gain(uint32_t node) const { return gain_[node]; }
  const LabelSpace& labels() const { return labels_; }
  uint32_t of_class(ClassId id) const { return static_cast<uint32_t>(labels_.size()) + id; }

  // Calls visit(node) for the nodes at and above the labels of a vertex; without that of its class.
  template <typename Visit>
  void ForEachOf(Vertex vertex, const Visit& visit) const {
    const ClassId id = model_->forest().class_of(vertex);
    const uint32_t* values = model_->data().values(vertex);
    const auto& domains = model_->data().classes[id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      if (domains[slot].is_numeric()) continue;
      Climb(id, slot, domains[slot].taxonomy().first_leaf() + values[slot], visit);
    }
  }
  template <typename Visit>
  void ForEachOf(const Representative& group, uint32_t position, const Visit& visit) const {
    const ClassId id = group.class_of(position);
    const auto& domains = model_->data().classes[id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      if (domains[slot].is_numeric()) continue;
      Climb(id, slot, group.labels(position)[slot].low, visit);
    }
  }

  // What two vertices of one class save themselves, whatever their sensitive values.
  Units Saved(const Representative& group, uint32_t position, Vertex vertex) const;

 private:
  template <typename Visit>
  void Climb(ClassId id, size_t slot, Node node, const Visit& visit) const {
    LabelId label = labels_.Id(id, slot, node);
    for (; label != LabelSpace::kNone; label = labels_.parent(label)) visit(label);
  }

  const TreeModel* model_;
  LabelSpace labels_;
  std::vector<Units> gain_;  // by node
};

}  // namespace thicket
