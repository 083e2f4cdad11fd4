#include "grouping/counted_labels.h"

namespace thicket {

CountedLabels::CountedLabels(const EncodedDataset& data) : data_(&data), labels_(data) {
  gain_.resize(labels_.size() + labels_.attributes().size(), kLabelUnits);
  for (LabelId label = 0; label < labels_.size(); ++label) {
    const LabelSpace::Attribute& attribute = labels_.attribute(label);
    const Domain& domain = data.classes[attribute.class_id].domains[attribute.slot];
    const LabelId parent = labels_.parent(label);
    const Units above = parent == kNone ? kLabelUnits : domain.Loss(labels_.label(parent));
    gain_[label] = above - domain.Loss(labels_.label(label));
  }
}

Units CountedLabels::Total(RecordId record) const {
  const Forest& forest = data_->forest();
  const Vertex root = forest.root(record);
  const Vertex end = root + static_cast<Vertex>(forest.record_size(record));
  Units total = 0;
  for (Vertex v = root; v < end; ++v) {
    const auto& domains = data_->classes[forest.class_of(v)].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      if (!domains[slot].IsMissing(data_->value(v, slot))) total += kLabelUnits;
    }
  }
  return total;
}

}  // namespace thicket
