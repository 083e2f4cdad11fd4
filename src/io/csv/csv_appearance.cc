#include "io/csv/csv_appearance.h"

#include <fmt/format.h>

#include <algorithm>

namespace thicket {

CsvAppearance::Like CsvAppearance::LikeWhat(std::string_view field, char delimiter) {
  constexpr std::string_view kBlanks = " \t";
  if (field.empty()) return kEmpty;
  if (field.find(delimiter) != std::string_view::npos ||
      field.find_first_of("\"\r\n") != std::string_view::npos) {
    return kMustBeQuoted;
  }
  if (field.find_first_of(",;\t|") != std::string_view::npos) return kSeparated;
  const bool padded = kBlanks.find(field.front()) != std::string_view::npos ||
                      kBlanks.find(field.back()) != std::string_view::npos;
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
