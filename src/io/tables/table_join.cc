#include "io/tables/table_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/stop.h"
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

// Rows.

std::string TableJoin::Place(Row row) const {
  return fmt::format("{} {}", sink_->dataset().has_lines ? "line" : "row",
                     tables_[current_].places[row]);
}

ErrorPlace TableJoin::PlaceOf(const Table& table, Row row, const std::string& column) const {
  ErrorPlace place = {.file = table.source, .path = column};
  (sink_->dataset().has_lines ? place.line : place.row) = table.places[row];
  return place;
}

Error TableJoin::Wrong(const std::string& column, std::string_view what, std::string hint,
                       std::string_view value) const {
  const Table& table = tables_[current_];
  return ErrorAt(ErrorCode::kData, PlaceOf(table, table.rows() - 1, column), what, std::move(hint),
                 std::string(value));
}

Error TableJoin::Leak(const std::string& column, std::string_view what,
                      std::string_view value) const {
  Error error = Wrong(column, what, kPublishAgain, value);
  error.code = ErrorCode::kPromise;
  return error;
}

TableJoin::Field TableJoin::Joined(const std::vector<Field>& fields,
                                   const std::vector<size_t>& parts, size_t column) {
  if (parts.empty()) return fields[column];
  // No two keys have the same text: each part stands behind its length.
  joined_.clear();
  for (const size_t part : parts) {
    if (fields[part].kind == ValueKind::kNone) return {};
    joined_ += fmt::format("{}:", fields[part].text.size());
    joined_ += fields[part].text;
  }
  return {ValueKind::kString, joined_};
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

// Any other order of the keys could be that of the originals.
Status TableJoin::CheckPublishedKey(const Field& field) const {
  const auto number = field.kind == ValueKind::kNone ? std::nullopt : RunningNumber(field.text);
  if (number == tables_[current_].rows()) return {};
  return Leak(KeyColumn(),
              "published data must have the running number of a row in its table as its key, but "
              "here is another",
              field.text);
}

// Rows that do not stand by the rows they belong to stand in an order of their own, which could be that of the originals.
Status TableJoin::CheckPublishedOrder(size_t column, ClassId parent_class, const Field& field) {
  Table& table = tables_[current_];
  const Row parent = table.parents.back();
  // An orphan: EndTable() says so.
  if (parent == kNoRow) return {};
  const Row person = parent_class == 0 ? parent : tables_[parent_class].persons[parent];
  const bool falls =
      parent < last_parent_[column] || (!table.persons.empty() && person < table.persons.back());
  last_parent_[column] = parent;
  table.persons.push_back(person);
  if (!falls) return {};
  return Leak(columns_[column].name,
              "published rows must stand in the order of the rows that they belong to, but this "
              "one belongs before the row before it",
              field.text);
}

// The usual parent, or in published data another ancestor.
Status TableJoin::AddParent(const std::vector<Field>& fields) {
  Table& table = tables_[current_];
  size_t column = parent_column_;
  ClassId parent_class = type(current_).parent;
  for (const AncestorAt& at : ancestor_columns_) {
    if (fields[at.column].kind == ValueKind::kNone) continue;
    if (fields[column].kind != ValueKind::kNone) {
      return Leak(columns_[at.column].name,
                  "a row must lead to one other, but this one leads to two",
                  fields[at.column].text);
    }
    column = at.column;
    parent_class = at.ancestor;
  }
  const bool usual = column == parent_column_;
  table.parents.push_back(
      FindParent(parent_class, usual ? Joined(fields, parent_parts_, column) : fields[column]));
  if (sink_->published()) {
    THICKET_TRY(CheckPublishedOrder(column, parent_class, fields[column]));
  }
  if (parent_class != type(current_).parent && table.parent_classes.empty()) {
    table.parent_classes.assign(table.rows() - 1, type(current_).parent);
  }
  if (parent_class != type(current_).parent || !table.parent_classes.empty()) {
    table.parent_classes.push_back(parent_class);
  }
  if (table.parents.back() == kNoRow && table.orphans++ == 0) {
    table.first_orphan = table.rows() - 1;
    table.first_orphan_key = fields[column].text;
    table.first_orphan_column = columns_[column].name;
    table.first_orphan_class = parent_class;
  }
  return {};
}

TableJoin::Row TableJoin::FindParent(ClassId parent_class, const Field& field) const {
  if (field.kind == ValueKind::kNone) return kNoRow;
  const Table& parent = tables_[parent_class];
  Row row = kNoRow;
  if (sink_->published()) {
    const auto number = RunningNumber(field.text);
    if (number && *number <= parent.rows()) row = *number - 1;
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
    return ErrorAt(ErrorCode::kData, {.file = table.source},
                   "the data must have fewer than 2^31 values and vertices, but has more",
                   "split the data by persons");
  }
  table.places.push_back(place);
  if (key_column_ != kNoColumn) {
    THICKET_TRY(sink_->published() ? CheckPublishedKey(fields[key_column_])
                                   : AddKey(Joined(fields, key_parts_, key_column_)));
  }
  const size_t first = table.values.size();
  table.values.resize(first + width, kMissing);
  if (parent_column_ != kNoColumn) {
    THICKET_TRY(AddParent(fields));
    // Not interned: a value that nobody has must not be among the attribute's values.
    if (table.parents.back() == kNoRow) return {};
  }
  for (const size_t column : wanted_) {
    const Field& field = fields[column];
    const Meaning& meaning = columns_[column];
    if (meaning.role == Role::kValue) {
      table.values[first + meaning.slot] =
          sink_->Intern(current_, meaning.slot, field.kind, field.text);
    } else if (meaning.role == Role::kId) {
      THICKET_TRY(AddId(field));
    } else if (meaning.role == Role::kClassNumber) {
      table.class_numbers.push_back(class_numbers_.Intern(field.kind, field.text));
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
    return ErrorAt(ErrorCode::kData, {.file = table.source},
                   "the table of persons must have rows, but has none",
                   "check that it is the right table");
  }
  return CheckOrphans();
}

// Where most rows are orphans, the column is wrong, and to leave them out would be to leave out the table.
std::string TableJoin::OrphansHint(const Table& table, const std::string& parent) {
  if (table.orphans * 2 <= table.rows()) {
    return "add the rows that are missing, or set orphans: drop in input to leave these out";
  }
  return fmt::format(
      "check in the policy that {} is the column that holds the key of {}, and that key there is "
      "the "
      "right column: most rows find nobody",
      table.first_orphan_column, parent);
}

Status TableJoin::CheckOrphans() {
  Table& table = tables_[current_];
  if (table.orphans == 0) return {};
  const std::string count =
      fmt::format("{} of {} rows", WithCommas(table.orphans), WithCommas(table.rows()));
  ErrorPlace where = PlaceOf(table, table.first_orphan, table.first_orphan_column);
  const std::string& parent = tables_[table.first_orphan_class].source;
  if (policy_->input.drop_orphans && !sink_->published()) {
    sink_->dataset().warnings.push_back({fmt::format(
        "{}: no parent in {}, left out ({}, this is the first)", where.Text(), parent, count)});
    return {};
  }
  return ErrorAt(sink_->published() ? ErrorCode::kPromise : ErrorCode::kData, std::move(where),
                 fmt::format("every row must have its parent in {}, but this one has none ({})",
                             parent, count),
                 sink_->published() ? kPublishAgain : OrphansHint(table, parent),
                 table.first_orphan_key);
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
    StopPoint();
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
    return ErrorAt(
        ErrorCode::kData, PlaceOf(table, row, column),
        fmt::format("a published column must not be a key, but every value of this one is a key "
                    "of {}",
                    other.source),
        "put it under drop: keys are replaced by new ones, and one key to the parent is "
        "enough");
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

// Counting sort; rows of one parent stay in their order.
TableJoin::Children TableJoin::SortByParent(ClassId id, ClassId above) const {
  const Table& table = tables_[id];
  const Row parents = tables_[above].rows();
  const bool all = table.parent_classes.empty();
  const auto belongs = [&](Row row) {
    return table.parents[row] != kNoRow && (all || table.parent_classes[row] == above);
  };
  Children children;
  children.id = id;
  children.first.assign(size_t{parents} + 1, 0);
  for (Row row = 0; row < table.rows(); ++row) {
    StopPoint();
    if (belongs(row)) ++children.first[table.parents[row] + 1];
  }
  for (Row parent = 0; parent < parents; ++parent) {
    children.first[parent + 1] += children.first[parent];
  }
  children.rows.resize(children.first.back());
  std::vector<uint32_t> next(children.first.begin(), children.first.end() - 1);
  for (Row row = 0; row < table.rows(); ++row) {
    StopPoint();
    if (belongs(row)) children.rows[next[table.parents[row]]++] = row;
  }
  return children;
}

void TableJoin::SortByParents(ClassId id) {
  Table& table = tables_[id];
  const ClassId parent = type(id).parent;
  children_[parent].push_back(SortByParent(id, parent));
  for (ClassId above = parent; above != 0 && !table.parent_classes.empty();) {
    above = type(above).parent;
    children_[above].push_back(SortByParent(id, above));
  }
  table.parents = {};
  table.parent_classes = {};
  table.persons = {};
}

// The vertex is open already. As deep as the policy nests its classes.
Status TableJoin::Emit(ClassId id, Row row) {
  const Table& table = tables_[id];
  const size_t width = type(id).value_count();
  sink_->dataset().vertex_places.push_back(table.places[row]);
  for (size_t slot = 0; slot < width; ++slot) {
    sink_->SetSymbol(slot, table.values[row * width + slot]);
  }
  for (const Children& children : children_[id]) {
    for (uint32_t i = children.first[row]; i < children.first[row + 1]; ++i) {
      if (!sink_->OpenVertex(children.id, i - children.first[row])) return sink_->Full();
      THICKET_TRY(Emit(children.id, children.rows[i]));
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
  for (size_t id = 1; id < tables_.size(); ++id) SortByParents(static_cast<ClassId>(id));
  const Table& persons = tables_.front();
  for (Row row = 0; row < persons.rows(); ++row) {
    StopPoint();
    THICKET_TRY(sink_->BeginRecord(persons.places[row]));
    THICKET_TRY(Emit(0, row));
    if (!persons.class_numbers.empty() && persons.class_numbers[row] != kMissing) {
      sink_->SetClassNumber(class_numbers_.text(persons.class_numbers[row]));
    }
    // The rule about identifiers was kept row by row.
    sink_->CloseRecord();
  }
  tables_.clear();
  children_.clear();
  return {};
}

}  // namespace thicket
