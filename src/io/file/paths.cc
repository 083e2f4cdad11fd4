#include "io/file/paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <deque>

namespace thicket {

namespace {

// As many as Linux follows.
constexpr int kMostLinks = 40;

// The names of a path, first to last, without empty ones.
std::deque<std::string> NamesOf(const std::string& path) {
  std::deque<std::string> names;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) names.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::string Start(const std::string& path) { return path.substr(0, 1) == "/" ? "/" : "."; }

struct Resolved {
  // A path of what exists.
  std::string existing;
  std::vector<std::string> rest;
};

// The system resolves what exists; ".." and links below that are resolved here.
Resolved Resolve(const std::string& path) {
  Resolved found{Start(path), {}};
  std::deque<std::string> names = NamesOf(path);
  int links = 0;
  while (!names.empty()) {
    const std::string name = names.front();
    names.pop_front();
    if (name == ".") continue;
    if (!found.rest.empty()) {
      if (name == "..") {
        found.rest.pop_back();
      } else {
        found.rest.push_back(name);
      }
      continue;
    }
    const std::string next = found.existing + "/" + name;
    struct stat status {};
    if (stat(next.c_str(), &status) == 0) {
      found.existing = next;
      continue;
    }
    std::string target(PATH_MAX, '\0');
    const ssize_t length = readlink(next.c_str(), target.data(), target.size());
    if (length <= 0 || ++links > kMostLinks) {
      found.rest.push_back(name);
      continue;
    }
    target.resize(static_cast<size_t>(length));
    if (target.front() == '/') found.existing = "/";
    const std::deque<std::string> on_the_way = NamesOf(target);
    names.insert(names.begin(), on_the_way.begin(), on_the_way.end());
  }
  return found;
}

FileIdentity IdentityOf(const Resolved& resolved) {
  FileIdentity identity;
  struct stat status {};
  if (stat(resolved.existing.c_str(), &status) == 0) {
    identity.device = status.st_dev;
    identity.inode = status.st_ino;
  }
  identity.rest = resolved.rest;
  return identity;
}

}  // namespace

FileIdentity Identify(const std::string& path) { return IdentityOf(Resolve(path)); }

std::optional<FileIdentity> IdentifyDescriptor(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino, {}};
}

bool LiesIn(const std::string& path, const FileIdentity& folder) {
  Resolved above = Resolve(path);
  char real[PATH_MAX];
  if (realpath(above.existing.c_str(), real) != nullptr) above.existing = real;
  while (true) {
    if (!above.rest.empty()) {
      above.rest.pop_back();
    } else {
      const size_t slash = above.existing.rfind('/');
      if (slash == std::string::npos || above.existing.size() == 1) return false;
      above.existing.resize(std::max<size_t>(slash, 1));
    }
    if (IdentityOf(above) == folder) return true;
  }
}

}  // namespace thicket
