// Data sets from where they are kept and back: one reader and one writer per format, chosen by the policy.
//
//   THICKET_ASSIGN(Dataset data, ReadDataset(policy, "students.jsonl", ReadAs::kOriginal, progress));
//   ...
//   PublicationRecords records(encoded, published, order);
//   THICKET_ASSIGN(auto target, DataTarget::Create(policy, {.path = "published.jsonl"}));
//   THICKET_TRY(target->Write(records, {}, progress));
//   THICKET_ASSIGN(Dataset again, target->ReadBack(progress));    // and verify it
//   THICKET_TRY(target->Commit());
//
// What the policy does not name is left out and named in a warning. Bad syntax, wrong encodings and wrong shapes are kData
// errors with file, line and column (or record and path, or table and row).
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "io/outgoing.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

enum class ReadAs {
  // Original data on its way into another format: what the policy would drop is a value like any other, and a key may be
  // one, too.
  kWhole,
  // Identifiers must be there and unique; every `at` and attribute of the policy must occur somewhere.
  kOriginal,
  // Published data: an identifier or a dropped value in it is a kPromise error, and so is a join key that is not a
  // running number; attributes may all be missing; the key of --with-class is skipped without a warning.
  kPublished,
};

// `location` is a file ("-" is standard input), a folder (tables; JSON and XML documents, of which it may also be a glob), or for postgresql a connection string (a URL, or
// "host=... dbname=...") or the name of a schema on the policy's own server.
Result<Dataset> ReadDataset(const Policy& policy, const std::string& location, ReadAs as,
                            Progress& progress);
// The same from text in memory, in the policy's format (not compressed); `source` is its name in messages. Only for formats
// that are one stream of bytes.
Result<Dataset> ReadDatasetText(const Policy& policy, std::string_view text,
                                const std::string& source, ReadAs as, Progress& progress);

struct WriteOptions {
  // Adds the number of the class under kClassKey.
  bool with_class = false;
};

// Receives the bytes of the written data, in order.
using WriteBytes = std::function<Status(std::string_view bytes)>;

// The records in the format of the policy, which must be one stream of bytes.
Status WriteRecords(const Policy& policy, OutgoingRecords& records, const WriteOptions& options,
                    const WriteBytes& write);

// The format in which documents are published to a file: of JSON one that ends in .jsonl, compressed or not, is JSON Lines.
Format FormatOfFile(Format format, const std::string& path);

// Whether data in the format is one stream of bytes: a file, standard input or output, or text in memory.
bool IsStream(Format format);

// Where data goes to.
struct OutputPlace {
  // A file ("-" is standard output) or a folder; postgresql: the server, empty for the policy's own.
  std::string path;
  // postgresql: the schema to make.
  std::string schema;
  // Of files, less what the caller's mask takes away (Progress::file_mask()).
  mode_t mode = 0644;
  mode_t mask = 022;
  // JSON, XML: whether each record becomes a document of its own in a folder (io/documents.h).
  bool documents = false;

  mode_t file_mode() const { return mode & ~mask; }
  // Of a folder that holds them.
  mode_t folder_mode() const { return (mode & 0004) != 0 ? mode_t{0777} & ~mask : mode_t{0700}; }
};

// Data being written that nobody sees before it is complete: files under another name, a transaction. Destroyed without
// Commit(), and after any failure, everything is as it was before.
class DataTarget {
 public:
  // Fails early where the place cannot be used.
  static Result<std::unique_ptr<DataTarget>> Create(const Policy& policy, const OutputPlace& place);
  virtual ~DataTarget() = default;

  virtual Status Write(OutgoingRecords& records, const WriteOptions& options,
                       Progress& progress) = 0;
  // What was written, read again as published data.
  virtual Result<Dataset> ReadBack(Progress& progress) = 0;
  // Whether Commit() would replace something.
  virtual bool Replaces() const = 0;
  virtual Status Commit() = 0;
  // After Commit() failed: whether the data, or some of it, may have appeared all the same.
  virtual bool MayHaveAppeared() const = 0;
};

}  // namespace thicket
