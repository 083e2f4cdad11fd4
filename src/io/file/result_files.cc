#include "io/file/result_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "io/file/atomic_file.h"
#include "io/file/commit.h"

namespace thicket {

ResultFiles::ResultFiles(std::string folder, std::vector<std::string> names)
    : folder_(std::move(folder)), names_(std::move(names)) {}

ResultFiles::~ResultFiles() {
  // A folder that holds something stays.
  std::error_code ignored;
  for (const std::string& folder : created_) std::filesystem::remove(folder, ignored);
}

std::string ResultFiles::PathOf(const std::string& name) const {
  return (std::filesystem::path(folder_) / name).string();
}

void ResultFiles::AddTo(FilePlan& plan) const {
  if (folder_.empty()) return;
  for (const std::string& name : names_) plan.Write(PathOf(name), name);
}

Status ResultFiles::CreateFolder() {
  if (folder_.empty()) return {};
  std::error_code failure;
  std::vector<std::string> missing;
  for (std::filesystem::path path = std::filesystem::path(folder_).lexically_normal();
       !path.empty() && !std::filesystem::exists(path, failure); path = path.parent_path()) {
    missing.push_back(path.string());
  }
  created_ = std::move(missing);
  std::filesystem::create_directories(folder_, failure);
  if (!failure) return {};
  return ErrorAt(
      ErrorCode::kIo, {.file = folder_},
      fmt::format("the directory must be there or be created, but: {}", failure.message()),
      "choose a directory that you may write to");
}

Status ResultFiles::Write(const std::vector<std::string>& texts, mode_t mode,
                          const FilePlan& plan) const {
  if (folder_.empty()) return {};
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (size_t i = 0; i < names_.size(); ++i) {
    THICKET_ASSIGN(files.emplace_back(), AtomicFile::Create(PathOf(names_[i]), mode));
    THICKET_TRY(files.back()->Write(texts[i]));
  }
  return CommitAll(files, plan);
}

}  // namespace thicket
