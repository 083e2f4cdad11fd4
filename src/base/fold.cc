#include "base/fold.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/text.h"

namespace thicket {

namespace {

// Folding a folded text again may change it: a letter may become one that has another form itself. It settles in two or
// three rounds.
constexpr int kMostRounds = 8;

std::string FoldAscii(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') {
      folded += static_cast<char>(c - 'A' + 'a');
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      folded += ' ';
    } else if ((c < 0 || c > ' ') && c != '\x7f') {
      folded += c;
    }
  }
  return folded;
}

// A digit of any script as ASCII's: the ten digits of a script stand in a row, from 0 on.
utf8proc_int32_t FoldCharacter(utf8proc_int32_t character) {
  constexpr utf8proc_int32_t kLineSeparator = 0x2028;
  constexpr utf8proc_int32_t kParagraphSeparator = 0x2029;
  constexpr utf8proc_int32_t kBrailleBlank = 0x2800;
  if (character == kLineSeparator || character == kParagraphSeparator ||
      character == kBrailleBlank) {
    return ' ';
  }
  if (character < 0x80 || utf8proc_category(character) != UTF8PROC_CATEGORY_ND) return character;
  utf8proc_int32_t zero = character;
  while (zero > character - 9 && utf8proc_category(zero - 1) == UTF8PROC_CATEGORY_ND) --zero;
  return '0' + (character - zero);
}

void AppendUtf8(utf8proc_int32_t character, std::string& text) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t size = utf8proc_encode_char(character, bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
}

// One round of folding; nothing if the text is not Unicode.
std::optional<std::string> FoldUnicode(std::string_view text) {
  constexpr auto kHow = static_cast<utf8proc_option_t>(
      UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE |
      UTF8PROC_STRIPCC | UTF8PROC_LUMP);
  utf8proc_uint8_t* mapped = nullptr;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const utf8proc_ssize_t size =
      utf8proc_map(bytes, static_cast<utf8proc_ssize_t>(text.size()), &mapped, kHow);
  // Without memory nothing may pass for unlike.
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0) return std::nullopt;
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  std::string folded;
  for (utf8proc_ssize_t at = 0; at < size;) {
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t length = utf8proc_iterate(mapped + at, size - at, &character);
    if (length <= 0) return std::nullopt;
    AppendUtf8(FoldCharacter(character), folded);
    at += length;
  }
  return folded;
}

void CloseUpBlanks(std::string& text) {
  const auto end =
      std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; });
  text.erase(end, text.end());
  if (text.starts_with(' ')) text.erase(0, 1);
  if (text.ends_with(' ')) text.pop_back();
}

std::string FoldText(std::string_view text) {
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
  std::string folded;
  // Bytes that are no Unicode have no other form than their own.
  if (ascii || !IsUtf8(text)) {
    folded = FoldAscii(text);
  } else {
    folded = text;
    for (int round = 0; round < kMostRounds; ++round) {
      std::optional<std::string> next = FoldUnicode(folded);
      if (!next || *next == folded) break;
      folded = std::move(*next);
    }
  }
  CloseUpBlanks(folded);
  return folded;
}

}  // namespace

std::optional<Decimal> FoldNumber(std::string_view text) { return Decimal::Parse(FoldText(text)); }

std::string FoldValue(std::string_view text) {
  std::string folded = FoldText(text);
  std::optional<std::string> number = Decimal::Key(folded);
  // No text begins with a control character.
  return number ? '\x01' + std::move(*number) : folded;
}

std::string LowerCased(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (size_t at = 0; at < text.size();) {
    const char byte = text[at];
    if (static_cast<unsigned char>(byte) < 0x80) {
      lower += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
      ++at;
      continue;
    }
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t length =
        utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &character);
    if (length <= 0) {
      lower += byte;
      ++at;
      continue;
    }
    AppendUtf8(utf8proc_tolower(character), lower);
    at += static_cast<size_t>(length);
  }
  return lower;
}

}  // namespace thicket
