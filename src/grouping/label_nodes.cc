#include "grouping/label_nodes.h"

#include <algorithm>

namespace thicket {

LabelNodes::LabelNodes(const TreeModel& model, bool equal_only)
    : model_(&model), labels_(model.data()) {
  gain_.resize(labels_.size());
  for (LabelId label = 0; label < labels_.size(); ++label) {
    if (equal_only) {
      gain_[label] = labels_.is_leaf(label) ? kLabelUnits : 0;
      continue;
    }
    const LabelSpace::Attribute& attribute = labels_.attribute(label);
    const Domain& domain = model.data().classes[attribute.class_id].domains[attribute.slot];
    const LabelId parent = labels_.parent(label);
    const Units above =
        parent == LabelSpace::kNone ? kLabelUnits : domain.Loss(labels_.label(parent));
    gain_[label] = above - domain.Loss(labels_.label(label));
  }
  for (const ClassEncoding& encoding : model.data().classes) {
    const auto numeric = std::count_if(encoding.domains.begin(), encoding.domains.end(),
                                       [](const Domain& domain) { return domain.is_numeric(); });
    gain_.push_back(1 + static_cast<Units>(numeric) * kLabelUnits);
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
