#include "io/writers.h"

#include <fmt/format.h>

namespace thicket {

namespace {

constexpr size_t kPiece = size_t{1} << 20;

}  // namespace

Status OutputBuffer::FlushIfLarge() { return text_.size() >= kPiece ? Flush() : Status(); }

Status OutputBuffer::Flush() {
  if (text_.empty()) return {};
  THICKET_TRY((*write_)(text_));
  text_.clear();
  return {};
}

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20) continue;
    out.append(text, begin, i - begin);
    begin = i + 1;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out.append(text, begin);
  out += '"';
}

}  // namespace thicket
