// A window that slides over a Source: holds the part being parsed, in one piece, and grows where a record needs it.
//
//   Window window(source, progress);
//   while (true) {
//     THICKET_ASSIGN(bool more, window.Fill());          // false: the end, nothing was added
//     ... parse window.text(); window.Drop(bytes_done); ...
//   }
//
// The bytes behind text() can be read (simdjson reads past the end): there are kPadding of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "io/file/source.h"

namespace thicket {

// UTF-8's, which some programs put before a text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

class Window {
 public:
  static constexpr size_t kPadding = 64;

  Window(Source& source, Progress& progress) : source_(&source), progress_(&progress) {}

  std::string_view text() const { return {buffer_.get() + begin_, end_ - begin_}; }
  // How many bytes from the beginning of text() on can be read.
  size_t readable() const { return end_ + kPadding - begin_; }

  // Forgets the first bytes of text().
  void Drop(size_t bytes) { begin_ += bytes; }
  // Appends to text(), reports progress, and stops when the user wants to, or when more would be held than may be. Moves
  // text(); false at the end.
  Result<bool> Fill();

 private:
  Status Grow(size_t size);

  Source* source_;
  Progress* progress_;
  // Not a vector: what was never filled stays untouched, and takes no memory. kPadding longer than size_.
  std::unique_ptr<char[]> buffer_;
  size_t size_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t reported_ = 0;
};

}  // namespace thicket
