// Bytes of a file or of standard input, decompressed on the way if they are gzip or zstd (told by the content).
//
// Several gzip members or zstd frames after one another are read as one. Truncated or damaged compressed data is a
// kData error, a file that cannot be read a kIo error; both name the path.
//
//   THICKET_ASSIGN(std::unique_ptr<Source> source, Source::Open("students.jsonl.gz"));
//   while (true) {
//     THICKET_ASSIGN(size_t got, source->Read(buffer, size));   // 0 at the end
//     ...
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"

namespace thicket {

class Source {
 public:
  // "-" is standard input. `if_missing` is the next step where there is no such file.
  static Result<std::unique_ptr<Source>> Open(const std::string& path,
                                              std::string_view if_missing = "check the path");
  // Text that is in memory already and outlives the source; never decompressed.
  static std::unique_ptr<Source> FromText(std::string_view text);
  virtual ~Source() = default;
  // Up to `size` bytes; 0 only at the end.
  virtual Result<size_t> Read(char* buffer, size_t size) = 0;

  // For progress, in bytes as they are stored: how many there are (0: unknown), and how many were read so far.
  virtual uint64_t stored_bytes() const = 0;
  virtual uint64_t bytes_taken() const = 0;
  // What the file holds beside the data and its compression, as far as was read: "a comment of gzip"; empty for nothing.
  // The name of the file without its ending, which gzip notes, counts as nothing. Where one gzip member or zstd frame ends
  // and the next begins could mark a record, so several of them are something.
  virtual std::string_view beside_data() const { return {}; }
  // What messages call it: the path, or "standard input".
  virtual const std::string& name() const = 0;
};

// Policies and taxonomies are written by people, or for them; a longer file is not one.
inline constexpr uint64_t kLongestPolicy = uint64_t{16} << 20;
inline constexpr uint64_t kLongestTaxonomy = uint64_t{1} << 30;

struct ReadAllOptions {
  // What the file is ("a policy"), and how many bytes it may have once it is decompressed.
  std::string_view what = "the file";
  uint64_t most = kLongestTaxonomy;
  std::string_view if_missing = "check the path";
  // What may be held while reading; null: as much as there is.
  const Progress* progress = nullptr;
};

// The whole content; meant for policies and taxonomies.
Result<std::string> ReadAll(const std::string& path, const ReadAllOptions& options = {});

}  // namespace thicket
