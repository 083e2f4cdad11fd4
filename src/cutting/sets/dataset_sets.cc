#include "cutting/sets/dataset_sets.h"

#include <utility>

namespace thicket {

namespace {

constexpr ClassId kItemClass = 1;

// By label: whether a leaf that may be generalized is at or below it.
std::vector<bool> FindGeneralized(const ClassEncoding& items, const LabelSpace& labels) {
  std::vector<bool> has(labels.size(), false);
  const auto values = static_cast<Value>(items.domains[0].taxonomy().leaf_count());
  for (Value value = 0; value < values; ++value) {
    const LabelId leaf = labels.Leaf(kItemClass, 0, value);
    if (leaf == LabelSpace::kNone) continue;
    has[leaf] = items.SecretOf(0, value) == ClassEncoding::kNoSecret;
  }
  for (auto label = static_cast<LabelId>(labels.size()); label-- > 0;) {
    if (has[label] && labels.parent(label) != LabelSpace::kNone) has[labels.parent(label)] = true;
  }
  return has;
}

}  // namespace

DatasetSets SetsOf(const EncodedDataset& data) {
  const ClassEncoding& items = data.classes[kItemClass];
  LabelSpace labels(data);
  const std::vector<bool> is_in = FindGeneralized(items, labels);
  SetRecords records;
  std::vector<LabelId> label_of_item;
  std::vector<Item> item_of_label(labels.size(), DatasetSets::kNone);
  for (LabelId label = 0; label < labels.size(); ++label) {
    if (!is_in[label]) continue;
    const LabelId parent = labels.parent(label);
    item_of_label[label] = static_cast<Item>(label_of_item.size());
    label_of_item.push_back(label);
    records.parents.push_back(item_of_label[parent == LabelSpace::kNone ? label : parent]);
  }
  const Forest& forest = data.forest();
  std::vector<Item> leaves;
  std::vector<uint32_t> sensitive;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    leaves.clear();
    sensitive.clear();
    for (const Vertex vertex : forest.Children(forest.root(record))) {
      const Value value = data.value(vertex, 0);
      const LabelId leaf = labels.Leaf(kItemClass, 0, value);
      if (leaf == LabelSpace::kNone) continue;
      if (item_of_label[leaf] != DatasetSets::kNone) {
        leaves.push_back(item_of_label[leaf]);
      } else {
        sensitive.push_back(items.SecretOf(0, value));
      }
    }
    records.Add(leaves, sensitive);
  }
  return {std::move(labels), ItemSets(records), std::move(label_of_item), std::move(item_of_label)};
}

}  // namespace thicket
