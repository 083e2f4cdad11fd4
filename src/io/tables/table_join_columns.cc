// The columns of a table that is about to be read.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "io/tables/table_join.h"
#include "policy/moved_vertices.h"

namespace thicket {

bool TableJoin::IsPart(const std::string& column) const {
  const VertexClass& of = type(current_);
  const auto has = [&](const std::vector<std::string>& columns) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  };
  return !sink_->published() && (has(of.key_columns) || has(of.parent_columns));
}

std::vector<size_t> TableJoin::FindParts(const std::vector<std::string>& parts,
                                         const std::vector<Column>& columns) {
  std::vector<size_t> found;
  if (sink_->published()) return found;
  for (const std::string& part : parts) {
    size_t column = 0;
    while (columns[column].name != part) ++column;
    is_part_[column] = true;
    found.push_back(column);
  }
  return found;
}

TableJoin::Role TableJoin::RoleOf(const std::string& column, size_t& slot) {
  // A column may have no name, and a table no key: they have nothing to do with each other.
  if (!column.empty() && column == ParentColumn()) return Role::kParent;
  const bool is_key = !column.empty() && column == KeyColumn();
  if (is_key && column != type(current_).id) return Role::kKey;
  if (sink_->vertices_move()) {
    for (const AncestorColumn& ancestor : AncestorColumns(sink_->schema(), current_)) {
      if (column != ancestor.name) continue;
      ancestor_columns_.push_back({columns_.size(), ancestor.ancestor});
      return Role::kAncestor;
    }
  }
  DatasetSink::Key* key =
      IsPart(column) ? sink_->FindNamed(current_, column) : sink_->Find(current_, column);
  if (key == nullptr) return Role::kNone;
  DatasetSink::MeetInHeader(*key);
  switch (key->role) {
    case DatasetSink::Key::Role::kId:
      return is_key ? Role::kKey : Role::kId;
    case DatasetSink::Key::Role::kDrop:
      return sink_->published() ? Role::kDrop : Role::kNone;
    case DatasetSink::Key::Role::kValue:
      slot = key->slot();
      return Role::kValue;
    case DatasetSink::Key::Role::kClassNumber:
      return Role::kClassNumber;
    default:
      return Role::kNone;
  }
}

Status TableJoin::CheckColumns(const std::vector<Column>& columns) const {
  const Table& table = tables_[current_];
  // Where the header of a file is missing, a name is a person's value: these messages quote none.
  std::map<std::string_view, size_t> column_of_name;
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto [before, added] = column_of_name.emplace(columns[i].name, i);
    if (added) continue;
    return ErrorAt(ErrorCode::kData, {.file = table.source},
                   fmt::format("columns {} and {} must have names of their own, but have the same",
                               before->second + 1, i + 1),
                   "is the header line missing?");
  }
  std::vector<std::string> needed;
  if (!KeyColumn().empty()) needed.push_back(KeyColumn());
  if (!ParentColumn().empty()) needed.push_back(ParentColumn());
  if (!sink_->published()) {
    for (const auto* parts : {&type(current_).key_columns, &type(current_).parent_columns}) {
      needed.insert(needed.end(), parts->begin(), parts->end());
    }
    if (!type(current_).id.empty()) needed.push_back(type(current_).id);
    for (size_t slot = 0; slot < type(current_).value_count(); ++slot) {
      needed.push_back(type(current_).slot_name(slot));
    }
  }
  std::vector<std::string> unnamed;
  for (const Column& column : columns) {
    if (std::find(needed.begin(), needed.end(), column.name) == needed.end()) {
      unnamed.push_back(column.name);
    }
  }
  if (unnamed.size() == columns.size() && !needed.empty()) {
    return ErrorAt(ErrorCode::kData, {.file = table.source},
                   "the table must have the columns of the policy, but has none of them",
                   policy_->input.format == Format::kTables
                       ? "is the header line missing, or input.delimiter wrong?"
                       : "correct the names in the policy");
  }
  for (const std::string& name : needed) {
    if (column_of_name.count(name) > 0) continue;
    const auto nearest = Nearest(name, unnamed);
    return ErrorAt(ErrorCode::kData, {.file = table.source, .path = name},
                   "every column of the policy must be in its table, but this one is not",
                   nearest ? fmt::format("did you mean {}?", *nearest)
                           : "correct the name in the policy, or take it out");
  }
  return {};
}

Status TableJoin::BeginTable(ClassId id, std::string source, const std::vector<Column>& columns) {
  current_ = id;
  Table& table = tables_[id];
  table.source = std::move(source);
  sink_->dataset().table_sources[id] = table.source;
  columns_.clear();
  wanted_.clear();
  key_column_ = kNoColumn;
  parent_column_ = kNoColumn;
  ancestor_columns_.clear();
  last_parent_.assign(columns.size(), 0);
  THICKET_TRY(CheckColumns(columns));
  is_part_.assign(columns.size(), false);
  key_parts_ = FindParts(type(id).key_columns, columns);
  parent_parts_ = FindParts(type(id).parent_columns, columns);
  TableShape& shape = sink_->dataset().shape.tables[id];
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto& [name, declared, references] = columns[i];
    size_t slot = 0;
    const Role role = RoleOf(name, slot);
    columns_.push_back({role, slot, name});
    if (role == Role::kKey) {
      key_column_ = i;
      shape.columns.push_back({TableColumn::Role::kKey, 0, declared});
    } else if (role == Role::kParent) {
      parent_column_ = i;
      shape.columns.push_back({TableColumn::Role::kParent, 0, declared});
    } else if (role != Role::kNone && role != Role::kAncestor) {
      wanted_.push_back(i);
      if (role == Role::kValue) {
        if (!references.empty()) THICKET_TRY(CheckReference(columns[i]));
        shape.columns.push_back({TableColumn::Role::kValue, slot, declared});
      }
    }
    if (role == Role::kKey || role == Role::kParent) KeepKey(i);
  }
  return {};
}

void TableJoin::AddReferences(const std::vector<CatalogueForeignKey>& keys,
                              std::vector<Column>& columns) const {
  const auto is_table = [&](const std::string& name) {
    const auto& classes = sink_->schema().classes;
    return std::any_of(classes.begin(), classes.end(),
                       [&](const VertexClass& one) { return one.table == name; });
  };
  for (const CatalogueForeignKey& key : keys) {
    for (Column& column : columns) {
      if (column.name == key.column && is_table(key.table)) column.references = key.table;
    }
  }
}

Status TableJoin::CheckReference(const Column& column) const {
  if (sink_->reading_as() != ReadAs::kOriginal) return {};
  return ErrorAt(
      ErrorCode::kData, {.file = tables_[current_].source, .path = column.name},
      fmt::format("a published column must not be a key, but the database declares this one as a "
                  "key to {}",
                  column.references),
      "put it under drop: keys are replaced by new ones, and one key to the parent is "
      "enough");
}

// Data on its way into another format may have an identifier that is also a key, or any key under `drop`.
void TableJoin::KeepKey(size_t column) {
  if (sink_->reading_as() != ReadAs::kWhole) return;
  const VertexClass& of_class = type(current_);
  for (size_t slot = 0; slot < of_class.value_count(); ++slot) {
    if (of_class.slot_name(slot) != columns_[column].name) continue;
    DatasetSink::MeetInHeader(*sink_->Find(current_, columns_[column].name));
    columns_[column] = {Role::kValue, slot, columns_[column].name};
    wanted_.push_back(column);
  }
}

}  // namespace thicket
