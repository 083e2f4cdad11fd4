// A file that appears complete or not at all.
//
// It is written beside its target under a name that cannot be guessed, readable only by its owner, synced, and renamed
// by Commit(), which also gives it its mode (less the user's umask). Without Commit(), and after any failure, it goes
// away and whatever was at the target stays. A target that ends in .gz or .zst is compressed. "-" is standard output,
// which is held back in an unlinked temporary file (in TMPDIR, else /tmp) until Commit().
//
//   THICKET_ASSIGN(auto file, AtomicFile::Create("out.jsonl", 0644));
//   THICKET_TRY(file->Write("..."));
//   THICKET_TRY(file->Close());                  // everything is on disk, still under the temporary name
//   ... read file->temporary_path() again and verify it ...
//   THICKET_TRY(file->Commit());
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace thicket {

class AtomicFile {
 public:
  static Result<std::unique_ptr<AtomicFile>> Create(const std::string& target, mode_t mode);
  virtual ~AtomicFile() = default;

  virtual Status Write(std::string_view bytes) = 0;
  // Flushes, compresses the rest, syncs. Nothing can be written after it.
  virtual Status Close() = 0;
  // Where the closed content can be read again before Commit().
  virtual const std::string& temporary_path() const = 0;
  virtual Status Commit() = 0;
};

// What the user's umask leaves of a mode.
mode_t Masked(mode_t mode);

// Why `name` could not be written, from errno, and what to do about it.
Error CannotWrite(const std::string& name, int error);

}  // namespace thicket
