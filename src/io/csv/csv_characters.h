// Which characters of a field matter to CSV, found in one pass over a table.
//
//   const unsigned kinds = CsvCharacters(text, delimiter);
//   if ((kinds & kCsvNeedsQuotes) != 0) ...
//
// Fields are short and come by the million, so that a search for each character of a set takes longer than all else that is done for a
// field. O(characters).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace thicket {

// A quote, a line end, or the delimiter itself.
inline constexpr unsigned kCsvNeedsQuotes = 1;
// Something that separates fields in some files: , ; | and tabs.
inline constexpr unsigned kCsvSeparates = 2;

namespace internal {

inline constexpr std::array<uint8_t, 256> kCsvKinds = [] {
  std::array<uint8_t, 256> kinds{};
  for (const char c : {'"', '\r', '\n'}) kinds[static_cast<uint8_t>(c)] = kCsvNeedsQuotes;
  for (const char c : {',', ';', '\t', '|'}) kinds[static_cast<uint8_t>(c)] = kCsvSeparates;
  return kinds;
}();

}  // namespace internal

// The kinds of all characters of the text, as bits.
inline unsigned CsvCharacters(std::string_view text, char delimiter) {
  unsigned kinds = 0;
  for (const char c : text) kinds |= internal::kCsvKinds[static_cast<uint8_t>(c)];
  const bool is_common =
      (internal::kCsvKinds[static_cast<uint8_t>(delimiter)] & kCsvSeparates) != 0;
  if (is_common && (kinds & kCsvSeparates) == 0) return kinds;
  return text.find(delimiter) == std::string_view::npos ? kinds : kinds | kCsvNeedsQuotes;
}

}  // namespace thicket
