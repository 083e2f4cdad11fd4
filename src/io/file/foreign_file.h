// Files that hold data in a form that is not read here: a spreadsheet, a Parquet file, an archive. Told by their first bytes,
// so that a message can say what the file is instead of what is wrong with its first line.
//
//   if (const std::optional<ForeignFile> foreign = RecognizeForeignFile(head)) return foreign->Wrong("visits.xlsx");
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace thicket {

struct ForeignFile {
  // How many bytes are enough to tell.
  static constexpr size_t kEnough = 64;

  // "a Parquet file", and the next step.
  std::string_view what;
  std::string_view hint;

  Error Wrong(const std::string& name) const;
};

// `head`: the first bytes, kEnough of them or all that there are. Nothing for text, gzip and zstd.
std::optional<ForeignFile> RecognizeForeignFile(std::string_view head);

}  // namespace thicket
