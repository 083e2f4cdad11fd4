#include "matching/tree_model.h"

#include <algorithm>

#include "base/stop.h"
#include "loss/suppression.h"

namespace thicket {

TreeModel::TreeModel(const EncodedDataset& data, DiversityRule rule)
    : data_(&data), rule_(rule), anywhere_(data) {
  for (const VertexClass& vertex_class : schema().classes) {
    vertex_weight_.push_back(SuppressionCost(vertex_class));
    sensitive_count_.push_back(rule.Constrains() ? vertex_class.sensitive.size() : 0);
    first_sensitive_.push_back(vertex_class.sensitive_slot(0));
  }
  subtree_weight_ = SubtreeCosts(schema(), forest());
  FindOnce();
  if (has_once()) BlockRepeats();
  kinds_ = RecordKinds(*this);
}

void TreeModel::FindOnce() {
  once_number_.resize(schema().classes.size());
  for (size_t id = 0; id < once_number_.size(); ++id) {
    for (const std::vector<bool>& once : data_->classes[id].once) {
      once_number_[id].emplace_back(once.size(), kNotOnce);
      for (size_t bucket = 0; bucket < once.size(); ++bucket) {
        if (once[bucket]) once_number_[id].back()[bucket] = once_count_++;
      }
    }
  }
}

void TreeModel::BlockRepeats() {
  blocked_.assign(forest().vertex_count(), false);
  constexpr Vertex kNone = ~Vertex{0};
  std::vector<Vertex> shown(once_count_, kNone);
  std::vector<uint32_t> touched;
  for (RecordId record = 0; record < forest().record_count(); ++record) {
    StopPoint();
    for (const uint32_t number : touched) shown[number] = kNone;
    touched.clear();
    const Vertex begin = forest().root(record);
    const Vertex end = begin + static_cast<Vertex>(forest().record_size(record));
    for (Vertex v = begin; v < end; ++v) {
      ForEachOnce(v, [&](uint32_t number) {
        Vertex& best = shown[number];
        if (best == kNone) {
          best = v;
          touched.push_back(number);
        } else if (subtree_weight_[v] > subtree_weight_[best] && best != begin) {
          blocked_[best] = true;
          best = v;
        } else {
          blocked_[v] = true;
        }
      });
    }
  }
}

}  // namespace thicket
