#include "io/tables/outgoing_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/stop.h"
#include "policy/moved_vertices.h"

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
      return {type.parent_key, Role::kParent, 0, column.type, type.parent};
    case TableColumn::Role::kValue:
      break;
  }
  return {type.slot_name(column.slot),
          column.slot < type.quasi.size() ? Role::kQuasi : Role::kOther, column.slot, column.type};
}

}  // namespace

OutgoingTables::OutgoingTables(OutgoingRecords& records, const WriteOptions& options)
    : records_(&records),
      phase_("write", records.count() * records.schema().classes.size()),
      columns_(records.schema().classes.size()) {
  const std::vector<std::vector<bool>> moved = FindMoved();
  for (size_t id = 0; id < columns_.size(); ++id) {
    AddColumns(static_cast<ClassId>(id), moved[id], options);
  }
}

std::vector<std::vector<bool>> OutgoingTables::FindMoved() {
  std::vector<std::vector<bool>> moved(columns_.size(), std::vector<bool>(columns_.size(), false));
  for (size_t record = 0; records_->moved() && record < records_->count(); ++record) {
    StopPoint();
    records_->Select(record);
    for (size_t at = 0; at < records_->size(); ++at) {
      const size_t end = at + records_->subtree_size(at);
      for (size_t child = at + 1; child < end; child += records_->subtree_size(child)) {
        moved[records_->vertex_class(child)][records_->vertex_class(at)] = true;
      }
    }
  }
  return moved;
}

void OutgoingTables::AddColumns(ClassId id, const std::vector<bool>& moved_to,
                                const WriteOptions& options) {
  const VertexClass& type = records_->schema().classes[id];
  const std::vector<TableColumn>& known = records_->data().shape.tables[id].columns;
  std::vector<OutgoingColumn> ancestors;
  if (records_->moved()) {
    for (AncestorColumn& column : AncestorColumns(records_->schema(), id)) {
      if (!moved_to[column.ancestor]) continue;
      ancestors.push_back({std::move(column.name), Role::kAncestor, 0, "", column.ancestor, true});
    }
  }
  for (const TableColumn& column : known.empty() ? AllColumns(type) : known) {
    columns_[id].push_back(Named(type, column));
    OutgoingColumn& named = columns_[id].back();
    named.has_suppressed =
        named.role == OutgoingColumn::Role::kOther && records_->HasSuppressed(id, named.slot);
    columns_[id].back().nullable = !ancestors.empty();
  }
  columns_[id].insert(columns_[id].end(), ancestors.begin(), ancestors.end());
  if (id == 0 && options.with_class) {
    columns_[id].push_back({std::string(kClassKey), Role::kClassNumber, 0, ""});
  }
}

size_t OutgoingTables::CountRows(size_t position) {
  // The root never has more than one value.
  if (!records_->sparse() || position == 0) return 1;
  const VertexClass& type = records_->schema().classes[records_->vertex_class(position)];
  size_t rows = 1;
  for (size_t slot = type.quasi.size(); slot < type.value_count(); ++slot) {
    rows = std::max(rows, records_->ValueCount(position, slot));
  }
  return rows;
}

// Values are valid until the next one is asked for only, so their texts are copied.
void OutgoingTables::FillRow(ClassId id, size_t position, size_t index, uint64_t key,
                             const Open& parent) {
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
      case Role::kAncestor:
        if (column.target == parent.id) kind = add_number(parent.key);
        break;
      case Role::kClassNumber:
        kind = add_number(records_->group());
        break;
      case Role::kQuasi:
      case Role::kOther: {
        // Labels are the same in all rows of a vertex.
        const OutgoingValue value =
            records_->ValueAt(position, column.slot, column.role == Role::kQuasi ? 0 : index);
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
  // Only the keys of the class's ancestors matter.
  std::vector<bool> matters(columns_.size(), false);
  for (ClassId at = id; at != 0; at = records_->schema().classes[at].parent) matters[at] = true;
  matters[0] = true;
  std::vector<uint64_t> last_key(columns_.size(), 0);
  for (size_t record = 0; record < records_->count(); ++record) {
    StopPoint();
    phase_.Advance();
    records_->Select(record);
    open_.clear();
    for (size_t position = 0; position < records_->size(); ++position) {
      const ClassId at = records_->vertex_class(position);
      if (!matters[at]) continue;
      while (!open_.empty() && open_.back().end <= position) open_.pop_back();
      const Open parent = open_.empty() ? Open{0, 0, 0} : open_.back();
      const size_t rows = CountRows(position);
      const uint64_t first = last_key[at] + 1;
      last_key[at] += rows;
      if (at != id) {
        open_.push_back({at, first, position + records_->subtree_size(position)});
        continue;
      }
      for (size_t index = 0; index < rows; ++index) {
        FillRow(id, position, index, first + index, parent);
        THICKET_TRY(row(row_));
      }
    }
  }
  return {};
}

}  // namespace thicket
