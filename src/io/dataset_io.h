// Data sets from files and back: one reader and one writer per format, chosen by the policy.
//
//   THICKET_ASSIGN(Dataset data, ReadDataset(policy, "students.jsonl", ReadAs::kOriginal, progress));
//   ...
//   THICKET_TRY(WritePublished(policy, encoded, published, order, {}, *file));
//
// What the policy does not name is left out and named in a warning. Bad JSON, wrong encodings and wrong shapes are
// kData errors with file, line and column (or record and path).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "policy/policy.h"
#include "record/dataset.h"
#include "record/published.h"

namespace thicket {

enum class ReadAs {
  // Identifiers must be there and unique; every `at` and attribute of the policy must occur somewhere.
  kOriginal,
  // Published data: an identifier or a dropped value in it is a kPromise error; attributes may all be missing; the key
  // of --with-class is skipped without a warning.
  kPublished,
};

// `path` may be "-".
Result<Dataset> ReadDataset(const Policy& policy, const std::string& path, ReadAs as,
                            Progress& progress);
// The same from text in memory, in the policy's format (not compressed); `source` is its name in messages.
Result<Dataset> ReadDatasetText(const Policy& policy, std::string_view text,
                                const std::string& source, ReadAs as, Progress& progress);

// Which published record comes next: the number of its class and of the member in it.
struct Place {
  uint32_t group;
  uint32_t member;
};

struct WriteOptions {
  // Adds the number of the class under kClassKey.
  bool with_class = false;
};

// Receives the bytes of the published data, in order.
using Write = std::function<Status(std::string_view bytes)>;

// The records in the given order, in the format of the policy.
Status WritePublished(const Policy& policy, const EncodedDataset& data, const Published& published,
                      const std::vector<Place>& order, const WriteOptions& options,
                      const Write& write);

}  // namespace thicket
