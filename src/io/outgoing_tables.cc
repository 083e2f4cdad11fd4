#include "io/outgoing_tables.h"

#include <fmt/format.h>

#include <iterator>

namespace thicket {

namespace {

using Role = OutgoingColumn::Role;

// The columns of a table that the source does not have.
std::vector<TableColumn> AllColumns(const VertexClass& type) {
  std::vector<TableColumn> columns;
  if (!type.key.empty()) columns.push_back({TableColumn::Role::kKey, 0, ""});
  if (!type.parent_key.empty()) columns.push_back({TableColumn::Role::kParent, 0, ""});
  for (size_t slot = 0; slot < type.value_count(); ++slot) {
    columns.push_back({TableColumn::Role::kValue, slot, ""});
  }
  return columns;
}

OutgoingColumn Named(const VertexClass& type, const TableColumn& column) {
  switch (column.role) {
    case TableColumn::Role::kKey:
      return {type.key, Role::kKey, 0, column.type};
    case TableColumn::Role::kParent:
      return {type.parent_key, Role::kParent, 0, column.type};
    case TableColumn::Role::kValue:
      break;
  }
  return {type.slot_name(column.slot),
          column.slot < type.quasi.size() ? Role::kQuasi : Role::kOther, column.slot, column.type};
}

}  // namespace

OutgoingTables::OutgoingTables(OutgoingRecords& records, const WriteOptions& options)
    : records_(&records), columns_(records.schema().classes.size()) {
  for (size_t id = 0; id < columns_.size(); ++id) AddColumns(static_cast<ClassId>(id), options);
}

void OutgoingTables::AddColumns(ClassId id, const WriteOptions& options) {
  const VertexClass& type = records_->schema().classes[id];
  const std::vector<TableColumn>& known = records_->data().shape.tables[id].columns;
  for (const TableColumn& column : known.empty() ? AllColumns(type) : known) {
    columns_[id].push_back(Named(type, column));
  }
  if (id == 0 && options.with_class) {
    columns_[id].push_back({std::string(kClassKey), Role::kClassNumber, 0, ""});
  }
}

// Values are valid until the next one is asked for only, so their texts are copied.
void OutgoingTables::FillRow(ClassId id, size_t position, uint64_t key, uint64_t parent) {
  row_.clear();
  ends_.clear();
  text_.clear();
  const auto add_number = [&](uint64_t number) {
    fmt::format_to(std::back_inserter(text_), "{}", number);
    return ValueKind::kNumber;
  };
  for (const OutgoingColumn& column : columns_[id]) {
    ValueKind kind = ValueKind::kNone;
    switch (column.role) {
      case Role::kKey:
        kind = add_number(key);
        break;
      case Role::kParent:
        kind = add_number(parent);
        break;
      case Role::kClassNumber:
        kind = add_number(records_->group());
        break;
      case Role::kQuasi:
      case Role::kOther: {
        const OutgoingValue value = records_->Value(position, column.slot);
        text_ += value.text;
        kind = value.kind;
        break;
      }
    }
    row_.push_back({kind, {}});
    ends_.push_back(text_.size());
  }
  size_t begin = 0;
  for (size_t i = 0; i < row_.size(); ++i) {
    row_[i].text = std::string_view(text_).substr(begin, ends_[i] - begin);
    begin = ends_[i];
  }
}

Status OutgoingTables::ForEachRow(ClassId id, const Row& row) {
  const ClassId parent_class = records_->schema().classes[id].parent;
  uint64_t key = 0;
  uint64_t parent = 0;
  for (size_t record = 0; record < records_->count(); ++record) {
    records_->Select(record);
    // In preorder the parent is the last vertex of its class so far.
    for (size_t position = 0; position < records_->size(); ++position) {
      const ClassId at = records_->vertex_class(position);
      if (at == parent_class) ++parent;
      if (at != id) continue;
      FillRow(id, position, ++key, parent);
      THICKET_TRY(row(row_));
    }
  }
  return {};
}

}  // namespace thicket
