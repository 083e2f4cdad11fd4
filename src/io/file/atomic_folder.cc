#include "io/file/atomic_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/random.h"
#include "io/file/atomic_file.h"

namespace thicket {

namespace {

void SyncFolder(const std::string& path) {
  // What a file system cannot sync it does not have to.
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

// A path that does not exist yet goes without the slashes at its end; one that does goes without links.
Result<std::string> TargetOf(const std::string& path) {
  std::error_code failed;
  std::string resolved = std::filesystem::canonical(path, failed).string();
  if (!failed) return resolved;
  const size_t end = path.find_last_not_of('/');
  return FollowLinks(end == std::string::npos ? path : path.substr(0, end + 1));
}

// The folder that `target` is in, and its name there.
std::pair<std::string, std::string> SplitTarget(const std::string& target) {
  const size_t slash = target.rfind('/');
  if (slash == std::string::npos) return {".", target};
  return {slash == 0 ? "/" : target.substr(0, slash), target.substr(slash + 1)};
}

// A new folder beside `target` that only its owner may enter, under a name that nobody can guess.
Result<std::string> MakeFolderBeside(const std::string& target, const std::string& name) {
  const auto [directory, stem] = SplitTarget(target);
  Random random = Random::Secure();
  for (int attempt = 0; attempt < 16; ++attempt) {
    std::string path = TemporaryPath(directory, stem, random);
    if (mkdir(path.c_str(), 0700) == 0) return path;
    if (errno != EEXIST) break;
  }
  return CannotWrite(name, errno);
}

}  // namespace

// Not by std::filesystem::directory_iterator, which ends the program where it
// finds no memory.
int ListFolder(const std::string& path, std::vector<std::string>& names) {
  struct Close {
    void operator()(DIR* folder) const { closedir(folder); }
  };
  const std::unique_ptr<DIR, Close> folder(opendir(path.c_str()));
  if (!folder) return errno;
  while (true) {
    errno = 0;
    const dirent* entry = readdir(folder.get());
    if (entry == nullptr) return errno;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
}

AtomicFolder::AtomicFolder(const OutputPlace& place, std::string what,
                           std::function<bool(std::string_view)> is_ours)
    : name_(place.path),
      what_(std::move(what)),
      is_ours_(std::move(is_ours)),
      folder_mode_(place.folder_mode()) {}

AtomicFolder::~AtomicFolder() {
  Remove();
  if (lock_ >= 0) close(lock_);
}

Status AtomicFolder::Start() {
  THICKET_ASSIGN(target_, TargetOf(name_));
  std::vector<std::string> held;
  THICKET_TRY(CheckTarget(held));
  const auto [directory, stem] = SplitTarget(target_);
  RemoveLeftovers(directory, stem);
  for (int attempt = 0; attempt < 16; ++attempt) {
    THICKET_ASSIGN(folder_, MakeFolderBeside(target_, name_));
    lock_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock_ >= 0 && live_.Claim(folder_, lock_)) return {};
    // Another run took it for a leftover before it was locked.
    if (lock_ < 0 && errno != ENOENT) break;
    if (lock_ >= 0) close(std::exchange(lock_, -1));
  }
  return CannotWrite(name_, errno);
}

void AtomicFolder::Sync() const { SyncFolder(folder_); }

bool AtomicFolder::Replaces() const {
  std::vector<std::string> held;
  return ListFolder(target_, held) == 0 && !held.empty();
}

Status AtomicFolder::Commit() {
  std::vector<std::string> held;
  THICKET_TRY(CheckTarget(held));
  if (chmod(folder_.c_str(), folder_mode_) != 0) return CannotWrite(name_, errno);
  THICKET_TRY(Replace());
  files_.swap(held);
  Remove();
  folder_.clear();
  live_.Release();
  const size_t slash = target_.rfind('/');
  SyncFolder(slash == std::string::npos ? "." : target_.substr(0, slash + 1));
  return {};
}

// The target must be new, or hold nothing that would be lost but an earlier version of itself.
Status AtomicFolder::CheckTarget(std::vector<std::string>& held) const {
  struct stat status {};
  if (stat(target_.c_str(), &status) != 0) return {};
  if (!S_ISDIR(status.st_mode)) {
    return ErrorAt(ErrorCode::kUsage, {.file = name_},
                   fmt::format("must be a folder for the {}, but is none", what_),
                   "choose another path with -o");
  }
  if (const int error = ListFolder(target_, held); error != 0) return CannotWrite(name_, error);
  for (const std::string& file : held) {
    const bool ours = is_ours_(file);
    if (ours && lstat((target_ + "/" + file).c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      continue;
    }
    return ErrorAt(ErrorCode::kUsage, {.file = name_},
                   fmt::format("must be a new folder, or hold nothing but the {}, but holds {}",
                               what_, ours ? file + ", which is no file" : "other files"),
                   "choose another folder with -o, or empty this one");
  }
  return {};
}

Error AtomicFolder::Renamed(Error error) const {
  const size_t at = error.message.find(folder_);
  if (at != std::string::npos) error.message.replace(at, folder_.size(), name_);
  return error;
}

Status AtomicFolder::Replace() {
  // Also replaces an empty folder.
  if (rename(folder_.c_str(), target_.c_str()) == 0) {
    appeared_ = true;
    folder_.clear();
    return {};
  }
  if (errno != ENOTEMPTY && errno != EEXIST) return CannotWrite(name_, errno);
  // Afterwards the old version has the hidden name, under which it goes away.
  if (renameat2(AT_FDCWD, folder_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
    appeared_ = true;
    return {};
  }
  if (errno != EINVAL && errno != ENOSYS) return CannotWrite(name_, errno);
  return ReplaceInTwoSteps();
}

// For file systems that cannot exchange two names.
Status AtomicFolder::ReplaceInTwoSteps() {
  // Under a name that no other run takes for something left behind: for a moment it is all there is.
  THICKET_ASSIGN(std::string aside, MakeFolderBeside(target_, name_));
  const std::string made = std::exchange(aside, aside + ".before");
  if (rename(made.c_str(), aside.c_str()) != 0) {
    const Error error = CannotWrite(name_, errno);
    rmdir(made.c_str());
    return error;
  }
  if (rename(target_.c_str(), aside.c_str()) != 0) {
    const Error error = CannotWrite(name_, errno);
    rmdir(aside.c_str());
    return error;
  }
  if (rename(folder_.c_str(), target_.c_str()) != 0) {
    Error error = CannotWrite(name_, errno);
    if (rename(aside.c_str(), target_.c_str()) == 0) return error;
    error.hint = "what was there before is now " + aside;
    return error;
  }
  appeared_ = true;
  folder_.swap(aside);
  return {};
}

// What somebody else put there stays. Needs no memory: where there is none left, the folder must go all the same.
void AtomicFolder::Remove() const {
  if (folder_.empty()) return;
  std::array<char, PATH_MAX> path{};
  for (const std::string& file : files_) {
    if (folder_.size() + 1 + file.size() >= path.size()) continue;
    char* end = std::copy(folder_.begin(), folder_.end(), path.data());
    *end++ = '/';
    *std::copy(file.begin(), file.end(), end) = '\0';
    unlink(path.data());
  }
  rmdir(folder_.c_str());
}

}  // namespace thicket
