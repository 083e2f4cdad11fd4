#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/csv/csv_groups.h"
#include "io/csv/csv_rows.h"
#include "io/csv/decimal_comma.h"
#include "io/file/latin1.h"
#include "io/readers.h"

namespace thicket {

namespace {

using Role = DatasetSink::Key::Role;

class CsvReader {
 public:
  CsvReader(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink)
      : appearance_(sink, sink.dataset().source),
        rows_(source, sink.dataset().source, input.delimiter, progress),
        numbers_(input, sink.schema().root()),
        sink_(&sink) {
    if (sink.published()) rows_.Watch(appearance_);
  }

  Status Run() {
    return rows_.ForEach(
        [&](const CsvRows::Fields& header, uint32_t line) { return ReadHeader(header, line); },
        [&](const CsvRows::Fields& row, uint32_t line) { return ReadRow(row, line); });
  }

 private:
  Status ReadHeader(const CsvRows::Fields& header, uint32_t line) {
    // Where the header is missing, a name is a person's value: messages quote none.
    std::map<std::string_view, size_t> column_of_name;
    bool known = false;
    TableShape& table = sink_->dataset().shape.tables.front();
    for (const std::string_view name : header) {
      const size_t column = columns_.size() + 1;
      const auto [before, added] = column_of_name.emplace(name, column);
      if (!added) {
        return rows_.Wrong(
            line,
            fmt::format("columns {} and {} must have names of their own, but have the same",
                        before->second, column),
            "is the header line missing?");
      }
      DatasetSink::Key* key = sink_->Find(0, name);
      columns_.push_back(key);
      if (key == nullptr) continue;
      known = true;
      DatasetSink::MeetInHeader(*key);
      if (key->role == Role::kValue) {
        table.columns.push_back({TableColumn::Role::kValue, key->slot(), ""});
      }
    }
    if (!known && !sink_->published()) {
      return rows_.Wrong(line, "the header must have the names of the policy, but has none of them",
                         "is the header line missing, or input.delimiter wrong?");
    }
    table.delimiter = rows_.delimiter();
    return sink_->CheckNames();
  }

  Status ReadRow(const CsvRows::Fields& row, uint32_t line) {
    THICKET_TRY(sink_->BeginRecord(line));
    for (size_t i = 0; i < row.size(); ++i) {
      if (columns_[i] == nullptr || row[i].empty()) continue;
      const DatasetSink::Key& key = *columns_[i];
      if (key.role == Role::kValue) {
        sink_->SetValue(key.slot(), ValueKind::kString, numbers_.Turn(key.slot(), row[i], turned_));
      } else if (key.role == Role::kId) {
        THICKET_TRY(sink_->SetId(key, row[i]));
      } else if (key.role == Role::kDrop) {
        THICKET_TRY(sink_->MeetDropped(key));
      } else if (key.role == Role::kClassNumber) {
        sink_->SetClassNumber(row[i]);
      }
    }
    return sink_->EndRecord();
  }

  CsvAppearance appearance_;
  CsvRows rows_;
  DecimalComma numbers_;
  std::string turned_;
  DatasetSink* sink_;
  // By column: what it stands for, null for nothing.
  std::vector<const DatasetSink::Key*> columns_;
};

}  // namespace

Status ReadCsv(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink) {
  if (!sink.schema().root().group_by.empty()) return ReadCsvGroups(input, source, progress, sink);
  if (sink.schema().classes.size() > 1) {
    return ErrorAt(ErrorCode::kUsage, {.path = "input.format"},
                   "a csv table has no children, but the policy names some",
                   "take children out of the policy, or use format: jsonl or json");
  }
  progress.Begin("read", source.stored_bytes());
  std::optional<Latin1Source> decoded;
  if (input.encoding == TextEncoding::kLatin1) decoded.emplace(source);
  THICKET_TRY(CsvReader(input, decoded ? *decoded : source, progress, sink).Run());
  progress.End();
  return {};
}

}  // namespace thicket
