#include "io/postgres/postgres_copy.h"

namespace thicket {

namespace {

constexpr std::string_view kNull = "\\N";

// The digits at the beginning, at most `most` of them, as a number; how many there are goes to `length`.
int Number(std::string_view text, int base, size_t most, size_t& length) {
  int number = 0;
  for (length = 0; length < most && length < text.size(); ++length) {
    const char c = text[length];
    int digit = base;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit >= base) break;
    number = number * base + digit;
  }
  return number;
}

char Control(char letter) {
  switch (letter) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return letter;
  }
}

// The letter that stands behind a backslash for the character; 0 if it stands for itself.
char Letter(char c) {
  switch (c) {
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\v':
      return 'v';
    case '\\':
      return '\\';
    default:
      return 0;
  }
}

}  // namespace

bool CopyRow::Unescape(std::string_view field) {
  const size_t begin = unescaped_.size();
  for (size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\') {
      unescaped_ += field[i];
      continue;
    }
    if (++i == field.size()) return false;
    size_t length = 0;
    if (field[i] >= '0' && field[i] <= '7') {
      unescaped_ += static_cast<char>(Number(field.substr(i), 8, 3, length) & 0xff);
      i += length - 1;
      continue;
    }
    if (field[i] == 'x') {
      const int number = Number(field.substr(i + 1), 16, 2, length);
      if (length > 0) {
        unescaped_ += static_cast<char>(number);
        i += length;
        continue;
      }
    }
    unescaped_ += Control(field[i]);
  }
  fields_.emplace_back(std::string_view(unescaped_).substr(begin));
  return true;
}

bool CopyRow::Parse(std::string_view row) {
  if (!row.empty() && row.back() == '\n') row.remove_suffix(1);
  fields_.clear();
  unescaped_.clear();
  // It never grows beyond this, so what points into it stays.
  unescaped_.reserve(row.size());
  while (true) {
    const size_t end = row.find('\t');
    const std::string_view field = row.substr(0, end);
    // Line ends stand in fields as escapes only.
    if (field.find_first_of("\n\r") != std::string_view::npos) return false;
    if (field == kNull) {
      fields_.emplace_back();
    } else if (field.find('\\') == std::string_view::npos) {
      fields_.emplace_back(field);
    } else if (!Unescape(field)) {
      return false;
    }
    if (end == std::string_view::npos) return true;
    row.remove_prefix(end + 1);
  }
}

void AppendCopyRow(const std::vector<CopyField>& fields, std::string& out) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out += '\t';
    if (!fields[i]) {
      out += kNull;
      continue;
    }
    for (const char c : *fields[i]) {
      const char letter = Letter(c);
      if (letter != 0) out += '\\';
      out += letter != 0 ? letter : c;
    }
  }
  out += '\n';
}

}  // namespace thicket
