#include "io/json/json_scan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"

namespace thicket {

namespace {

constexpr char kMend[] = "mend the line; a JSON checker shows the place";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<JsonFault> Run() {
    if (Document() && !fault_) {
      SkipBlanks();
      if (at_ < text_.size()) {
        Fail("something follows its end", "write one record per line, with format: jsonl");
      }
    }
    return std::move(fault_);
  }

  // Reads a number at the current place; false if it is not well-formed.
  bool Number() {
    if (Peek() == '-') ++at_;
    if (!IsDigit(Peek())) return Fail("a digit is missing");
    if (Peek() == '0' && IsDigit(Peek(1))) return Fail("a number may not begin with 0");
    SkipDigits();
    if (Peek() == '.') {
      ++at_;
      if (!IsDigit(Peek())) return Fail("a digit is missing after the decimal point");
      SkipDigits();
    }
    if (Peek() == 'e' || Peek() == 'E') {
      ++at_;
      if (Peek() == '+' || Peek() == '-') ++at_;
      if (!IsDigit(Peek())) return Fail("a digit is missing in the exponent");
      SkipDigits();
    }
    return true;
  }

  bool AtEnd() const { return at_ == text_.size(); }

 private:
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void SkipBlanks() {
    while (at_ < text_.size() && IsJsonBlank(text_[at_])) ++at_;
  }
  void SkipDigits() {
    while (IsDigit(Peek())) ++at_;
  }
  bool Fail(std::string what, std::string hint = kMend) {
    if (fault_) return false;
    fault_ = {at_, std::move(what), std::move(hint)};
    if (AtEnd()) fault_ = {at_, "it ends too early", "it may be cut off; fetch it again"};
    return false;
  }

  bool Document() {
    do {
      if (!Value()) return false;
      // A value is complete: close what can be closed, up to where the next value is due.
      while (!open_.empty()) {
        SkipBlanks();
        const bool object = open_.back() == '{';
        if (Peek() == ',') {
          ++at_;
          if (object && !Key()) return false;
          break;
        }
        if (Peek() != (object ? '}' : ']')) {
          return Fail(object ? "a comma or } is missing" : "a comma or ] is missing");
        }
        ++at_;
        open_.pop_back();
      }
    } while (!open_.empty());
    return true;
  }

  // A scalar, an empty container, or the beginning of containers up to their first scalar.
  bool Value() {
    while (true) {
      SkipBlanks();
      const char c = Peek();
      if (c != '{' && c != '[') return Scalar();
      if (open_.size() == kMostJsonLevels) {
        return Fail("it is nested more than " + WithCommas(kMostJsonLevels) + " levels deep",
                    "nest it less deep");
      }
      ++at_;
      SkipBlanks();
      if (Peek() == (c == '{' ? '}' : ']')) {
        ++at_;
        return true;
      }
      open_.push_back(c);
      if (c == '{' && !Key()) return false;
    }
  }

  bool Key() {
    SkipBlanks();
    if (Peek() != '"') return Fail("a key in double quotes is missing");
    if (!String()) return false;
    SkipBlanks();
    if (Peek() != ':') return Fail("a colon is missing after the key");
    ++at_;
    return true;
  }

  bool Scalar() {
    const char c = Peek();
    if (c == '"') return String();
    if (c == '-' || IsDigit(c)) {
      if (!Number()) return false;
    } else {
      bool known = false;
      for (const std::string_view word : {"true", "false", "null"}) {
        if (text_.substr(at_, word.size()) != word) continue;
        at_ += word.size();
        known = true;
        break;
      }
      if (!known) return Fail("a value is missing or is not one that JSON has");
    }
    const char next = Peek();
    if (!AtEnd() && !IsJsonBlank(next) &&
        std::string_view(",:[]{}\"").find(next) == std::string_view::npos) {
      return Fail("a value is missing or is not one that JSON has");
    }
    return true;
  }

  bool String() {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return Fail("a string holds a control character");
      if (c == '\\') {
        if (!Escape()) return false;
      } else {
        ++at_;
      }
    }
    return Fail("");
  }

  bool Escape() {
    const char c = Peek(1);
    if (c != 'u') {
      if (c == '\0' || std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) {
        return Fail("a string holds an escape that JSON does not have");
      }
      at_ += 2;
      return true;
    }
    const std::optional<unsigned> unit = Hex(at_ + 2);
    if (!unit) return Fail("\\u in a string is not followed by four hexadecimal digits");
    if (*unit < 0xd800 || *unit > 0xdfff) {
      at_ += 6;
      return true;
    }
    const std::optional<unsigned> low =
        text_.substr(std::min(at_ + 6, text_.size()), 2) == "\\u" ? Hex(at_ + 8) : std::nullopt;
    if (*unit > 0xdbff || !low || *low < 0xdc00 || *low > 0xdfff) {
      return Fail("a string holds half of a surrogate pair");
    }
    at_ += 12;
    return true;
  }

  std::optional<unsigned> Hex(size_t at) const {
    if (at + 4 > text_.size()) return std::nullopt;
    unsigned value = 0;
    for (const char c : text_.substr(at, 4)) {
      unsigned digit = 0;
      if (IsDigit(c)) {
        digit = static_cast<unsigned>(c - '0');
      } else if (c >= 'a' && c <= 'f') {
        digit = static_cast<unsigned>(c - 'a') + 10;
      } else if (c >= 'A' && c <= 'F') {
        digit = static_cast<unsigned>(c - 'A') + 10;
      } else {
        return std::nullopt;
      }
      value = value * 16 + digit;
    }
    return value;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<char> open_;
  std::optional<JsonFault> fault_;
};

}  // namespace

std::optional<JsonFault> FindJsonFault(std::string_view text) {
  std::optional<JsonFault> fault = Scanner(text).Run();
  size_t bad_byte = 0;
  if (!IsUtf8(text, &bad_byte) && (!fault || bad_byte <= fault->offset)) {
    return JsonFault{bad_byte, "a byte is not UTF-8", "convert the file, for example with iconv"};
  }
  return fault;
}

bool IsJsonNumber(std::string_view text) {
  Scanner scanner(text);
  return scanner.Number() && scanner.AtEnd();
}

TextPosition PositionOf(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const size_t last_line = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const auto characters =
      std::count_if(before.begin() + static_cast<std::ptrdiff_t>(last_line), before.end(),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return {static_cast<size_t>(lines) + 1, static_cast<size_t>(characters) + 1};
}

}  // namespace thicket
