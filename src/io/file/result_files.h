// Texts about one piece of work that appear together in a folder: a table, a page, a plot.
//
//   ResultFiles files("results", {"explore.csv", "explore.svg"});
//   FilePlan plan;
//   files.AddTo(plan);
//   THICKET_TRY(plan.Check());
//   THICKET_TRY(files.CreateFolder());                   // before the work: a place that cannot be used is found out
//   THICKET_TRY(files.Write({csv, svg}, 0644, plan));    // all of them, or none
//
// Folders that were created and stay empty, because the work fails, go again with the object. Where the folder has no
// name, nobody wants files, and all of this does nothing.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "io/file/file_plan.h"

namespace thicket {

class ResultFiles {
 public:
  ResultFiles(std::string folder, std::vector<std::string> names);
  ResultFiles(const ResultFiles&) = delete;
  ResultFiles& operator=(const ResultFiles&) = delete;
  ~ResultFiles();

  void AddTo(FilePlan& plan) const;
  // The folder, and those around it, where they are missing.
  Status CreateFolder();
  // One text for each name, in the order of the names. `mode`: the permissions of the files.
  Status Write(const std::vector<std::string>& texts, mode_t mode, const FilePlan& plan) const;

 private:
  std::string PathOf(const std::string& name) const;

  std::string folder_;
  std::vector<std::string> names_;
  // Those that were missing, the innermost first.
  std::vector<std::string> created_;
};

}  // namespace thicket
