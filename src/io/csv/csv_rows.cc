#include "io/csv/csv_rows.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/text.h"
#include "io/readers.h"

namespace thicket {

Error CsvRows::Wrong(size_t line, std::string_view what, std::string hint) const {
  return ErrorAt(ErrorCode::kData, {.file = *name_, .line = line}, what, std::move(hint));
}

ErrorPlace CsvRows::PlaceOf(std::string_view field, uint32_t line) const {
  ErrorPlace place = {.file = *name_, .line = line};
  const std::string_view row = window_.text().substr(0, row_.bytes());
  // A field with doubled quotes is a copy.
  const std::less_equal<const char*> in_order;
  if (!in_order(row.data(), field.data()) || !in_order(field.data(), row.data() + row.size())) {
    return place;
  }
  const std::string_view before = row.substr(0, static_cast<size_t>(field.data() - row.data()));
  place.line += static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  // From the line's first byte, or behind its line end.
  place.column = before.size() - (before.rfind('\n') + 1) + 1;
  return place;
}

Error CsvRows::NotUtf8(std::string_view bytes) const {
  size_t position = 0;
  IsUtf8(bytes, &position);
  const std::string_view before = bytes.substr(0, position);
  const auto breaks = std::count(before.begin(), before.end(), '\n');
  const bool utf16 = line_ == 1 && (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"));
  if (utf16) {
    return Wrong(1, "must be UTF-8, but is UTF-16",
                 "convert the file, for example with iconv -f UTF-16 -t UTF-8");
  }
  return Wrong(
      line_ + static_cast<size_t>(breaks), "must be UTF-8, but a byte is not",
      tabs_as_logs_ ? "convert the file, for example with iconv" : std::string(kMayBeLatin1));
}

Status CsvRows::ForEach(const Row& header, const Row& row) {
  bool more = true;
  bool begun = false;
  while (more) {
    THICKET_ASSIGN(more, window_.Fill());
    if (more && window_.text().size() < kByteOrderMark.size()) continue;
    if (!begun && window_.text().substr(0, kByteOrderMark.size()) == kByteOrderMark) {
      window_.Drop(kByteOrderMark.size());
    }
    begun = true;
    THICKET_TRY(ReadRows(!more, header, row));
    if (window_.text().size() > kLongestRecord) {
      return Wrong(line_, "a row must be shorter than 1 GiB, but is longer",
                   "look for a quote that is not closed");
    }
  }
  return {};
}

Status CsvRows::ReadRows(bool last, const Row& header, const Row& row) {
  while (!window_.text().empty()) {
    const std::string_view text = window_.text();
    if (given_ == 0 && width_ == 0) {
      if (!last && text.find('\n') == std::string_view::npos) return {};
      delimiter_ = FindDelimiter(text);
    }
    const bool log = tabs_as_logs_ && delimiter_ == '\t';
    const CsvRow::Outcome outcome = row_.Parse(
        text, delimiter_, last, log ? CsvRow::Quotes::kLiteral : CsvRow::Quotes::kAroundFields);
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
    if (outcome == CsvRow::Outcome::kBlank && appearance_ != nullptr) {
      appearance_->MeetBlankLine(line_);
    }
    if (outcome == CsvRow::Outcome::kRow) {
      const Fields& fields = row_.fields();
      const auto line = static_cast<uint32_t>(line_);
      if (appearance_ != nullptr) appearance_->MeetRow(row_, delimiter_, line_);
      if (width_ == 0) {
        THICKET_TRY(header(fields, line));
        width_ = fields.size();
      } else if (fields.size() > width_ || (fields.size() < width_ && !log)) {
        return Wrong(line_,
                     fmt::format("every row must have as many fields as the header, {}, but this "
                                 "one has {}",
                                 width_, fields.size()),
                     log ? "take tabs and line ends out of the fields"
                         : "quote cells that hold the delimiter; if each line is a set of items, "
                           "use format: transactions");
      } else {
        THICKET_TRY(row(fields, line));
      }
    }
    line_ += row_.lines();
    window_.Drop(row_.bytes());
  }
  return {};
}

}  // namespace thicket
