#include "grouping/label_nodes.h"

namespace thicket {

LabelNodes::LabelNodes(const TreeModel& model, bool equal_only) : model_(&model) {
  first_node_.resize(model.schema().classes.size());
  for (size_t id = 0; id < first_node_.size(); ++id) {
    class_node_.push_back(static_cast<uint32_t>(gain_.size()));
    gain_.push_back(1);
    for (const Domain& domain : model.data().classes[id].domains) {
      first_node_[id].push_back(static_cast<uint32_t>(gain_.size()));
      if (domain.is_numeric()) {
        gain_[class_node_[id]] += kLabelUnits;
        continue;
      }
      const Taxonomy& taxonomy = domain.taxonomy();
      for (Node node = 0; node < taxonomy.node_count(); ++node) {
        if (equal_only) {
          gain_.push_back(node >= taxonomy.first_leaf() ? kLabelUnits : 0);
          continue;
        }
        const Node parent = taxonomy.parent(node);
        const Units above = node == Taxonomy::kRoot ? kLabelUnits : domain.Loss({parent, parent});
        gain_.push_back(above - domain.Loss({node, node}));
      }
    }
  }
}

Units LabelNodes::Saved(const Representative& group, uint32_t position, Vertex vertex) const {
  const ClassId id = group.class_of(position);
  const auto& domains = model_->data().classes[id].domains;
  Units saved = model_->vertex_weight(id);
  for (size_t slot = 0; slot < domains.size(); ++slot) {
    saved -=
        domains[slot].MergeLoss(group.labels(position)[slot], model_->data().value(vertex, slot));
  }
  return saved;
}

}  // namespace thicket
