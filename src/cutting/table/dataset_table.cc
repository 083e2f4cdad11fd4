#include "cutting/table/dataset_table.h"

namespace thicket {

TableColumns ColumnsOf(const EncodedDataset& data, const LabelSpace& labels,
                       std::optional<size_t> label) {
  constexpr ClassId kRecord = 0;
  const VertexClass& schema = data.schema().classes[kRecord];
  const ClassEncoding& encoding = data.classes[kRecord];
  const Forest& forest = data.forest();
  TableColumns columns;
  columns.record_count = forest.record_count();
  for (LabelId label_id = 0; label_id < labels.size(); ++label_id) {
    const LabelId parent = labels.parent(label_id);
    columns.parents.push_back(parent == LabelSpace::kNone ? label_id : parent);
  }
  columns.quasi.resize(schema.quasi.size());
  for (size_t quasi = 0; quasi < columns.quasi.size(); ++quasi) {
    const LabelSpace::Attribute& attribute =
        labels.attributes()[labels.first_attribute(kRecord) + quasi];
    columns.quasi[quasi].first = attribute.first;
    for (RecordId record = 0; record < columns.record_count; ++record) {
      const LabelId leaf = labels.Leaf(kRecord, quasi, data.value(forest.root(record), quasi));
      columns.quasi[quasi].leaves.push_back(leaf == LabelSpace::kNone ? attribute.missing : leaf);
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
