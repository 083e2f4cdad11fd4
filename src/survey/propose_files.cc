#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "io/file/atomic_file.h"
#include "io/file/commit.h"
#include "io/file/file_plan.h"
#include "io/file/source.h"
#include "survey/propose.h"

namespace thicket {

namespace {

Status CheckFree(const std::filesystem::path& path, bool replace) {
  std::error_code ignored;
  if (replace || !std::filesystem::exists(path, ignored)) return {};
  return ErrorAt(ErrorCode::kUsage, {.file = path.string()}, "must not exist yet, but does",
                 "choose another path with -o, or give --force to replace it");
}

// Taxonomies stand beside the policy, whatever the policy is called. One that an earlier proposal wrote, and nobody changed, may
// stay.
Status CheckFreeOrSame(const std::filesystem::path& path, const std::string& text,
                       const std::filesystem::path& policy, bool replace) {
  std::error_code ignored;
  if (replace || !std::filesystem::exists(path, ignored)) return {};
  const Result<std::string> there = ReadAll(path.string(), {.what = "a taxonomy"});
  if (there.ok() && *there == text) return {};
  return ErrorAt(
      ErrorCode::kUsage, {.file = path.string()},
      fmt::format("a taxonomy of the proposal must have this place beside {}, but another one is "
                  "there",
                  policy.filename().string()),
      fmt::format("give -o a path in another folder, such as -o proposal/{}, or --force to replace "
                  "policy and taxonomies",
                  policy.filename().string()));
}

Result<std::unique_ptr<AtomicFile>> WriteFile(const std::filesystem::path& path,
                                              const std::string& text, mode_t mode) {
  THICKET_ASSIGN(auto file, AtomicFile::Create(path.string(), mode));
  THICKET_TRY(file->Write(text));
  return file;
}

Status CreateFolder(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return {};
  return ErrorAt(ErrorCode::kIo, {.file = path.string()},
                 fmt::format("must be a directory, but {}", failed.message()), "");
}

// The taxonomies and, when all of them are there, the policy.
Status WriteProposal(const Proposal& proposal, const std::filesystem::path& policy,
                     const FilePlan& plan, mode_t mask) {
  // Before folders are made.
  THICKET_TRY(FollowLinks(policy.string()));
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (const auto& [name, text] : proposal.files) {
    const std::filesystem::path path = policy.parent_path() / name;
    THICKET_TRY(CreateFolder(path.parent_path()));
    // The lists of values come from the data: private until the steward decides otherwise.
    THICKET_ASSIGN(files.emplace_back(), WriteFile(path, text, 0600 & ~mask));
  }
  THICKET_ASSIGN(files.emplace_back(), WriteFile(policy, proposal.policy, 0644 & ~mask));
  return CommitAll(files, plan);
}

}  // namespace

Result<Proposal> ProposeIntoFiles(const std::string& data_path, const std::string& policy_path,
                                  bool replace, const ProposeOptions& options) {
  const std::filesystem::path policy = policy_path;
  FilePlan plan;
  plan.ReadAnyData(data_path, "the data");
  plan.Write(policy_path, "the policy");
  THICKET_TRY(plan.Check());
  if (policy_path == "-") return ProposePolicy(data_path, policy_path, options);
  THICKET_TRY(CheckFree(policy, replace));
  THICKET_ASSIGN(Proposal proposal, ProposePolicy(data_path, policy_path, options));
  for (const auto& [name, text] : proposal.files) {
    const std::filesystem::path path = policy.parent_path() / name;
    plan.Write(path.string(), "a taxonomy");
    THICKET_TRY(CheckFreeOrSame(path, text, policy, replace));
  }
  THICKET_TRY(plan.Check());
  const Progress nobody;
  const Progress& progress = options.progress != nullptr ? *options.progress : nobody;
  THICKET_TRY(WriteProposal(proposal, policy, plan, progress.file_mask()));
  return proposal;
}

}  // namespace thicket
