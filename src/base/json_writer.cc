#include "base/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace thicket {

// A comma is due before everything that does not open a document, a bracket or follow a key.
void JsonWriter::Separate() {
  if (text_.empty()) return;
  const char last = text_.back();
  if (last != '{' && last != '[' && last != ' ') text_ += ", ";
}

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  String(key);
  text_ += ": ";
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view value) {
  Separate();
  text_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(text_), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      text_ += c;
    }
  }
  text_ += '"';
  return *this;
}

JsonWriter& JsonWriter::Number(uint64_t value) {
  Separate();
  text_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::Number(double value) {
  if (!std::isfinite(value)) return Null();
  Separate();
  const bool is_whole = std::abs(value) < 1e15 && value == std::floor(value);
  text_ += is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
  return *this;
}

JsonWriter& JsonWriter::Raw(std::string_view value) {
  Separate();
  text_ += value;
  return *this;
}

JsonWriter& JsonWriter::Boolean(bool value) {
  Separate();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Null() {
  Separate();
  text_ += "null";
  return *this;
}

}  // namespace thicket
