#include "io/csv/csv_groups.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/csv/csv_rows.h"
#include "io/csv/decimal_comma.h"
#include "io/file/latin1.h"
#include "io/person_rows.h"

namespace thicket {

namespace {

using Role = DatasetSink::Key::Role;

class GroupReader {
 public:
  GroupReader(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink)
      : appearance_(sink, sink.dataset().source),
        rows_(source, sink.dataset().source, input.delimiter, progress),
        numbers_{DecimalComma(input, sink.schema().classes[PersonRows::kPerson]),
                 DecimalComma(input, sink.schema().classes[PersonRows::kRow])},
        sink_(&sink),
        persons_(sink) {
    if (sink.published()) rows_.Watch(appearance_);
  }

  Status Run() {
    THICKET_TRY(rows_.ForEach(
        [&](const CsvRows::Fields& header, uint32_t line) { return ReadHeader(header, line); },
        [&](const CsvRows::Fields& row, uint32_t line) { return ReadRow(row, line); }));
    return persons_.Finish();
  }

 private:
  Status ReadHeader(const CsvRows::Fields& header, uint32_t line) {
    std::map<std::string_view, size_t> column_of_name;
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
      columns_.push_back(persons_.AddColumn(name));
      has_group |= columns_.back().group;
    }
    if (!has_group) {
      return rows_.Wrong(line, "the header must have the column that group_by names, but has not",
                         "is the header line missing, or input.delimiter wrong?");
    }
    sink_->dataset().shape.tables.front().delimiter = rows_.delimiter();
    return sink_->CheckNames();
  }

  Status ReadRow(const CsvRows::Fields& row, uint32_t line) {
    std::string_view group;
    std::string_view class_number;
    persons_.Begin();
    for (size_t i = 0; i < row.size(); ++i) {
      const PersonRows::Column& column = columns_[i];
      if (column.group) group = row[i];
      if (column.key == nullptr || row[i].empty()) continue;
      const DatasetSink::Key& key = *column.key;
      if (key.role == Role::kValue) {
        persons_.values(column.id)[key.slot()] =
            sink_->Intern(column.id, key.slot(), ValueKind::kString,
                          numbers_[column.id].Turn(key.slot(), row[i], turned_));
      } else if (key.role == Role::kClassNumber) {
        class_number = row[i];
      } else if (key.role == Role::kDrop && sink_->published()) {
        return persons_.Dropped(line, key);
      }
    }
    return persons_.Add(group, class_number, line);
  }

  CsvAppearance appearance_;
  CsvRows rows_;
  // By class.
  DecimalComma numbers_[2];
  std::string turned_;
  DatasetSink* sink_;
  PersonRows persons_;
  std::vector<PersonRows::Column> columns_;
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
