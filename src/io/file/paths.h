// What a path really is, whatever it is called.
//
// Links, hard links, "./", "..", symlinked folders, mounts and names that differ only in what a file system ignores (case)
// all lead to one inode. Of a path that does not exist yet, the part that exists is looked up, and the rest is compared
// name by name.
//
//   Identify("data/../people.jsonl") == Identify("./link-to-people")   // true where they are the same file
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace thicket {

struct FileIdentity {
  // Of what exists.
  dev_t device = 0;
  ino_t inode = 0;
  // The names below it that do not exist; empty if the whole path does.
  std::vector<std::string> rest;

  bool operator==(const FileIdentity&) const = default;
};

// Follows links, also those that lead to nothing yet.
FileIdentity Identify(const std::string& path);

// What an open descriptor reads or writes, if that is a regular file: pipes and terminals can be neither lost nor replaced.
std::optional<FileIdentity> IdentifyDescriptor(int descriptor);

// Whether `path` is in the folder, at any depth.
bool LiesIn(const std::string& path, const FileIdentity& folder);

}  // namespace thicket
