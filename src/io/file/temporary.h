// What is being written before it has its name: how it is called, how the next run tells what a killed run left from what
// a living one writes, and how a program that must end at once cleans up behind itself.
//
// A file or folder is written beside its target as ".STEM.thicket-RANDOM.tmp" and locked (flock) by whoever writes it. The
// system drops the lock with the process, however it ends. So the next run to the same target removes what has such a
// name, belongs to the same user and is not locked; a concurrent run's is locked, and stays. Links are never followed.
//
//   RemoveLeftovers(directory, stem);
//   const std::string path = TemporaryPath(directory, stem, random);
//   const int fd = open(path.c_str(), O_CREAT | O_EXCL | ...);
//   LiveTemporary live;
//   if (!live.Claim(path, fd)) ...            // another run took it for a leftover: choose another name
//   ... write, rename; live.Release() ...
//
// The paths that are claimed are known to the whole process: RemoveTemporaries() is for a program that cannot wait until
// its objects are destroyed.
#pragma once

#include <string>

#include "base/random.h"
#include "base/result.h"
#include "io/file/remove_temporaries.h"

namespace thicket {

// A name that nobody can guess. `stem` is the target's name, of which a part will do.
std::string TemporaryPath(const std::string& directory, const std::string& stem, Random& random);

// Removes what runs that were killed left beside this target: files, folders with all that is in them, and what SQLite puts
// beside a database. What cannot be removed stays.
void RemoveLeftovers(const std::string& directory, const std::string& stem);

// Removes such a file, or such a folder with all that is in it; without memory it stays, for the next run.
void RemoveTemporary(const std::string& path) noexcept;

// A path under such a name that this process is writing; it does not own the descriptor, which holds the lock.
class LiveTemporary {
 public:
  LiveTemporary() = default;
  LiveTemporary(const LiveTemporary&) = delete;
  LiveTemporary& operator=(const LiveTemporary&) = delete;
  ~LiveTemporary() { Release(); }

  // False if another run has removed it already, which can only happen between its creation and this call.
  bool Claim(const std::string& path, int fd);
  // It has another name now, or is gone.
  void Release();

 private:
  std::string path_;
};

// While one of these lives, what was checked gets its names, which must not be left half done: RemoveTemporaries() waits for
// it, and does nothing any more once Done() was called.
class CommitScope {
 public:
  CommitScope();
  CommitScope(const CommitScope&) = delete;
  CommitScope& operator=(const CommitScope&) = delete;
  ~CommitScope();
  // Something has its final name.
  void Done();
};

}  // namespace thicket
