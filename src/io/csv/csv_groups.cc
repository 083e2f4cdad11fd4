#include "io/csv/csv_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "io/csv/csv_rows.h"
#include "io/csv/decimal_comma.h"
#include "io/file/latin1.h"
#include "io/id_set.h"

namespace thicket {

namespace {

using Role = DatasetSink::Key::Role;

constexpr ClassId kPerson = 0;
constexpr ClassId kRow = 1;
constexpr char kPublishAgain[] = "do not hand this file out; publish again with thicket anonymize";

class GroupReader {
 public:
  GroupReader(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink)
      : appearance_(sink, sink.dataset().source),
        rows_(source, sink.dataset().source, input.delimiter, progress),
        numbers_{DecimalComma(input, sink.schema().classes[kPerson]),
                 DecimalComma(input, sink.schema().classes[kRow])},
        sink_(&sink),
        group_by_(sink.schema().root().group_by),
        width_{sink.schema().classes[kPerson].value_count(),
               sink.schema().classes[kRow].value_count()} {
    if (sink.published()) rows_.Watch(appearance_);
  }

  Status Run() {
    THICKET_TRY(rows_.ForEach(
        [&](const CsvRows::Fields& header, uint32_t line) { return ReadHeader(header, line); },
        [&](const CsvRows::Fields& row, uint32_t line) { return ReadRow(row, line); }));
    return Finish();
  }

 private:
  // What a column is: nothing, whose row it is, or a key of the person or of the row.
  struct Column {
    bool group = false;
    ClassId id = kPerson;
    const DatasetSink::Key* key = nullptr;
  };

  Status ReadHeader(const CsvRows::Fields& header, uint32_t line) {
    std::map<std::string_view, size_t> column_of_name;
    TableShape& table = sink_->dataset().shape.tables.front();
    bool has_group = false;
    for (const std::string_view name : header) {
      const size_t number = columns_.size() + 1;
      const auto [before, added] = column_of_name.emplace(name, number);
      if (!added) {
        return rows_.Wrong(
            line,
            fmt::format("columns {} and {} must have names of their own, but have the same",
                        before->second, number),
            "is the header line missing?");
      }
      Column column;
      column.group = name == group_by_;
      has_group |= column.group;
      DatasetSink::Key* key = sink_->FindNamed(kPerson, name);
      if (key == nullptr) {
        key = sink_->FindNamed(kRow, name);
        if (key != nullptr) column.id = kRow;
      }
      if (key == nullptr && !column.group) sink_->CountUnnamed(kPerson, name);
      if (key != nullptr) DatasetSink::MeetInHeader(*key);
      column.key = key;
      columns_.push_back(column);
      if (column.group) {
        table.columns.push_back({TableColumn::Role::kKey, 0, ""});
      } else if (key != nullptr && key->role == Role::kValue) {
        table.columns.push_back({TableColumn::Role::kValue, key->slot(), "",
                                 column.id == kRow ? std::string(name) : ""});
      }
    }
    if (!has_group) {
      return rows_.Wrong(line, "the header must have the column that group_by names, but has not",
                         "is the header line missing, or input.delimiter wrong?");
    }
    table.delimiter = rows_.delimiter();
    return sink_->CheckNames();
  }

  Status ReadRow(const CsvRows::Fields& row, uint32_t line) {
    std::string_view group;
    std::string_view class_number;
    values_[kPerson].assign(width_[kPerson], kMissing);
    values_[kRow].assign(width_[kRow], kMissing);
    for (size_t i = 0; i < row.size(); ++i) {
      const Column& column = columns_[i];
      if (column.group) group = row[i];
      if (column.key == nullptr || row[i].empty()) continue;
      const DatasetSink::Key& key = *column.key;
      if (key.role == Role::kValue) {
        values_[column.id][key.slot()] =
            sink_->Intern(column.id, key.slot(), ValueKind::kString,
                          numbers_[column.id].Turn(key.slot(), row[i], turned_));
      } else if (key.role == Role::kClassNumber) {
        class_number = row[i];
      } else if (key.role == Role::kDrop && sink_->published()) {
        return Leak(line, key.name,
                    "published data must not hold a dropped attribute, but does here");
      }
    }
    if (group.empty()) {
      return Wrong(line, group_by_, "every row must say whose it is, but this one does not",
                   "complete the data, or remove the row");
    }
    THICKET_TRY(AddRow(group, class_number, line));
    const bool empty = std::all_of(values_[kRow].begin(), values_[kRow].end(),
                                   [](Symbol symbol) { return symbol == kMissing; });
    const uint32_t person = person_;
    if (sink_->published() && (empty ? rows_of_person_ > 1 : has_empty_)) {
      sink_->TellApartAt(fmt::format("{}:{}", sink_->dataset().source, line), kAloneRow);
    }
    has_empty_ |= empty;
    if (empty) return {};
    parents_.push_back(person);
    places_.push_back(line);
    symbols_.insert(symbols_.end(), values_[kRow].begin(), values_[kRow].end());
    return {};
  }

