#include "io/person_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/stop.h"

namespace thicket {

namespace {

constexpr char kDoNotHandOut[] = "do not hand this file out; publish again with thicket anonymize";
constexpr std::string_view kAloneRow =
    "a row without values must be the only one of its person, but is not here";
constexpr std::string_view kSameClass =
    "all rows of a person must have the number of one class, but do not here";

}  // namespace

PersonRows::PersonRows(DatasetSink& sink)
    : sink_(&sink),
      group_by_(sink.schema().root().group_by),
      width_{sink.schema().classes[kPerson].value_count(),
             sink.schema().classes[kRow].value_count()} {}

PersonRows::Column PersonRows::AddColumn(std::string_view name) {
  Column column;
  column.group = name == group_by_;
  DatasetSink::Key* key = sink_->FindNamed(kPerson, name);
  if (key == nullptr) {
    key = sink_->FindNamed(kRow, name);
    if (key != nullptr) column.id = kRow;
  }
  if (key == nullptr && !column.group) sink_->CountUnnamed(kPerson, name);
  if (key != nullptr) DatasetSink::MeetInHeader(*key);
  column.key = key;
  TableShape& table = sink_->dataset().shape.tables.front();
  if (column.group) {
    table.columns.push_back({TableColumn::Role::kKey, 0, ""});
  } else if (column.is(DatasetSink::Key::Role::kValue)) {
    table.columns.push_back(
        {TableColumn::Role::kValue, key->slot(), "", column.id == kRow ? std::string(name) : ""});
  }
  return column;
}

void PersonRows::Begin() {
  values_[kPerson].assign(width_[kPerson], kMissing);
  values_[kRow].assign(width_[kRow], kMissing);
}

Status PersonRows::Add(std::string_view group, std::string_view class_number, uint32_t place) {
  if (group.empty()) {
    return Wrong(place, group_by_, "every row must say whose it is, but this one does not",
                 "complete the data, or remove the row");
  }
  THICKET_TRY(FindPerson(group, class_number, place));
  const bool empty = std::all_of(values_[kRow].begin(), values_[kRow].end(),
                                 [](Symbol symbol) { return symbol == kMissing; });
  if (sink_->published() && (empty ? rows_of_person_ > 1 : has_empty_)) {
    sink_->TellApartAt(PlaceOf(place, "").Text(), kAloneRow);
  }
  has_empty_ |= empty;
  if (empty) return {};
  parents_.push_back(person_);
  places_.push_back(place);
  symbols_.insert(symbols_.end(), values_[kRow].begin(), values_[kRow].end());
  return {};
}

Status PersonRows::FindPerson(std::string_view group, std::string_view class_number,
                              uint32_t place) {
  const auto persons = static_cast<uint32_t>(person_places_.size());
  bool added = false;
  if (sink_->published()) {
    const bool same = persons > 0 && group == std::to_string(persons);
    added = !same && group == std::to_string(persons + 1);
    if (!same && !added) {
      return WrongPublished(
          place, group_by_,
          "published data must have the running number of a person, whose rows stand "
          "together, but here is another");
    }
    person_ = added ? persons : persons - 1;
  } else {
    const auto before = groups_.Add(group, persons + 1);
    added = !before;
    person_ = added ? persons : *before - 1;
  }
  rows_of_person_ = added ? 1 : rows_of_person_ + 1;
  if (!added) return CheckSame(class_number, place);
  has_empty_ = false;
  person_places_.push_back(place);
  class_numbers_.emplace_back(class_number);
  person_symbols_.insert(person_symbols_.end(), values_[kPerson].begin(), values_[kPerson].end());
  return {};
}

Status PersonRows::CheckSame(std::string_view class_number, uint32_t place) const {
  if (class_numbers_[person_] != class_number) {
    sink_->TellApartAt(PlaceOf(place, kClassKey).Text(), kSameClass);
  }
  for (size_t slot = 0; slot < width_[kPerson]; ++slot) {
    if (person_symbols_[person_ * width_[kPerson] + slot] == values_[kPerson][slot]) continue;
    const std::string& name = sink_->schema().root().slot_name(slot);
    const std::string what = fmt::format(
        "every row of a person must have the same value here as the first ({} {}), but this one "
        "has another",
        sink_->dataset().has_lines ? "line" : "row", person_places_[person_]);
    if (sink_->published()) return WrongPublished(place, name, what);
    return Wrong(place, name, what,
                 "put the column into the class under children, or correct the data");
  }
  return {};
}

Status PersonRows::Finish() {
  Dataset& data = sink_->dataset();
  data.table_sources.assign(2, data.source);
  const auto persons = static_cast<uint32_t>(person_places_.size());
  // Counting sort; rows of one person stay in their order.
  std::vector<uint32_t> first(size_t{persons} + 1, 0);
  for (const uint32_t parent : parents_) ++first[parent + 1];
  for (uint32_t i = 0; i < persons; ++i) first[i + 1] += first[i];
  std::vector<uint32_t> sorted(parents_.size());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (uint32_t row = 0; row < parents_.size(); ++row) sorted[next[parents_[row]]++] = row;
  for (uint32_t person = 0; person < persons; ++person) {
    StopPoint();
    THICKET_TRY(sink_->BeginRecord(person_places_[person]));
    data.vertex_places.push_back(person_places_[person]);
    Set(person_symbols_, person, width_[kPerson]);
    if (!class_numbers_[person].empty()) sink_->SetClassNumber(class_numbers_[person]);
    for (uint32_t i = first[person]; i < first[person + 1]; ++i) {
      sink_->MeetArray(kRow);
      if (!sink_->OpenVertex(kRow, i - first[person])) return sink_->Full();
      data.vertex_places.push_back(places_[sorted[i]]);
      Set(symbols_, sorted[i], width_[kRow]);
      sink_->CloseVertex();
    }
    sink_->CloseRecord();
  }
  return {};
}

void PersonRows::Set(const std::vector<Symbol>& symbols, size_t number, size_t width) {
  for (size_t slot = 0; slot < width; ++slot) {
    sink_->SetSymbol(slot, symbols[number * width + slot]);
  }
}

ErrorPlace PersonRows::PlaceOf(uint32_t place, std::string_view column) const {
  ErrorPlace at = {.file = sink_->dataset().source, .path = std::string(column)};
  (sink_->dataset().has_lines ? at.line : at.row) = place;
  return at;
}

Error PersonRows::Wrong(uint32_t place, std::string_view column, std::string_view what,
                        std::string hint) const {
  return ErrorAt(ErrorCode::kData, PlaceOf(place, column), what, std::move(hint));
}

Error PersonRows::WrongPublished(uint32_t place, std::string_view column,
                                 std::string_view what) const {
  return ErrorAt(ErrorCode::kPromise, PlaceOf(place, column), what, kDoNotHandOut);
}

std::vector<TableColumn> ColumnsOfPersonRows(const Dataset& data) {
  const TableShape& table = data.shape.tables.front();
  if (!table.columns.empty()) return table.columns;
  std::vector<TableColumn> columns = {{TableColumn::Role::kKey, 0, ""}};
  const Schema& schema = *data.schema;
  for (size_t slot = 0; slot < schema.root().value_count(); ++slot) {
    columns.push_back({TableColumn::Role::kValue, slot, ""});
  }
  const VertexClass& row = schema.classes[PersonRows::kRow];
  for (size_t slot = 0; slot < row.value_count(); ++slot) {
    columns.push_back({TableColumn::Role::kValue, slot, "", row.slot_name(slot)});
  }
  return columns;
}

size_t RowsOfVertex(OutgoingRecords& records, size_t position) {
  if (!records.sparse()) return 1;
  const VertexClass& type = records.schema().classes[PersonRows::kRow];
  size_t rows = 1;
  for (size_t slot = type.quasi.size(); slot < type.value_count(); ++slot) {
    rows = std::max(rows, records.ValueCount(position, slot));
  }
  return rows;
}

const std::string& NameOfColumn(const Schema& schema, const TableColumn& column) {
  if (column.role == TableColumn::Role::kKey) return schema.root().group_by;
  return column.name.empty() ? schema.root().slot_name(column.slot) : column.name;
}

}  // namespace thicket
