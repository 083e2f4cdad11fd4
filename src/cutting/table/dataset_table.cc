#include "cutting/table/dataset_table.h"

namespace thicket {

TableColumns ColumnsOf(const EncodedDataset& data, std::optional<size_t> label) {
  constexpr ClassId kRecord = 0;
  const VertexClass& schema = data.schema().classes[kRecord];
  const ClassEncoding& encoding = data.classes[kRecord];
  const Forest& forest = data.forest();
  TableColumns columns;
  columns.record_count = forest.record_count();
  columns.quasi.resize(schema.quasi.size());
  for (size_t quasi = 0; quasi < columns.quasi.size(); ++quasi) {
    const Taxonomy& taxonomy = encoding.domains[quasi].taxonomy();
    for (Node node = 0; node < taxonomy.node_count(); ++node) {
      columns.quasi[quasi].parents.push_back(taxonomy.parent(node));
    }
    for (RecordId record = 0; record < columns.record_count; ++record) {
      const Value value = data.value(forest.root(record), quasi);
      columns.quasi[quasi].leaves.push_back(taxonomy.first_leaf() + value);
    }
  }
  columns.sensitive.resize(schema.sensitive.size());
  for (size_t attribute = 0; attribute < columns.sensitive.size(); ++attribute) {
    columns.sensitive[attribute].value_count = encoding.bucket_count[attribute];
    for (RecordId record = 0; record < columns.record_count; ++record) {
      columns.sensitive[attribute].values.push_back(data.Bucket(forest.root(record), attribute));
    }
  }
  if (!label) return columns;
  for (RecordId record = 0; record < columns.record_count; ++record) {
    columns.labels.push_back(forest.value(forest.root(record), schema.keep_slot(*label)));
  }
  return columns;
}

}  // namespace thicket
