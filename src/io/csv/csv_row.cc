#include "io/csv/csv_row.h"

#include <algorithm>
#include <array>

namespace thicket {

namespace {

constexpr std::string_view kHowToQuote =
    "quote fields as RFC 4180 says: \"...\", with quotes inside doubled";

// The first character from `begin` on that ends a field without quotes, or may not stand in it.
size_t EndOfPlain(std::string_view text, size_t begin, char delimiter, bool literal) {
  const char quote = literal ? '\n' : '"';
  const char* const end = text.data() + text.size();
  const char* at = text.data() + begin;
  while (at != end && *at != delimiter && *at != '\n' && *at != '\r' && *at != quote) ++at;
  return static_cast<size_t>(at - text.data());
}

}  // namespace

CsvRow::Outcome CsvRow::Bad(std::string_view fault, std::string_view hint) {
  fault_ = fault;
  hint_ = hint;
  return Outcome::kBad;
}

// The field whose opening quote stands at bytes_; false if the text ends before it does.
bool CsvRow::ParseQuoted(std::string_view text) {
  const size_t begin = ++bytes_;
  bool doubled = false;
  while (true) {
    const size_t quote = text.find('"', bytes_);
    if (quote == std::string_view::npos) return false;
    bytes_ = quote + 1;
    if (bytes_ == text.size() || text[bytes_] != '"') break;
    doubled = true;
    ++bytes_;
  }
  const std::string_view inside = text.substr(begin, bytes_ - 1 - begin);
  lines_ += static_cast<size_t>(std::count(inside.begin(), inside.end(), '\n'));
  if (!doubled) {
    fields_.push_back(inside);
    return true;
  }
  if (unquoted_count_ == unquoted_.size()) unquoted_.emplace_back();
  std::string& field = unquoted_[unquoted_count_++];
  field.clear();
  for (size_t i = 0; i < inside.size(); ++i) {
    field += inside[i];
    if (inside[i] == '"') ++i;
  }
  fields_.emplace_back(field);
  return true;
}

CsvRow::Outcome CsvRow::Parse(std::string_view text, char delimiter, bool last, Quotes quotes) {
  const bool literal = quotes == Quotes::kLiteral;
  fields_.clear();
  quoted_.clear();
  end_ = End::kNone;
  unquoted_count_ = 0;
  bytes_ = 0;
  lines_ = 0;
  while (true) {
    quoted_.push_back(!literal && bytes_ < text.size() && text[bytes_] == '"');
    if (quoted_.back()) {
      if (!ParseQuoted(text))
        return last ? Bad("a quoted field is not closed", kHowToQuote) : Outcome::kIncomplete;
    } else {
      const size_t begin = bytes_;
      bytes_ = EndOfPlain(text, begin, delimiter, literal);
      if (bytes_ < text.size() && text[bytes_] == '"' && delimiter != '"') {
        return Bad("a quote stands inside a field that does not begin with one", kHowToQuote);
      }
      fields_.push_back(text.substr(begin, bytes_ - begin));
    }
    // A closing quote at the end of the text may turn out to be half of a doubled one.
    if (bytes_ == text.size()) {
      if (!last) return Outcome::kIncomplete;
      break;
    }
    if (text[bytes_] == delimiter) {
      ++bytes_;
      continue;
    }
    if (text[bytes_] == '\r') {
      if (bytes_ + 1 == text.size() && !last) return Outcome::kIncomplete;
      if (bytes_ + 1 < text.size() && text[bytes_ + 1] != '\n') {
        return Bad("a carriage return is not followed by a line feed",
                   "line ends must be LF or CR LF");
      }
      ++bytes_;
      end_ = End::kCarriageReturn;
    } else if (text[bytes_] != '\n') {
      return Bad("something follows the closing quote of a field", kHowToQuote);
    }
    if (bytes_ < text.size()) {
      ++bytes_;
      ++lines_;
      if (end_ == End::kNone) end_ = End::kLineFeed;
    }
    break;
  }
  // Blank, not one quoted empty field.
  const bool blank = fields_.size() == 1 && fields_[0].empty() && text.substr(0, 1) != "\"";
  return blank ? Outcome::kBlank : Outcome::kRow;
}

char FindDelimiter(std::string_view header) {
  constexpr std::array<char, 4> kCandidates = {',', ';', '\t', '|'};
  std::array<size_t, 4> counts{};
  bool quoted = false;
  for (const char c : header) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n') break;
    const auto* found = std::find(kCandidates.begin(), kCandidates.end(), c);
    if (found != kCandidates.end()) ++counts[static_cast<size_t>(found - kCandidates.begin())];
  }
  const auto best = std::max_element(counts.begin(), counts.end()) - counts.begin();
  return kCandidates[static_cast<size_t>(best)];
}

}  // namespace thicket
