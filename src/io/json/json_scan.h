// Finds the first place where a text stops being strict JSON (RFC 8259).
//
// Reading is simdjson's job; it is fast and says that something is wrong, but not where. This scan runs only then, and
// once: a plain loop over the bytes with a stack of open brackets, so that depth costs memory but no call frames.
//
//   if (auto fault = FindJsonFault("{\"a\": 01}")) ...   // offset 6, "a number may not begin with 0"
//
// O(length).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace thicket {

// Deeper nesting than this is refused, so that no input can exhaust the stack.
inline constexpr size_t kMostJsonLevels = 1000;

struct JsonFault {
  size_t offset;
  // What is wrong, for "must be JSON, but ...". Quotes nothing of the text.
  std::string what;
  // The next step.
  std::string hint;
};

// The first fault of a text that should be one JSON value, or nothing if it is one.
std::optional<JsonFault> FindJsonFault(std::string_view text);

// Whether JSON takes the character for a blank between tokens.
inline bool IsJsonBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Whether the text is exactly one JSON number.
bool IsJsonNumber(std::string_view text);

struct TextPosition {
  size_t line;    // from 1
  size_t column;  // from 1, in characters
};

// Where an offset into a text stands.
TextPosition PositionOf(std::string_view text, size_t offset);

}  // namespace thicket
