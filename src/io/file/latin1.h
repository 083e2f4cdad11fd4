// Text in Latin-1, which older programs write: read as UTF-8, and written back byte by byte.
//
// What is called Latin-1 is windows-1252 as a rule: the bytes 0x80 to 0x9f, which have no letters in ISO 8859-1, are its quotes, dashes
// and the euro. They are read so here, as browsers do; the five that windows-1252 has no character for are U+0081, U+008D,
// U+008F, U+0090 and U+009D. So every byte is one character, and what is read is written as the same bytes.
//
//   Latin1Source text(*source);            // a Source of UTF-8
//   THICKET_ASSIGN(std::string bytes, ToLatin1(text));
//
// O(bytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/file/source.h"

namespace thicket {

class Latin1Source final : public Source {
 public:
  // The source must outlive it. kData where it begins with the mark of UTF-8 or UTF-16.
  explicit Latin1Source(Source& source) : source_(&source) {}

  Result<size_t> Read(char* buffer, size_t size) override;
  uint64_t stored_bytes() const override { return source_->stored_bytes(); }
  uint64_t bytes_taken() const override { return source_->bytes_taken(); }
  std::string_view beside_data() const override { return source_->beside_data(); }
  const std::string& name() const override { return source_->name(); }

 private:
  Source* source_;
  std::vector<char> bytes_;
  // What was read and has not been handed out.
  std::string text_;
  size_t begin_ = 0;
  bool begun_ = false;
};

// The bytes of a text; kUsage if it holds a character that Latin-1 has not. `text` is UTF-8, in whole characters.
Result<std::string> ToLatin1(std::string_view text);

}  // namespace thicket
