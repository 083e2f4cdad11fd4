// A folder for data that only this process needs, and only for a while: an experiment's generated records.
//
//   THICKET_ASSIGN(const auto folder, ScratchFolder::Create("experiment"));
//   ... write to and read from folder->path() ...      // it goes away with the object
//
// The folder is in TMPDIR, else in /tmp; only its owner may enter it. As all that is temporary (io/file/temporary.h) it is removed
// when the program has to end at once, and by the next run that makes one of the same name where a run was killed. What is
// committed while it lives counts as temporary, too, so nothing else may be committed meanwhile.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "io/file/temporary.h"

namespace thicket {

class ScratchFolder {
 public:
  // `stem` tells apart what different commands leave behind. `directory`: elsewhere than in TMPDIR, for tests.
  static Result<std::unique_ptr<ScratchFolder>> Create(const std::string& stem,
                                                       std::string directory = "");
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  ScratchFolder() = default;

  std::string path_;
  int lock_ = -1;
  LiveTemporary live_;
  ScratchScope scope_;
};

}  // namespace thicket
