#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "io/file/atomic_file.h"
#include "io/file/commit.h"
#include "io/file/file_plan.h"
#include "survey/propose.h"

namespace thicket {

namespace {

struct Flags {
  std::string data;
  std::string output = "policy.yaml";
  std::string schema;
  bool force = false;
  uint64_t max_memory = 0;
};

Status CheckFree(const std::filesystem::path& path, bool force) {
  std::error_code ignored;
  if (force || !std::filesystem::exists(path, ignored)) return {};
  return Error{ErrorCode::kUsage, fmt::format("{}: must not exist yet, but does", path.string()),
               "choose another path with -o, or give --force to replace it", ""};
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
  return Error{ErrorCode::kIo,
               fmt::format("{}: must be a directory, but {}", path.string(), failed.message()), "",
               ""};
}

// The taxonomies and, when all of them are there, the policy.
Status WriteProposal(const Proposal& proposal, const std::filesystem::path& policy,
                     const FilePlan& plan) {
  // Before folders are made.
  THICKET_TRY(FollowLinks(policy.string()));
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (const auto& [name, text] : proposal.files) {
    const std::filesystem::path path = policy.parent_path() / name;
    THICKET_TRY(CreateFolder(path.parent_path()));
    // The lists of values come from the data: private until the steward decides otherwise.
    THICKET_ASSIGN(files.emplace_back(), WriteFile(path, text, 0600));
  }
  THICKET_ASSIGN(files.emplace_back(), WriteFile(policy, proposal.policy, 0644));
  return CommitAll(files, plan);
}

// Where the published data may go to: the same format under another name.
std::string OutputFlag(Format format, const std::string& input) {
  if (format == Format::kPostgresql) return "--into published";
  if (format == Format::kTables) return "-o published";
  std::filesystem::path data = input;
  if (data.extension() == ".gz" || data.extension() == ".zst") data.replace_extension();
  return "-o published" + data.extension().string();
}

Result<int> Run(const Flags& flags) {
  const bool to_stdout = flags.output == "-";
  const std::filesystem::path policy = flags.output;
  FilePlan plan;
  plan.ReadAnyData(flags.data, "the data");
  plan.Write(flags.output, "the policy");
  THICKET_TRY(plan.Check());
  if (!to_stdout) THICKET_TRY(CheckFree(policy, flags.force));
  CommandProgress progress(/*quiet=*/true, flags.max_memory);
  THICKET_ASSIGN(
      const Proposal proposal,
      ProposePolicy(flags.data, flags.output, {.schema = flags.schema, .progress = &progress}));
  if (to_stdout) {
    THICKET_TRY(Print(proposal.policy));
    return 0;
  }
  for (const auto& [name, text] : proposal.files) {
    const std::filesystem::path path = policy.parent_path() / name;
    plan.Write(path.string(), "a taxonomy");
    THICKET_TRY(CheckFree(path, flags.force));
  }
  THICKET_TRY(plan.Check());
  THICKET_TRY(WriteProposal(proposal, policy, plan));
  THICKET_TRY(Print(fmt::format(
      "Wrote {}{}\nRead it before you use it: every guess in it stands beside its reason. Confirm "
      "what\nis sensitive, then run\n\n  thicket anonymize {} {}\n",
      flags.output,
      proposal.files.empty() ? ""
                             : fmt::format(" and {} {}", proposal.files.size(),
                                           proposal.files.size() == 1 ? "taxonomy" : "taxonomies"),
      flags.output, OutputFlag(proposal.format, flags.data))));
  return 0;
}

}  // namespace

void AddInitCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      program.add_subcommand("init", "Look at the data and propose a policy, with comments");
  command
      ->add_option(
          "DATA", flags->data,
          "The data: a file (.jsonl, .json, .csv or .xml, also compressed; or SQLite), a folder of "
          "CSV tables, or postgresql://USER@HOST/DATABASE; - is standard input")
      ->required();
  command
      ->add_option("-o,--output", flags->output, "Where to write the policy; - is standard output")
      ->capture_default_str();
  command->add_option("--schema", flags->schema,
                      "PostgreSQL: the schema that holds the tables (public)");
  AddMaxMemory(*command, flags->max_memory);
  command->add_flag("--force", flags->force, "Replace files that exist");
  command->footer("\nExample:\n  thicket init students.jsonl -o policy.yaml\n");
  command->callback([flags, &invocation] { invocation.run = [flags] { return Run(*flags); }; });
}

}  // namespace thicket
