// A folder of files that appears complete or not at all.
//
// It is written beside its target under a name that cannot be guessed, open only to its owner, and renamed by Commit(). Without
// Commit(), and after any failure, it goes away and whatever was at the target stays. A target that is there already is replaced
// if it holds nothing but what such a folder holds.
//
//   AtomicFolder folder(place, "tables", [&](std::string_view name) { return IsTable(name); });
//   THICKET_TRY(folder.Start());
//   folder.Add("courses.csv");
//   ... write folder.path() + "/courses.csv" ...
//   THICKET_TRY(folder.Commit());
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/dataset_io.h"
#include "io/file/temporary.h"

namespace thicket {

class AtomicFolder {
 public:
  // `what` it is a folder of, for messages; `is_ours`: whether a name may stand in such a folder.
  AtomicFolder(const OutputPlace& place, std::string what,
               std::function<bool(std::string_view)> is_ours);
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;
  ~AtomicFolder();

  // Makes the folder that is written.
  Status Start();
  // Where it is, until Commit().
  const std::string& path() const { return folder_; }
  // As the user called it.
  const std::string& name() const { return name_; }
  // Before a file is made in it: it goes away with the folder.
  void Add(std::string file) { files_.push_back(std::move(file)); }
  // Messages speak of the folder that the user named.
  Error Renamed(Error error) const;
  void Sync() const;

  bool Replaces() const;
  Status Commit();
  bool MayHaveAppeared() const { return appeared_; }

 private:
  Status CheckTarget(std::vector<std::string>& held) const;
  Status Replace();
  Status ReplaceInTwoSteps();
  void Remove() const;

  std::string name_;
  std::string target_;
  std::string what_;
  std::function<bool(std::string_view)> is_ours_;
  mode_t folder_mode_;
  // What is to be removed in the end: the folder that is written or, once it has its name, the version before it; and its files.
  std::string folder_;
  std::vector<std::string> files_;
  bool appeared_ = false;
  // Holds the lock of the folder that is written.
  int lock_ = -1;
  LiveTemporary live_;
};

// The names in a folder, but for "." and ".."; returns errno, or 0.
int ListFolder(const std::string& path, std::vector<std::string>& names);

}  // namespace thicket
