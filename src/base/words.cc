#include "base/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace thicket {

namespace {

enum class Part : uint8_t {
  kSeparator,
  kLetter,  // or a digit
  kMark,    // part of a word behind a letter
  kJoint,   // part of a word between two letters
};

struct Character {
  Part part = Part::kSeparator;
  // In lower case.
  utf8proc_int32_t code = 0;
  size_t bytes = 1;
};

Character OfAscii(char c) {
  if (c >= 'A' && c <= 'Z') return {Part::kLetter, c - 'A' + 'a', 1};
  if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) return {Part::kLetter, c, 1};
  if (c == '\'' || c == '-' || c == '_') return {Part::kJoint, c, 1};
  return {Part::kSeparator, c, 1};
}

constexpr size_t kAscii = 128;

const std::array<Character, kAscii>& AsciiTable() {
  static const std::array<Character, kAscii> table = [] {
    std::array<Character, kAscii> characters;
    for (size_t c = 0; c < kAscii; ++c) characters[c] = OfAscii(static_cast<char>(c));
    return characters;
  }();
  return table;
}

Part PartOf(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return Part::kLetter;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return Part::kMark;
    default:
      return Part::kSeparator;
  }
}

// The first character of a text that is not empty.
Character First(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < kAscii) return AsciiTable()[first];
  utf8proc_int32_t code = 0;
  const utf8proc_ssize_t bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (bytes <= 0) return {};
  const auto size = static_cast<size_t>(bytes);
  constexpr utf8proc_int32_t kNonJoiner = 0x200c;
  constexpr utf8proc_int32_t kJoiner = 0x200d;
  constexpr utf8proc_int32_t kHyphen = 0x2010;
  constexpr utf8proc_int32_t kNonBreakingHyphen = 0x2011;
  constexpr utf8proc_int32_t kApostrophe = 0x2019;
  switch (code) {
    case kNonJoiner:
    case kJoiner:
      return {Part::kJoint, code, size};
    case kHyphen:
    case kNonBreakingHyphen:
      return {Part::kJoint, '-', size};
    case kApostrophe:
      return {Part::kJoint, '\'', size};
    default:
      return {PartOf(code), utf8proc_tolower(code), size};
  }
}

void Append(utf8proc_int32_t code, std::string& text) {
  if (code < static_cast<utf8proc_int32_t>(kAscii)) {
    text += static_cast<char>(code);
    return;
  }
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t size = utf8proc_encode_char(code, bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
}

// NFC.
void Compose(std::string& text) {
  constexpr auto kHow = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  utf8proc_uint8_t* composed = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &composed, kHow);
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0) return;
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  text.assign(reinterpret_cast<const char*>(composed), static_cast<size_t>(size));
}

}  // namespace

std::optional<std::string_view> Words::Next() {
  word_.clear();
  while (at_ < text_.size()) {
    const Character next = First(text_.substr(at_));
    const bool inside = !word_.empty();
    bool belongs = next.part == Part::kLetter || (inside && next.part == Part::kMark);
    if (inside && next.part == Part::kJoint && at_ + next.bytes < text_.size()) {
      belongs = First(text_.substr(at_ + next.bytes)).part == Part::kLetter;
    }
    if (!belongs && inside) break;
    if (belongs) Append(next.code, word_);
    at_ += next.bytes;
  }
  if (word_.empty()) return std::nullopt;
  if (!IsAscii(word_)) Compose(word_);
  return word_;
}

}  // namespace thicket
