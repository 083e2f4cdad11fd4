#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "io/csv/csv_rows.h"
#include "io/querylog/querylog_columns.h"
#include "io/querylog/querylog_reader.h"

namespace thicket {

namespace {

constexpr ClassId kTerm = 1;
constexpr std::string_view kOneRow =
    "a bag without terms must be one row without a query, but here is another";
constexpr std::string_view kOneClass =
    "all rows of a bag must have the same number of a class, but do not here";

class PublishedReader {
 public:
  PublishedReader(Source& source, Progress& progress, DatasetSink& sink)
      : appearance_(sink, sink.dataset().source),
        rows_(source, sink.dataset().source, 0, progress),
        sink_(&sink) {
    rows_.Watch(appearance_);
    terms_ = sink_->Find(0, sink_->schema().classes[kTerm].at);
  }

  Status Run() {
    THICKET_TRY(rows_.ForEach(
        [&](const CsvRows::Fields& header, uint32_t line) { return ReadHeader(header, line); },
        [&](const CsvRows::Fields& row, uint32_t line) { return ReadRow(row, line); }));
    return number_ == 0 ? Status() : sink_->EndRecord();
  }

 private:
  enum Column : size_t { kIdColumn, kQueryColumn, kClassColumn };

  Status ReadHeader(const CsvRows::Fields& header, uint32_t line) {
    columns_ = {{kAnonId, true}, {kQuery, true}, {kClassKey}};
    sink_->dataset().shape.log_delimiter = rows_.delimiter();
    return QuerylogHeader(*sink_).Find(header, line, columns_);
  }

  Status ReadRow(const CsvRows::Fields& row, uint32_t line) {
    const std::string_view id = row[columns_[kIdColumn].column];
    const std::string_view term = row[columns_[kQueryColumn].column];
    const std::string_view in_class = columns_[kClassColumn].column == QuerylogHeader::kNone
                                          ? ""
                                          : row[columns_[kClassColumn].column];
    const bool same_bag = number_ > 0 && id == number_text_;
    if (same_bag) {
      if (index_ == 0 || term.empty()) TellApart(line, kOneRow);
      if (in_class != class_) TellApart(line, kOneClass);
    } else {
      THICKET_TRY(Begin(id, in_class, line));
    }
    return term.empty() ? Status() : AddTerm(term);
  }

  Status Begin(std::string_view id, std::string_view in_class, uint32_t line) {
    if (number_ > 0) THICKET_TRY(sink_->EndRecord());
    number_text_ = std::to_string(++number_);
    if (id != number_text_) {
      return ErrorAt(ErrorCode::kPromise,
                     {.file = sink_->dataset().source, .line = line, .path = std::string(kAnonId)},
                     "published data must have the running number of a bag as its AnonID, but here "
                     "is another",
                     "do not hand this file out; publish again with thicket anonymize",
                     std::string(id));
    }
    THICKET_TRY(sink_->BeginRecord(line));
    sink_->Meet(*terms_);
    sink_->MeetArray(kTerm);
    sink_->MeetShape(kTerm, true, 0);
    class_ = in_class;
    if (!in_class.empty()) sink_->SetClassNumber(in_class);
    index_ = 0;
    return {};
  }

  Status AddTerm(std::string_view term) {
    const Symbol symbol = sink_->Intern(kTerm, 0, ValueKind::kString, term);
    if (!sink_->OpenVertex(kTerm, index_++)) return sink_->Full();
    sink_->SetSymbol(0, symbol);
    sink_->CloseVertex();
    return {};
  }

  void TellApart(uint32_t line, std::string_view rule) {
    sink_->TellApartAt(fmt::format("{}:{}", sink_->dataset().source, line), rule);
  }

  CsvAppearance appearance_;
  CsvRows rows_;
  DatasetSink* sink_;
  DatasetSink::Key* terms_;
  std::vector<QuerylogHeader::Name> columns_;
  // The bag being read: its number, how many terms it has so far, and what stands under kClassKey.
  uint64_t number_ = 0;
  std::string number_text_;
  int64_t index_ = 0;
  std::string class_;
};

}  // namespace

Status ReadPublishedQuerylog(Source& source, Progress& progress, DatasetSink& sink) {
  progress.Begin("read", source.stored_bytes());
  THICKET_TRY(PublishedReader(source, progress, sink).Run());
  progress.End();
  return {};
}

}  // namespace thicket
