// A file that appears complete or not at all.
//
// It is written beside its target under a name that cannot be guessed, readable only by its owner, synced, and renamed
// by Commit(), which also gives it its mode, whatever the process's umask. Without Commit(), and after any failure, it goes
// away and whatever was at the target stays. A target that ends in .gz or .zst is compressed. "-" is standard output,
// which is held back in an unlinked temporary file (in TMPDIR, else /tmp) until Commit(). A link stays, and what it leads to
// is replaced; a link that leads to nothing is refused.
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
  // Whether Commit() would replace something.
  virtual bool Replaces() const = 0;
  virtual Status Commit() = 0;
  // After Commit() failed: whether the content, or some of it, may have appeared all the same.
  virtual bool MayHaveAppeared() const = 0;

  // Commit() in two steps, for a file that must appear before another one (io/file/commit.h). What it replaces is kept beside
  // the target under a temporary name, until either Settle() removes it or TakeBack() brings it back. Not for standard
  // output.
  virtual Status CommitForNow() = 0;
  virtual void Settle() = 0;
  virtual Status TakeBack() = 0;
};

// Where writing to `path` really goes: what a link leads to. A path that does not exist yet is left as it is; a link that
// leads to nothing is an error, since what is written would take its place.
Result<std::string> FollowLinks(const std::string& path);

// Why `name` could not be written, from errno, and what to do about it.
Error CannotWrite(const std::string& name, int error);

}  // namespace thicket
