#include "io/table_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"

namespace thicket {

namespace {

constexpr char kPublishAgain[] = "do not hand this data out; publish again with thicket anonymize";
constexpr char kMergeRecords[] = "each person must have one record; merge them first";

// The key of published data: a whole number from 1 on, as it is usually written.
std::optional<uint32_t> RunningNumber(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (text.front() == '0') return std::nullopt;
  return number;
}

}  // namespace

TableJoin::TableJoin(const Policy& policy, DatasetSink& sink)
    : policy_(&policy),
      sink_(&sink),
      tables_(sink.schema().classes.size()),
      children_(sink.schema().classes.size()) {
  sink.dataset().table_sources.resize(tables_.size());
}

// The columns of a table.

TableJoin::Role TableJoin::RoleOf(const std::string& column, size_t& slot) {
  // A column may have no name, and a table no key: they have nothing to do with each other.
  if (!column.empty() && column == ParentColumn()) return Role::kParent;
  const bool is_key = !column.empty() && column == KeyColumn();
  if (is_key && column != type(current_).id) return Role::kKey;
  DatasetSink::Key* key = sink_->Find(current_, column);
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
    return Error{
        ErrorCode::kData,
        fmt::format("{}: columns {} and {} must have names of their own, but have the same",
                    table.source, before->second + 1, i + 1),
        "is the header line missing?", ""};
  }
  std::vector<std::string> needed;
  if (!KeyColumn().empty()) needed.push_back(KeyColumn());
  if (!ParentColumn().empty()) needed.push_back(ParentColumn());
  if (!sink_->published()) {
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
    return Error{
        ErrorCode::kData,
        fmt::format("{}: the table must have the columns of the policy, but has none of them",
                    table.source),
        policy_->input.format == Format::kTables
            ? "is the header line missing, or input.delimiter wrong?"
            : "correct the names in the policy",
        ""};
  }
  for (const std::string& name : needed) {
    if (column_of_name.count(name) > 0) continue;
    const auto nearest = Nearest(name, unnamed);
    return Error{
        ErrorCode::kData,
        fmt::format("{}: {}: every column of the policy must be in its table, but this one "
                    "is not",
                    table.source, name),
        nearest ? fmt::format("did you mean {}?", *nearest)
                : "correct the name in the policy, or take it out",
        ""};
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
  THICKET_TRY(CheckColumns(columns));
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
    } else if (role != Role::kNone) {
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
  return Error{
      ErrorCode::kData,
      fmt::format("{}: {}: a published column must not be a key, but the database declares "
                  "this one as a key to {}",
                  tables_[current_].source, column.name, column.references),
      "put it under drop: keys are replaced by new ones, and one key to the parent is "
      "enough",
      ""};
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

// Rows.

std::string TableJoin::Place(Row row) const {
  return fmt::format("{} {}", sink_->dataset().has_lines ? "line" : "row",
                     tables_[current_].places[row]);
}

std::string TableJoin::Where(const Table& table, Row row) const {
  return fmt::format("{}{}{}", table.source, sink_->dataset().has_lines ? ":" : ": row ",
                     table.places[row]);
}

Error TableJoin::Wrong(const std::string& column, std::string_view what, std::string hint,
                       std::string_view value) const {
  const Table& table = tables_[current_];
  return {ErrorCode::kData, fmt::format("{}: {}: {}", Where(table, table.rows() - 1), column, what),
          std::move(hint), std::string(value)};
}

Error TableJoin::Leak(const std::string& column, std::string_view what,
                      std::string_view value) const {
  Error error = Wrong(column, what, kPublishAgain, value);
  error.code = ErrorCode::kPromise;
  return error;
}

Status TableJoin::AddKey(const Field& field) {
  Table& table = tables_[current_];
  if (field.kind == ValueKind::kNone) {
    return Wrong(KeyColumn(), "every row must have its key, but this one has none",
                 "complete the data", "");
  }
  const auto before = table.keys.Add(field.text, table.rows());
  if (!before) return {};
  return Wrong(
      KeyColumn(),
      fmt::format("every row must have a key of its own, but this one is also that of {}",
                  Place(*before - 1)),
      current_ == 0 ? kMergeRecords : "remove one of the rows, or name the right column as key",
      field.text);
}

Status TableJoin::AddPublishedKey(const Field& field) {
  const auto number = field.kind == ValueKind::kNone ? std::nullopt : RunningNumber(field.text);
  if (!number) {
    return Leak(KeyColumn(),
                "published data must have running numbers as keys, but here is something else",
                field.text);
  }
  tables_[current_].numbers.push_back(*number);
  return {};
}

TableJoin::Row TableJoin::FindParent(const Field& field) const {
  if (field.kind == ValueKind::kNone) return kNoRow;
  const Table& parent = tables_[type(current_).parent];
  Row row = kNoRow;
  if (sink_->published()) {
    const auto number = RunningNumber(field.text);
    if (number && *number <= parent.numbers.size()) row = parent.numbers[*number - 1];
  } else if (const auto found = parent.keys.Find(field.text)) {
    row = *found - 1;
  }
  // Below a row that was left out everything is.
  const bool orphan = row != kNoRow && !parent.parents.empty() && parent.parents[row] == kNoRow;
  return orphan ? kNoRow : row;
}

Status TableJoin::AddId(const Field& field) {
  const std::string& column = type(0).id;
  const bool none = field.kind == ValueKind::kNone;
  if (sink_->published()) {
    if (none) return {};
    return Leak(column, "published data must not hold an identifier, but holds one here",
                field.text);
  }
  if (none) {
    return Wrong(column, "every record must have its identifier, but this one has none",
                 "complete the data, or take id out of the policy", "");
  }
  const auto before = ids_.Add(field.text, tables_[0].rows());
  if (!before) return {};
  return Wrong(column,
               fmt::format("every record must have an identifier of its own, but this one is also "
                           "that of {}",
                           Place(*before - 1)),
               kMergeRecords, field.text);
}

Status TableJoin::AddRow(const std::vector<Field>& fields, uint32_t place) {
  Table& table = tables_[current_];
  const size_t width = type(current_).value_count();
  size_ += width + 1;
  if (size_ >= ForestBuilder::kMostVertices) {
    return Error{ErrorCode::kData,
                 fmt::format("{}: the data must have fewer than 2^31 values and vertices, but has "
                             "more",
                             table.source),
                 "split the data by persons", ""};
  }
  table.places.push_back(place);
  if (key_column_ != kNoColumn) {
    THICKET_TRY(sink_->published() ? AddPublishedKey(fields[key_column_])
                                   : AddKey(fields[key_column_]));
  }
  const size_t first = table.values.size();
  table.values.resize(first + width, kMissing);
  if (parent_column_ != kNoColumn) {
    table.parents.push_back(FindParent(fields[parent_column_]));
    if (table.parents.back() == kNoRow) {
      if (table.orphans++ == 0) {
        table.first_orphan = table.rows() - 1;
        table.first_orphan_key = fields[parent_column_].text;
      }
      // Not interned: a value that nobody has must not be among the attribute's values.
      return {};
    }
  }
  for (const size_t column : wanted_) {
    const Field& field = fields[column];
    const Meaning& meaning = columns_[column];
    if (meaning.role == Role::kValue) {
      table.values[first + meaning.slot] =
          sink_->Intern(current_, meaning.slot, field.kind, field.text);
    } else if (meaning.role == Role::kId) {
      THICKET_TRY(AddId(field));
    } else if (field.kind != ValueKind::kNone) {
      return Leak(meaning.name, "published data must not hold a dropped attribute, but does here",
                  "");
    }
  }
  return {};
}

// What is known when a table has ended.

Status TableJoin::EndTable() {
  Table& table = tables_[current_];
  if (current_ == 0 && table.places.empty()) {
    return Error{ErrorCode::kData,
                 fmt::format("{}: the table of persons must have rows, but has none", table.source),
                 "check that it is the right table", ""};
  }
  if (sink_->published() && key_column_ != kNoColumn) THICKET_TRY(CheckNumbers());
  return CheckOrphans();
}

// Turns the keys by row into the rows by key.
Status TableJoin::CheckNumbers() {
  Table& table = tables_[current_];
  std::vector<Row> row_of_key(table.numbers.size(), kNoRow);
  for (Row row = 0; row < table.rows(); ++row) {
    const uint32_t number = table.numbers[row];
    if (number <= row_of_key.size() && row_of_key[number - 1] == kNoRow) {
      row_of_key[number - 1] = row;
      continue;
    }
    return Error{ErrorCode::kPromise,
                 fmt::format("{}: {}: published data must have the numbers from 1 to {} as keys, "
                             "each once, but here is {}",
                             Where(table, row), KeyColumn(), WithCommas(table.rows()),
                             number <= row_of_key.size() ? "one again" : "another"),
                 kPublishAgain, std::to_string(number)};
  }
  table.numbers = std::move(row_of_key);
  return {};
}

Status TableJoin::CheckOrphans() {
  Table& table = tables_[current_];
  if (table.orphans == 0) return {};
  const std::string count =
      fmt::format("{} of {} rows", WithCommas(table.orphans), WithCommas(table.rows()));
  const std::string where = fmt::format("{}: {}", Where(table, table.first_orphan), ParentColumn());
  const std::string& parent = tables_[type(current_).parent].source;
  if (policy_->input.drop_orphans && !sink_->published()) {
    sink_->dataset().warnings.push_back({fmt::format(
        "{}: no parent in {}, left out ({}, this is the first)", where, parent, count)});
    return {};
  }
  return Error{sink_->published() ? ErrorCode::kPromise : ErrorCode::kData,
               fmt::format("{}: every row must have its parent in {}, but this one has none ({})",
                           where, parent, count),
               sink_->published()
                   ? kPublishAgain
                   : "add the rows that are missing, or set orphans: drop in input to "
                     "leave these out",
               table.first_orphan_key};
}

// What is known when all tables are read.

bool TableJoin::IsKeyName(ClassId id, const std::string& column) const {
  for (size_t other = 0; other < tables_.size(); ++other) {
    const VertexClass& vertex_class = sink_->schema().classes[other];
    if (other != id && (vertex_class.key == column || vertex_class.parent_key == column))
      return true;
  }
  return false;
}

// A column whose values are all keys of one table leads to its rows, and the keys that are published there are new. Plain
// numbers may be keys by chance: the column's name must say so too.
Status TableJoin::CheckSecondKey(ClassId id, size_t slot) const {
  const Dictionary& values = sink_->dataset().dictionaries[id][slot];
  if (values.size() <= 1) return {};
  const std::string& column = type(id).slot_name(slot);
  bool numbers = true;
  for (Symbol symbol = 1; symbol < values.size() && numbers; ++symbol) {
    numbers = ParseNumber(values.text(symbol)).has_value();
  }
  if (numbers && !IsKeyName(id, column)) return {};
  for (const Table& other : tables_) {
    Symbol symbol = 1;
    while (symbol < values.size() && other.keys.Find(values.text(symbol))) ++symbol;
    if (symbol < values.size()) continue;
    const Table& table = tables_[id];
    const size_t width = type(id).value_count();
    Row row = 0;
    while (table.values[row * width + slot] == kMissing) ++row;
    return Error{
        ErrorCode::kData,
        fmt::format("{}: {}: a published column must not be a key, but every value of this "
                    "one is a key of {}",
                    Where(table, row), column, other.source),
        "put it under drop: keys are replaced by new ones, and one key to the parent is "
        "enough",
        ""};
  }
  return {};
}

Status TableJoin::CheckSecondKeys() const {
  // Keys of published data are new, and what is only converted is not published.
  if (sink_->reading_as() != ReadAs::kOriginal) return {};
  for (size_t id = 0; id < tables_.size(); ++id) {
    const auto vertex_class = static_cast<ClassId>(id);
    for (size_t slot = 0; slot < type(vertex_class).value_count(); ++slot) {
      THICKET_TRY(CheckSecondKey(vertex_class, slot));
    }
  }
  return {};
}

// Counting sort; rows of one parent stay in their order, which is that of the keys in published data.
TableJoin::Children TableJoin::SortByParent(ClassId id) {
  Table& table = tables_[id];
  const Row parents = tables_[type(id).parent].rows();
  Children children;
  children.first.assign(size_t{parents} + 1, 0);
  for (const Row parent : table.parents) {
    if (parent != kNoRow) ++children.first[parent + 1];
  }
  for (Row parent = 0; parent < parents; ++parent) {
    children.first[parent + 1] += children.first[parent];
  }
  children.rows.resize(children.first.back());
  std::vector<uint32_t> next(children.first.begin(), children.first.end() - 1);
  for (Row i = 0; i < table.rows(); ++i) {
    const Row row = table.numbers.empty() ? i : table.numbers[i];
    const Row parent = table.parents[row];
    if (parent != kNoRow) children.rows[next[parent]++] = row;
  }
  table.parents = {};
  return children;
}

// The vertex is open already. As deep as the policy nests its classes.
Status TableJoin::Emit(ClassId id, Row row) {
  const Table& table = tables_[id];
  const size_t width = type(id).value_count();
  sink_->dataset().vertex_places.push_back(table.places[row]);
  for (size_t slot = 0; slot < width; ++slot) {
    sink_->SetSymbol(slot, table.values[row * width + slot]);
  }
  for (const ClassId child : type(id).children) {
    const Children& children = children_[child];
    for (uint32_t i = children.first[row]; i < children.first[row + 1]; ++i) {
      if (!sink_->OpenVertex(child, i - children.first[row])) return sink_->Full();
      THICKET_TRY(Emit(child, children.rows[i]));
      sink_->CloseVertex();
    }
  }
  return {};
}

Status TableJoin::Finish() {
  THICKET_TRY(CheckSecondKeys());
  size_t vertices = tables_.front().rows();
  for (Table& table : tables_) {
    table.keys = {};
    vertices += table.parents.size() - table.orphans;
  }
  sink_->dataset().vertex_places.reserve(vertices);
  for (size_t id = tables_.size() - 1; id > 0; --id) {
    children_[id] = SortByParent(static_cast<ClassId>(id));
  }
  const Table& persons = tables_.front();
  for (Row i = 0; i < persons.rows(); ++i) {
    const Row row = persons.numbers.empty() ? i : persons.numbers[i];
    THICKET_TRY(sink_->BeginRecord(persons.places[row]));
    THICKET_TRY(Emit(0, row));
    // The rule about identifiers was kept row by row.
    sink_->CloseRecord();
  }
  tables_.clear();
  children_.clear();
  return {};
}

}  // namespace thicket
