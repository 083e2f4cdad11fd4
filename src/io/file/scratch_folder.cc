#include "io/file/scratch_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/random.h"
#include "io/file/atomic_file.h"

namespace thicket {

Result<std::unique_ptr<ScratchFolder>> ScratchFolder::Create(const std::string& stem,
                                                             std::string directory) {
  if (directory.empty()) {
    std::error_code failure;
    directory = std::filesystem::temp_directory_path(failure).string();
    if (failure) return CannotWrite("the folder for temporary files", failure.value());
  }
  RemoveLeftovers(directory, stem);
  Random random = Random::Secure();
  std::unique_ptr<ScratchFolder> folder(new ScratchFolder);
  for (int attempt = 0; attempt < 16; ++attempt) {
    std::string path = TemporaryPath(directory, stem, random);
    if (mkdir(path.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      return CannotWrite(path, errno);
    }
    folder->path_ = std::move(path);
    folder->lock_ = open(folder->path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder->lock_ >= 0 && folder->live_.Claim(folder->path_, folder->lock_)) return folder;
    // Another run took it for a leftover before it was locked.
    if (folder->lock_ < 0 && errno != ENOENT) break;
    if (folder->lock_ >= 0) close(std::exchange(folder->lock_, -1));
  }
  return CannotWrite(directory, errno);
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) RemoveTemporary(path_);
  live_.Release();
  if (lock_ >= 0) close(lock_);
}

}  // namespace thicket