  // The person that the row belongs to, who may be new.
  Status AddRow(std::string_view group, std::string_view class_number, uint32_t line) {
    const auto persons = static_cast<uint32_t>(person_places_.size());
    bool added = false;
    if (sink_->published()) {
      const bool same = persons > 0 && group == std::to_string(persons);
      added = !same && group == std::to_string(persons + 1);
      if (!same && !added) {
        return Leak(line, group_by_,
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
    if (added) {
      has_empty_ = false;
      person_places_.push_back(line);
      class_numbers_.emplace_back(class_number);
      person_symbols_.insert(person_symbols_.end(), values_[kPerson].begin(),
                             values_[kPerson].end());
      return {};
    }
    if (class_numbers_[person_] != class_number) {
      sink_->TellApartAt(fmt::format("{}:{}: {}", sink_->dataset().source, line, kClassKey),
                         kSameClass);
    }
    for (size_t slot = 0; slot < width_[kPerson]; ++slot) {
      if (person_symbols_[person_ * width_[kPerson] + slot] == values_[kPerson][slot]) continue;
      const std::string& name = sink_->schema().root().slot_name(slot);
      const std::string what = fmt::format(
          "every row of a person must have the same value here as the first (line {}), but this "
          "one "
          "has another",
          person_places_[person_]);
      if (sink_->published()) return Leak(line, name, what);
      return Wrong(line, name, what,
                   "put the column into the class under children, or correct the data");
    }
    return {};
  }

  Status Finish() {
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

  void Set(const std::vector<Symbol>& symbols, size_t number, size_t width) {
    for (size_t slot = 0; slot < width; ++slot) {
      sink_->SetSymbol(slot, symbols[number * width + slot]);
    }
  }

  Error Wrong(uint32_t line, const std::string& column, std::string_view what,
              std::string hint) const {
    return ErrorAt(ErrorCode::kData,
                   {.file = sink_->dataset().source, .line = line, .path = column}, what,
                   std::move(hint));
  }
  Error Leak(uint32_t line, const std::string& column, std::string_view what) const {
    Error error = Wrong(line, column, what, kPublishAgain);
    error.code = ErrorCode::kPromise;
    return error;
  }

  static constexpr std::string_view kAloneRow =
      "a row without values must be the only one of its person, but is not here";
  static constexpr std::string_view kSameClass =
      "all rows of a person must have the number of one class, but do not here";

  CsvAppearance appearance_;
  CsvRows rows_;
  // By class.
  DecimalComma numbers_[2];
  std::string turned_;
  DatasetSink* sink_;
  const std::string& group_by_;
  // By class: how many values there are, and those of the row that is read.
  size_t width_[2];
  std::vector<Symbol> values_[2];
  std::vector<Column> columns_;
  // Original data: the persons so far, the place of an entry is one more than its number.
  IdSet groups_;
  uint32_t person_ = 0;
  // Published data: how many rows the person has, and whether one is without values.
  uint64_t rows_of_person_ = 0;
  bool has_empty_ = false;
  // By person.
  std::vector<uint32_t> person_places_;
  std::vector<Symbol> person_symbols_;
  std::vector<std::string> class_numbers_;
  // By row that is a vertex.
  std::vector<uint32_t> parents_;
  std::vector<uint32_t> places_;
  std::vector<Symbol> symbols_;
};

}  // namespace

Status ReadCsvGroups(const InputPolicy& input, Source& source, Progress& progress,
                     DatasetSink& sink) {
  progress.Begin("read", source.stored_bytes());
  std::optional<Latin1Source> decoded;
  if (input.encoding == TextEncoding::kLatin1) decoded.emplace(source);
  THICKET_TRY(GroupReader(input, decoded ? *decoded : source, progress, sink).Run());
  progress.End();
  return {};
}

}  // namespace thicket
