#include "io/file/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/random.h"
#include "base/stop.h"
#include "io/file/compress.h"
#include "io/file/temporary.h"

namespace thicket {

Error CannotWrite(const std::string& name, int error) {
  std::string hint;
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    hint = "make room, or write somewhere else with -o";
  }
  if (error == EISDIR) hint = "name a file in it";
  if (error == ENOENT || error == ENOTDIR) hint = "create the directory first";
  if (error == EACCES || error == EPERM || error == EROFS) {
    hint = "write to a directory that you may write to";
  }
  if (error == EBADF) hint = "open it for writing, or write to a file";
  return ErrorAt(ErrorCode::kIo, {.file = name},
                 fmt::format("cannot be written: {}", std::strerror(error)), hint);
}

namespace {

// The directory part of a path, "." if there is none, and what follows it.
std::pair<std::string, std::string> SplitPath(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

void SyncDirectory(const std::string& path) {
  const int directory = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  fsync(directory);
  close(directory);
}

// A name for a temporary file that belongs to the file called `stem`, and that nobody can guess.
std::string TemporaryName(const std::string& directory, const std::string& stem) {
  Random random = Random::Secure();
  return TemporaryPath(directory, stem, random);
}

// A descriptor that nobody can take for standard input, output or error, which may be closed.
int AboveStandardStreams(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  close(fd);
  errno = error;
  return above;
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

Status WriteFully(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return CannotWrite(name, errno);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

// A new file under a name that nobody can guess, which goes away with the object unless it was kept.
class TemporaryFile {
 public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { Remove(); }

  // `name` is what messages call it.
  Status Create(const std::string& directory, const std::string& stem, std::string name) {
    name_ = std::move(name);
    RemoveLeftovers(directory, stem);
    for (int attempt = 0; attempt < 16; ++attempt) {
      path_ = TemporaryName(directory, stem);
      fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
      if (fd_ >= 0) {
        linked_ = true;
        fd_ = AboveStandardStreams(fd_);
        if (fd_ < 0) return CannotWrite(name_, errno);
        if (live_.Claim(path_, fd_)) return {};
        // Another run took it for something left behind, before it was locked.
        Remove();
        errno = EEXIST;
      }
      if (errno != EEXIST && errno != EINTR) break;
    }
    return CannotWrite(name_, errno);
  }

  // Takes the name away at once; the content can still be read through the descriptor's entry in /proc.
  void Unlink() {
    std::string entry = fmt::format("/proc/self/fd/{}", fd_);
    if (access(entry.c_str(), R_OK) != 0) return;
    if (unlink(path_.c_str()) != 0) return;
    linked_ = false;
    live_.Release();
    path_ = std::move(entry);
  }

  Status Write(std::string_view bytes) { return WriteFully(fd_, bytes, name_); }
  Status Sync() {
    // A file system that cannot sync (EINVAL) has nothing to wait for.
    if (fsync(fd_) != 0 && errno != EINVAL) return CannotWrite(name_, errno);
    return {};
  }
  Status Rename(const std::string& target, mode_t mode) {
    if (fchmod(fd_, mode) != 0) return CannotWrite(name_, errno);
    THICKET_TRY(Sync());
    if (rename(path_.c_str(), target.c_str()) != 0) return CannotWrite(name_, errno);
    linked_ = false;
    live_.Release();
    renamed_ = true;
    return {};
  }
  void Remove() {
    if (linked_) unlink(path_.c_str());
    linked_ = false;
    live_.Release();
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

  int fd() const { return fd_; }
  const std::string& path() const { return path_; }
  bool renamed() const { return renamed_; }

 private:
  std::string name_;
  std::string path_;
  int fd_ = -1;
  bool linked_ = false;
  LiveTemporary live_;
  bool renamed_ = false;
};

// What stood at a target before, while nobody knows yet whether it must come back: a second name beside it.
class OldContent {
 public:
  OldContent() = default;
  OldContent(const OldContent&) = delete;
  OldContent& operator=(const OldContent&) = delete;
  // Undecided: the new content stays, and where there is none, the old one.
  ~OldContent() {
    struct stat status {};
    if (kept_ && lstat(target_.c_str(), &status) != 0) rename(aside_.c_str(), target_.c_str());
    Remove();
  }

  // `name` is what messages call the target.
  Status Keep(const std::string& target, const std::string& name) {
    target_ = target;
    name_ = name;
    const auto [directory, stem] = SplitPath(target);
    aside_ = TemporaryName(directory, stem);
    // Locked as what is being written: another run must not take the second name for something left behind.
    lock_ = open(target_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (lock_ >= 0) flock(lock_, LOCK_SH | LOCK_NB);
    if (link(target_.c_str(), aside_.c_str()) == 0) {
      kept_ = known_ = true;
      return {};
    }
    if (errno == ENOENT) {
      known_ = true;
      return {};
    }
    // Not every file system has links, and not everybody may make one to a file of somebody else.
    struct stat status {};
    if (lstat(target_.c_str(), &status) != 0) return CannotWrite(name_, errno);
    if (!S_ISREG(status.st_mode)) return CannotWrite(name_, EISDIR);
    // For a moment it is all there is, so it gets a name that no run removes.
    aside_ += ".before";
    if (rename(target_.c_str(), aside_.c_str()) != 0) return CannotWrite(name_, errno);
    kept_ = known_ = true;
    return {};
  }

  // Also where nothing was: then the target goes away.
  Status PutBack() {
    // Keep() did not come to its end, for want of memory, say: nothing was replaced.
    if (!known_) return {};
    if (!kept_) {
      if (unlink(target_.c_str()) != 0 && errno != ENOENT) return CannotWrite(name_, errno);
      return {};
    }
    if (StillThere()) {
      Remove();
      return {};
    }
    if (rename(aside_.c_str(), target_.c_str()) != 0) {
      Error error = CannotWrite(name_, errno);
      error.hint = "what was there before is now " + aside_;
      kept_ = false;
      return error;
    }
    kept_ = false;
    return {};
  }

  bool kept() const { return kept_; }
  void Remove() {
    if (kept_) unlink(aside_.c_str());
    kept_ = false;
    if (lock_ >= 0) close(std::exchange(lock_, -1));
  }

 private:
  // Whether the target was never replaced: then both names are of one file.
  bool StillThere() const {
    struct stat kept {};
    struct stat now {};
    return stat(aside_.c_str(), &kept) == 0 && stat(target_.c_str(), &now) == 0 &&
           kept.st_dev == now.st_dev && kept.st_ino == now.st_ino;
  }

  std::string target_;
  std::string name_;
  std::string aside_;
  int lock_ = -1;
  bool known_ = false;
  bool kept_ = false;
};

class BesideTarget : public AtomicFile {
 public:
  BesideTarget(std::string target, mode_t mode) : name_(std::move(target)), mode_(mode) {}

  Status Start() {
    THICKET_ASSIGN(target_, FollowLinks(name_));
    const auto [directory, stem] = SplitPath(target_);
    struct stat status {};
    if (stat(target_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
      if (S_ISDIR(status.st_mode)) return CannotWrite(name_, EISDIR);
      return ErrorAt(ErrorCode::kIo, {.file = name_}, "must be a regular file, but is none",
                     "write to - for standard output");
    }
    directory_ = directory;
    THICKET_TRY(file_.Create(directory, stem, name_));
    if (EndsWith(name_, ".gz")) compressor_ = Compressor::Gzip();
    if (EndsWith(name_, ".zst")) compressor_ = Compressor::Zstd();
    return {};
  }

  Status Write(std::string_view bytes) override {
    if (!compressor_) return Failing(file_.Write(bytes));
    return Failing(compressor_->Add(bytes, [&](std::string_view out) { return file_.Write(out); }));
  }
  Status Close() override {
    if (closed_) return {};
    if (compressor_) {
      THICKET_TRY(
          Failing(compressor_->Finish([&](std::string_view out) { return file_.Write(out); })));
    }
    THICKET_TRY(Failing(file_.Sync()));
    closed_ = true;
    return {};
  }
  const std::string& temporary_path() const override { return file_.path(); }
  bool Replaces() const override {
    struct stat status {};
    return lstat(target_.c_str(), &status) == 0;
  }
  Status Commit() override {
    THICKET_TRY(Close());
    THICKET_TRY(Failing(file_.Rename(target_, mode_)));
    // The rename has happened; that the directory entry is on disk too is the best that can still be tried.
    SyncDirectory(directory_);
    return {};
  }
  bool MayHaveAppeared() const override { return file_.renamed(); }

  Status CommitForNow() override {
    THICKET_TRY(Close());
    THICKET_TRY(Failing(old_.Keep(target_, name_)));
    Status committed = Commit();
    if (!committed.ok() && old_.kept()) THICKET_TRY(old_.PutBack());
    return committed;
  }
  void Settle() override { old_.Remove(); }
  Status TakeBack() override {
    THICKET_TRY(old_.PutBack());
    SyncDirectory(directory_);
    return {};
  }

 private:
  // A file that could not be written whole is of no use: it gives its space back at once.
  Status Failing(Status status) {
    if (!status.ok()) file_.Remove();
    return status;
  }

  std::string name_;
  std::string target_;
  std::string directory_;
  mode_t mode_;
  TemporaryFile file_;
  OldContent old_;
  std::unique_ptr<Compressor> compressor_;
  bool closed_ = false;
};

class HeldBackOutput : public AtomicFile {
 public:
  Status Start() {
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) return CannotWrite("standard output", EBADF);
    const char* directory = std::getenv("TMPDIR");
    const std::string where = directory != nullptr && *directory != '\0' ? directory : "/tmp";
    THICKET_TRY(file_.Create(where, "thicket", "temporary file in " + where));
    file_.Unlink();
    return {};
  }

  Status Write(std::string_view bytes) override { return file_.Write(bytes); }
  Status Close() override { return {}; }
  const std::string& temporary_path() const override { return file_.path(); }
  bool Replaces() const override { return false; }
  Status Commit() override {
    struct stat status {};
    const bool is_file = fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode);
    // A pipe that is ready takes this much without waiting.
    std::string buffer(is_file ? size_t{1} << 18 : size_t{PIPE_BUF}, '\0');
    while (true) {
      const ssize_t got = pread(file_.fd(), buffer.data(), buffer.size(), written_);
      if (got == 0) return {};
      if (got > 0) THICKET_TRY(WaitForReader());
      const ssize_t put =
          got < 0 ? got : write(STDOUT_FILENO, buffer.data(), static_cast<size_t>(got));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return CannotWrite("standard output", errno);
      written_ += put;
    }
  }
  bool MayHaveAppeared() const override { return written_ > 0; }

  Status CommitForNow() override {
    return Error{ErrorCode::kUsage,
                 "standard output: what is written must be a file, so that it can be taken back, "
                 "but is none",
                 "name a file", ""};
  }
  void Settle() override {}
  Status TakeBack() override { return {}; }

 private:
  // Until whoever reads is ready; looks up now and then whether the user wants to stop.
  Status WaitForReader() const {
    constexpr int kLookMs = 50;
    pollfd waiting = {STDOUT_FILENO, POLLOUT, 0};
    while (true) {
      const int ready = poll(&waiting, 1, kLookMs);
      if (StopRequested()) {
        if (written_ == 0) return Interrupted();
        return Error{ErrorCode::kInterrupted,
                     "interrupted; what was written to standard output is not whole", "", ""};
      }
      if (ready > 0 || (ready < 0 && errno != EINTR)) return {};
    }
  }

  TemporaryFile file_;
  off_t written_ = 0;
};

}  // namespace

Result<std::string> FollowLinks(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) != nullptr) return std::string(resolved);
  return ErrorAt(
      ErrorCode::kIo, {.file = path},
      fmt::format("a link must lead to what is to be replaced, but cannot be followed: {}",
                  std::strerror(errno)),
      "remove the link, or write to where it should lead");
}

Result<std::unique_ptr<AtomicFile>> AtomicFile::Create(const std::string& target, mode_t mode) {
  if (target == "-") {
    auto output = std::make_unique<HeldBackOutput>();
    THICKET_TRY(output->Start());
    return std::unique_ptr<AtomicFile>(std::move(output));
  }
  auto file = std::make_unique<BesideTarget>(target, mode);
  THICKET_TRY(file->Start());
  return std::unique_ptr<AtomicFile>(std::move(file));
}

}  // namespace thicket
