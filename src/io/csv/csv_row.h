// Cuts rows of comma-separated values (RFC 4180) out of a text.
//
// Fields stand between delimiters; a field in double quotes may hold delimiters, line breaks and doubled quotes. Lines
// end with a line feed, with or without a carriage return before it. A quote inside a field that does not begin with
// one, and anything but a delimiter behind a closing quote, are errors rather than guesses.
//
//   CsvRow row;
//   switch (row.Parse(text, ',', last)) { case CsvRow::Outcome::kRow: Use(row.fields()); ... }
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace thicket {

class CsvRow {
 public:
  enum class Outcome { kRow, kBlank, kIncomplete, kBad };
  // How its line ends; kNone: with the text.
  enum class End : uint8_t { kNone, kLineFeed, kCarriageReturn };

  // Whether quotes are those of RFC 4180, or characters like any others, which some programs that write tabs take them for.
  enum class Quotes : uint8_t { kAroundFields, kLiteral };

  // Parses the row at the beginning of the text; `last`: nothing follows the text. A row without its end is kIncomplete
  // unless it is the last.
  Outcome Parse(std::string_view text, char delimiter, bool last,
                Quotes quotes = Quotes::kAroundFields);

  // Valid as long as the text, and until the next Parse().
  const std::vector<std::string_view>& fields() const { return fields_; }
  // Whether the field stands in quotes.
  bool quoted(size_t field) const { return quoted_[field]; }
  End end() const { return end_; }
  // How many bytes and line breaks the row takes, its end included.
  size_t bytes() const { return bytes_; }
  size_t lines() const { return lines_; }
  // kBad: what is wrong, and how many line breaks come before it.
  std::string_view fault() const { return fault_; }
  // kBad: the next step.
  std::string_view hint() const { return hint_; }

 private:
  bool ParseQuoted(std::string_view text);
  Outcome Bad(std::string_view fault, std::string_view hint);

  std::vector<std::string_view> fields_;
  // By field.
  std::vector<bool> quoted_;
  End end_ = End::kNone;
  // Fields whose doubled quotes were undone; the first unquoted_count_ are of this row.
  std::deque<std::string> unquoted_;
  size_t unquoted_count_ = 0;
  size_t bytes_ = 0;
  size_t lines_ = 0;
  std::string_view fault_;
  std::string_view hint_;
};

// The delimiter of a header: the one of , ; tab | that occurs most often outside quotes, a comma if none does.
char FindDelimiter(std::string_view header);

}  // namespace thicket
