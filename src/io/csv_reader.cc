#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "io/csv_row.h"
#include "io/readers.h"
#include "io/window.h"

namespace thicket {

namespace {

using Role = DatasetSink::Key::Role;

class CsvReader {
 public:
  CsvReader(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink)
      : input_(&input), window_(source, progress), sink_(&sink) {}

  Status Run() {
    bool more = true;
    while (more) {
      THICKET_ASSIGN(more, window_.Fill());
      if (more && window_.text().size() < kByteOrderMark.size()) continue;
      if (!begun_ && window_.text().substr(0, kByteOrderMark.size()) == kByteOrderMark) {
        window_.Drop(kByteOrderMark.size());
      }
      begun_ = true;
      THICKET_TRY(ReadRows(!more));
      if (window_.text().size() > kLongestRecord) {
        return Wrong(line_, "a row must be shorter than 1 GiB, but is longer",
                     "look for a quote that is not closed");
      }
    }
    return {};
  }

 private:
  Error Wrong(size_t line, std::string_view what, std::string hint = "") const {
    return {ErrorCode::kData, fmt::format("{}:{}: {}", sink_->dataset().source, line, what),
            std::move(hint), ""};
  }

  Status ReadRows(bool last) {
    while (!window_.text().empty()) {
      const std::string_view text = window_.text();
      if (columns_.empty()) {
        if (!last && text.find('\n') == std::string_view::npos) return {};
        delimiter_ = input_->delimiter != 0 ? input_->delimiter : FindDelimiter(text);
      }
      const CsvRow::Outcome outcome = row_.Parse(text, delimiter_, last);
      if (outcome == CsvRow::Outcome::kIncomplete) return {};
      // A bad byte is reported as such, whatever it does to the row.
      const size_t end =
          outcome == CsvRow::Outcome::kBad ? text.find('\n', row_.bytes()) : row_.bytes();
      const std::string_view bytes = text.substr(0, end);
      if (!simdjson::validate_utf8(bytes.data(), bytes.size())) return NotUtf8(bytes);
      if (outcome == CsvRow::Outcome::kBad) {
        return Wrong(line_ + row_.lines(), fmt::format("must be CSV, but {}", row_.fault()),
                     std::string(row_.hint()));
      }
      if (outcome == CsvRow::Outcome::kRow) {
        THICKET_TRY(columns_.empty() ? ReadHeader() : ReadRow());
      }
      line_ += row_.lines();
      window_.Drop(row_.bytes());
    }
    return {};
  }

  Error NotUtf8(std::string_view bytes) const {
    size_t position = 0;
    IsUtf8(bytes, &position);
    const std::string_view before = bytes.substr(0, position);
    const auto breaks = std::count(before.begin(), before.end(), '\n');
    return Wrong(line_ + static_cast<size_t>(breaks), "must be UTF-8, but a byte is not",
                 "convert the file, for example with iconv");
  }

  Status ReadHeader() {
    // Where the header is missing, a name is a person's value: messages quote none.
    std::map<std::string_view, size_t> column_of_name;
    bool known = false;
    TableShape& table = sink_->dataset().shape.tables.front();
    for (const std::string_view name : row_.fields()) {
      const size_t column = columns_.size() + 1;
      const auto [before, added] = column_of_name.emplace(name, column);
      if (!added) {
        return Wrong(
            line_,
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
      return Wrong(line_, "the header must have the names of the policy, but has none of them",
                   "is the header line missing, or input.delimiter wrong?");
    }
    table.delimiter = delimiter_;
    return sink_->CheckNames();
  }

  Status ReadRow() {
    const std::vector<std::string_view>& fields = row_.fields();
    if (fields.size() != columns_.size()) {
      return Wrong(line_,
                   fmt::format("every row must have as many fields as the header, {}, but this "
                               "one has {}",
                               columns_.size(), fields.size()),
                   "quote cells that hold the delimiter");
    }
    THICKET_TRY(sink_->BeginRecord(static_cast<uint32_t>(line_)));
    for (size_t i = 0; i < fields.size(); ++i) {
      if (columns_[i] == nullptr || fields[i].empty()) continue;
      const DatasetSink::Key& key = *columns_[i];
      if (key.role == Role::kValue) {
        sink_->SetValue(key.slot(), ValueKind::kString, fields[i]);
      } else if (key.role == Role::kId) {
        THICKET_TRY(sink_->SetId(key, fields[i]));
      } else if (key.role == Role::kDrop) {
        THICKET_TRY(sink_->MeetDropped(key));
      }
    }
    return sink_->EndRecord();
  }

  const InputPolicy* input_;
  Window window_;
  DatasetSink* sink_;
  CsvRow row_;
  // By column: what it stands for, null for nothing. Empty until the header was read.
  std::vector<const DatasetSink::Key*> columns_;
  char delimiter_ = ',';
  size_t line_ = 1;
  bool begun_ = false;
};

}  // namespace

Status ReadCsv(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink) {
  if (sink.schema().classes.size() > 1) {
    return Error{ErrorCode::kUsage,
                 "input.format: a csv table has no children, but the policy names some",
                 "take children out of the policy, or use format: jsonl or json", ""};
  }
  progress.Begin("read", source.stored_bytes());
  THICKET_TRY(CsvReader(input, source, progress, sink).Run());
  progress.End();
  return {};
}

}  // namespace thicket
