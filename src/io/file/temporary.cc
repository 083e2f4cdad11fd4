#include "io/file/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string_view>
#include <vector>

namespace thicket {

namespace {

constexpr std::string_view kMark = ".thicket-";
constexpr std::string_view kEnd = ".tmp";
constexpr size_t kDigits = 32;
// Names of a file have at most 255 bytes; this is what they have of the target's.
constexpr size_t kMostOfStem = 100;

// What this process writes at the moment.
struct Live {
  // Recursive, since committing claims and releases, too.
  std::recursive_mutex mutex;
  std::set<std::string> paths;
  bool committed = false;
};

Live& TheLive() {
  // Never destroyed: threads may still hold it when the program ends.
  static Live* const kLive = new Live;
  return *kLive;
}

std::string Beginning(const std::string& stem) {
  return fmt::format(".{}{}", stem.substr(0, kMostOfStem), kMark);
}

// Whether this is a name of TemporaryPath(), or of what SQLite puts beside such a file.
bool IsTemporaryName(std::string_view name, std::string_view beginning) {
  if (name.substr(0, beginning.size()) != beginning) return false;
  name.remove_prefix(beginning.size());
  for (const std::string_view beside : {"-journal", "-wal", "-shm"}) {
    if (name.size() > beside.size() && name.substr(name.size() - beside.size()) == beside) {
      name.remove_suffix(beside.size());
    }
  }
  return name.size() == kDigits + kEnd.size() && name.substr(kDigits) == kEnd &&
         name.find_first_not_of("0123456789abcdef") == kDigits;
}

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

std::vector<std::string> NamesIn(int folder) {
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return {};
  const Folder opened(fdopendir(again));
  if (!opened) {
    close(again);
    return {};
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(opened.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

// What has deeper folders in it stays: nobody writes such.
constexpr int kMostFolders = 4;

void RemoveFolder(int parent, const std::string& name, int folder, int depth = 1) {
  for (const std::string& file : NamesIn(folder)) {
    if (unlinkat(folder, file.c_str(), 0) == 0 || (errno != EISDIR && errno != EPERM)) continue;
    if (depth == kMostFolders) continue;
    const int inner = openat(folder, file.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0) continue;
    RemoveFolder(folder, file, inner, depth + 1);
    close(inner);
  }
  unlinkat(parent, name.c_str(), AT_REMOVEDIR);
}

// Whether nobody who lives holds the lock. The descriptor must be kept until what it stands for is removed.
bool IsLeft(int fd) { return flock(fd, LOCK_EX | LOCK_NB) == 0; }

void RemoveLeftover(int parent, const std::string& name) {
  const int fd =
      openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return;
  struct stat status {};
  if (fstat(fd, &status) == 0 && status.st_uid == geteuid() && IsLeft(fd)) {
    if (S_ISREG(status.st_mode)) unlinkat(parent, name.c_str(), 0);
    if (S_ISDIR(status.st_mode)) RemoveFolder(parent, name, fd);
  }
  close(fd);
}

}  // namespace

std::string TemporaryPath(const std::string& directory, const std::string& stem, Random& random) {
  const uint64_t high = random.Next();
  const uint64_t low = random.Next();
  return fmt::format("{}/{}{:016x}{:016x}{}", directory, Beginning(stem), high, low, kEnd);
}

void RemoveLeftovers(const std::string& directory, const std::string& stem) {
  const int parent = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0) return;
  const std::string beginning = Beginning(stem);
  for (const std::string& name : NamesIn(parent)) {
    if (IsTemporaryName(name, beginning)) RemoveLeftover(parent, name);
  }
  close(parent);
}

void RemoveTemporary(const std::string& path) noexcept {
  if (unlink(path.c_str()) == 0 || (errno != EISDIR && errno != EPERM)) return;
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  try {
    RemoveFolder(AT_FDCWD, path, folder);
  } catch (
      const std::
          bad_alloc&) {  // NOLINT(bugprone-empty-catch): the folder is still named as a leftover
  }
  close(folder);
}

bool LiveTemporary::Claim(const std::string& path, int fd) {
  // Where files cannot be locked, leftovers cannot be told: they are not locked either, and a concurrent run's file may go.
  while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat status {};
  if (fstat(fd, &status) != 0 || status.st_nlink == 0) return false;
  const std::lock_guard<std::recursive_mutex> lock(TheLive().mutex);
  TheLive().paths.insert(path);
  path_ = path;
  return true;
}

void LiveTemporary::Release() {
  if (path_.empty()) return;
  const std::lock_guard<std::recursive_mutex> lock(TheLive().mutex);
  TheLive().paths.erase(path_);
  path_.clear();
}

CommitScope::CommitScope() { TheLive().mutex.lock(); }
CommitScope::~CommitScope() { TheLive().mutex.unlock(); }
void CommitScope::Done() { TheLive().committed = true; }

bool RemoveTemporaries() {
  Live& live = TheLive();
  live.mutex.lock();
  if (live.committed) {
    live.mutex.unlock();
    return false;
  }
  for (const std::string& path : live.paths) RemoveTemporary(path);
  return true;
}

}  // namespace thicket
