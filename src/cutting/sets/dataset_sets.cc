#include "cutting/sets/dataset_sets.h"

namespace thicket {

namespace {

constexpr ClassId kItemClass = 1;

// By node of the taxonomy: whether a leaf that may be generalized is at or below it.
std::vector<bool> FindGeneralized(const ClassEncoding& items) {
  const Domain& domain = items.domains[0];
  const Taxonomy& taxonomy = domain.taxonomy();
  std::vector<bool> has(taxonomy.node_count(), false);
  for (Value value = 0; value < taxonomy.leaf_count(); ++value) {
    const bool is_out =
        domain.IsMissing(value) || items.SecretOf(0, value) != ClassEncoding::kNoSecret;
    has[taxonomy.first_leaf() + value] = !is_out;
  }
  for (auto node = static_cast<Node>(taxonomy.node_count()); node-- > 1;) {
    if (has[node]) has[taxonomy.parent(node)] = true;
  }
  return has;
}

}  // namespace

DatasetSets SetsOf(const EncodedDataset& data) {
  const ClassEncoding& items = data.classes[kItemClass];
  const Domain& domain = items.domains[0];
  const Taxonomy& taxonomy = domain.taxonomy();
  const std::vector<bool> is_in = FindGeneralized(items);
  SetRecords records;
  std::vector<Node> node_of_item;
  std::vector<Item> item_of_node(taxonomy.node_count(), DatasetSets::kNone);
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    if (!is_in[node]) continue;
    item_of_node[node] = static_cast<Item>(node_of_item.size());
    node_of_item.push_back(node);
    records.parents.push_back(item_of_node[taxonomy.parent(node)]);
  }
  const Forest& forest = data.forest();
  std::vector<Item> leaves;
  std::vector<uint32_t> sensitive;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    leaves.clear();
    sensitive.clear();
    for (const Vertex vertex : forest.Children(forest.root(record))) {
      const Value value = data.value(vertex, 0);
      const Item item = item_of_node[taxonomy.first_leaf() + value];
      if (item != DatasetSets::kNone) {
        leaves.push_back(item);
      } else if (!domain.IsMissing(value)) {
        sensitive.push_back(items.SecretOf(0, value));
      }
    }
    records.Add(leaves, sensitive);
  }
  return {ItemSets(records), std::move(node_of_item), std::move(item_of_node)};
}

}  // namespace thicket
