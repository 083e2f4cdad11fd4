// Everything that a command reads and writes, so that nothing is lost by writing it: no output is an input, another output,
// what SQLite keeps beside one of them, or the folder around it; nor does the command print into any of them.
//
//   FilePlan files;
//   files.ReadPolicy(policy);
//   files.ReadData(policy, "students", "the input");
//   files.WriteData(Format::kTables, "published", "the published data");
//   files.Write("report.json", "the report");
//   THICKET_TRY(files.Check());          // before the work, and again before the first of them appears
//
// Paths are compared by what they are (io/file/paths.h). Checking again finds what was not there at first, such as two new names
// that a file system takes for one.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/file/paths.h"
#include "policy/policy.h"

namespace thicket {

class FilePlan {
 public:
  // A file; "-" is standard input. `what` is what messages call it.
  void Read(const std::string& path, const std::string& what);
  // The policy's own file, its taxonomies and, where it is there, the data that it names.
  void ReadPolicy(const Policy& policy);
  // Data in the policy's format, and every file that a reader would look for: tables of a folder, journals of SQLite.
  void ReadData(const Policy& policy, const std::string& location, const std::string& what);
  // Data of which nobody knows the format yet: of a folder all files.
  void ReadAnyData(const std::string& location, const std::string& what);

  // A file; "-" is standard output.
  void Write(const std::string& path, const std::string& what);
  // Data in a format: a folder is replaced as a whole, and what SQLite would take for a journal must not be there.
  // `documents`: a folder with one document per record.
  void WriteData(Format format, const std::string& path, const std::string& what,
                 bool documents = false);

  Status Check() const;

 private:
  struct File {
    std::string path;
    std::string what;
  };
  struct Output {
    File file;
    // Replaced with everything in it.
    bool folder = false;
  };

  void KeepJournals(const std::string& path, const std::string& what);
  Status CheckOutput(const Output& output) const;
  Status CheckStandardOutput() const;

  std::vector<File> inputs_;
  // What must not appear beside data: nobody reads it, but SQLite would.
  std::vector<File> journals_;
  std::vector<Output> outputs_;
};

// The names under which SQLite would look for journals of a database, also behind a link.
std::vector<std::string> SqliteJournals(const std::string& path);

}  // namespace thicket
