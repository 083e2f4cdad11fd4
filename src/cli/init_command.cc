#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/plan.h"
#include "survey/propose.h"

namespace thicket {

namespace {

struct InitFlags {
  std::string data;
  std::string output = "policy.yaml";
  std::string schema;
  bool force = false;
  uint64_t max_memory = 0;
};

// Where the published data may go to: the same format under another name.
std::string OutputFlag(const std::string& format, const std::string& input) {
  if (format == "postgresql") return "--into published";
  if (format == "tables") return "-o published";
  std::filesystem::path data = input;
  if (data.extension() == ".gz" || data.extension() == ".zst") data.replace_extension();
  return "-o published" + data.extension().string();
}

// What the proposal would come to, where that is more than a moment or loses much; empty otherwise. The policy is there by
// now: whatever goes wrong here, and whoever stops here, keeps it.
std::string Forecast(const InitFlags& flags, Progress& progress) {
  constexpr double kLong = 10;
  constexpr double kMuch = 0.1;
  if (flags.data == "-") return "";
  const Result<LoadedPolicy> policy = LoadPolicy(flags.output, &progress);
  if (!policy.ok()) return "";
  const Result<Plan> plan = PlanFile(*policy, "", {}, progress);
  if (!plan.ok()) return "";
  const double lost = plan->trial ? plan->trial->lost_records : 0;
  if (plan->seconds < kLong && lost < kMuch) return "";
  return fmt::format(
      "\nAs it is, that takes {} and loses {:.0f} % of the records: see thicket plan {}\n",
      plan->TimeText(), 100 * lost, flags.output);
}

Result<int> RunInit(const InitFlags& flags) {
  CommandProgress progress(/*quiet=*/false, flags.max_memory);
  THICKET_ASSIGN(const Proposal proposal,
                 ProposeIntoFiles(flags.data, flags.output, flags.force,
                                  {.schema = flags.schema, .progress = &progress}));
  if (flags.output == "-") {
    THICKET_TRY(Print(proposal.policy));
    return 0;
  }
  THICKET_TRY(Print(fmt::format(
      "Wrote {}{}\nRead it before you use it: every guess in it stands beside its reason. Confirm "
      "what\nis sensitive, then run\n\n  thicket anonymize {} {}\n{}",
      flags.output,
      proposal.files.empty() ? ""
                             : fmt::format(" and {} {}", proposal.files.size(),
                                           proposal.files.size() == 1 ? "taxonomy" : "taxonomies"),
      flags.output, OutputFlag(proposal.format, flags.data), Forecast(flags, progress))));
  return 0;
}

}  // namespace

void AddInitCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<InitFlags>();
  CLI::App* command =
      program.add_subcommand("init", "Look at the data and propose a policy, with comments");
  command
      ->add_option(
          "DATA", flags->data,
          "The data: a file (.jsonl, .json, .csv, .xml, one set per line, or a query log, also "
          "compressed; or SQLite), a folder of "
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
  command->callback([flags, &invocation] { invocation.run = [flags] { return RunInit(*flags); }; });
}

}  // namespace thicket
