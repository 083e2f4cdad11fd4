#include "io/csv/csv_appearance.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/csv/csv_characters.h"

namespace thicket {

CsvAppearance::Like CsvAppearance::LikeWhat(std::string_view field, char delimiter) {
  if (field.empty()) return kEmpty;
  const unsigned kinds = CsvCharacters(field, delimiter);
  if ((kinds & kCsvNeedsQuotes) != 0) return kMustBeQuoted;
  if ((kinds & kCsvSeparates) != 0) return kSeparated;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool padded = is_blank(field.front()) || is_blank(field.back());
  return padded ? kPadded : kPlain;
}

void CsvAppearance::MeetRow(const CsvRow& row, char delimiter, size_t line) {
  if (row.end() != CsvRow::End::kNone && !line_ends_.Meet(static_cast<unsigned>(row.end()))) {
    sink_->TellApartAt(fmt::format("{}:{}", *name_, line),
                       "lines must end in the same way throughout, but this one does not");
  }
  quotes_.resize(std::max(quotes_.size(), row.fields().size()));
  // Programs quote headers by rules of their own.
  if (!has_header_) {
    has_header_ = true;
    return;
  }
  for (size_t i = 0; i < row.fields().size(); ++i) {
    const Like like = LikeWhat(row.fields()[i], delimiter);
    if (like == kMustBeQuoted || quotes_[i][like].Meet(row.quoted(i) ? 1 : 0)) continue;
    sink_->TellApartAt(fmt::format("{}:{}: column {}", *name_, line, i + 1),
                       "the fields of a column must stand in quotes or without throughout, but do "
                       "not here");
  }
}

void CsvAppearance::MeetBlankLine(size_t line) {
  sink_->TellApartAt(fmt::format("{}:{}", *name_, line),
                     "rows must follow one another without blank lines, but here is one");
}

}  // namespace thicket
