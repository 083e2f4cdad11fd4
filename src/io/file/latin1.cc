#include "io/file/latin1.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace thicket {

namespace {

constexpr size_t kPiece = size_t{1} << 16;

// What the bytes 0x80 to 0x9f stand for.
constexpr std::array<uint32_t, 32> kWindows = {
    0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178};

uint32_t CharacterOf(unsigned char byte) {
  return byte >= 0x80 && byte < 0xa0 ? kWindows[byte - 0x80U] : byte;
}

void AppendUtf8(uint32_t character, std::string& text) {
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += static_cast<char>(0xc0U | character >> 6U);
    text += static_cast<char>(0x80U | (character & 0x3fU));
  } else {
    text += static_cast<char>(0xe0U | character >> 12U);
    text += static_cast<char>(0x80U | (character >> 6U & 0x3fU));
    text += static_cast<char>(0x80U | (character & 0x3fU));
  }
}

Error Marked(const std::string& name, std::string_view encoding) {
  return ErrorAt(ErrorCode::kData, {.file = name},
                 std::string("must be Latin-1, but begins with the mark of ").append(encoding),
                 encoding == "UTF-8" ? "take encoding: latin1 out of the policy"
                                     : "convert the file, for example with iconv -f UTF-16");
}

}  // namespace

Result<size_t> Latin1Source::Read(char* buffer, size_t size) {
  if (begin_ == text_.size()) {
    bytes_.resize(kPiece);
    THICKET_ASSIGN(size_t got, source_->Read(bytes_.data(), bytes_.size()));
    // A mark may come in pieces.
    for (size_t more = got; !begun_ && more > 0 && got < 3; got += more) {
      THICKET_ASSIGN(more, source_->Read(bytes_.data() + got, bytes_.size() - got));
    }
    const std::string_view bytes(bytes_.data(), got);
    if (!begun_ && bytes.starts_with("\xef\xbb\xbf")) return Marked(name(), "UTF-8");
    if (!begun_ && (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))) {
      return Marked(name(), "UTF-16");
    }
    begun_ = true;
    text_.clear();
    begin_ = 0;
    for (const char c : bytes) AppendUtf8(CharacterOf(static_cast<unsigned char>(c)), text_);
  }
  const size_t count = std::min(size, text_.size() - begin_);
  std::memcpy(buffer, text_.data() + begin_, count);
  begin_ += count;
  return count;
}

Result<std::string> ToLatin1(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint32_t character = first < 0x80 ? first : first & (0xffU >> (length + 1));
    for (size_t k = 1; k < length && i + k < text.size(); ++k) {
      character = character << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    }
    i += length;
    const auto* const found = std::find(kWindows.begin(), kWindows.end(), character);
    if (found != kWindows.end()) {
      bytes += static_cast<char>(0x80 + (found - kWindows.begin()));
    } else if (character < 0x80 || (character >= 0xa0 && character < 0x100)) {
      bytes += static_cast<char>(character);
    } else {
      return ErrorAt(ErrorCode::kUsage, {.path = "input.encoding"},
                     "every label must have characters of Latin-1 only, but one has others",
                     "write the labels of the taxonomies with other characters, or convert the "
                     "data to UTF-8 and take encoding: latin1 out of the policy");
    }
  }
  return bytes;
}

}  // namespace thicket
