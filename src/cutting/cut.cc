#include "cutting/cut.h"

#include <bit>

namespace thicket {

void TreeGrapher::Add(const LabelTree& tree, uint32_t weight, LabelGraphs& graphs) {
  ++trees_;
  labels_.clear();
  for (uint32_t node = 0; node < tree.size(); ++node) {
    const Item label = tree.label(node);
    if (seen_[label] == trees_) continue;
    seen_[label] = trees_;
    // Nearly sorted already, since attributes ascend on a path.
    size_t at = labels_.size();
    labels_.push_back(label);
    for (; at > 0 && labels_[at - 1] > label; --at) labels_[at] = labels_[at - 1];
    labels_[at] = label;
  }
  for (uint32_t i = 0; i < labels_.size(); ++i) place_[labels_[i]] = i;
  graphs.Add(labels_, weight);
  if (labels_.size() <= 64) {
    RelateFew(tree, graphs);
    return;
  }
  for (uint32_t node = 0; node < tree.size(); ++node) {
    const uint32_t place = place_[tree.label(node)];
    for (uint32_t above = tree.parent(node); above != LabelTree::kNoParent;
         above = tree.parent(above)) {
      graphs.Relate(place, place_[tree.label(above)]);
    }
  }
}

void TreeGrapher::RelateFew(const LabelTree& tree, LabelGraphs& graphs) {
  above_.resize(tree.size());
  uint64_t* const rows = graphs.LastRows();
  for (uint32_t node = 0; node < tree.size(); ++node) {
    const uint32_t parent = tree.parent(node);
    const uint32_t place = place_[tree.label(node)];
    const uint64_t above = parent == LabelTree::kNoParent
                               ? 0
                               : above_[parent] | uint64_t{1} << place_[tree.label(parent)];
    above_[node] = above;
    uint64_t missing = above & ~rows[place];
    rows[place] |= above;
    for (; missing != 0; missing &= missing - 1) {
      rows[std::countr_zero(missing)] |= uint64_t{1} << place;
    }
  }
}

}  // namespace thicket
