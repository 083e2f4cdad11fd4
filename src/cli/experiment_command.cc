#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "experiment/experiment.h"

namespace thicket {

namespace {

struct ExperimentFlags {
  std::string name;
  ExperimentOptions options;
  uint64_t max_memory = 0;
  bool quiet = false;
};

Result<int> RunExperiment(const ExperimentFlags& flags) {
  CommandProgress progress(flags.quiet, flags.max_memory);
  std::error_code ignored;
  const bool replaced = std::filesystem::exists(
      std::filesystem::path(flags.options.directory) / (flags.name + ".csv"), ignored);
  THICKET_ASSIGN(const ExperimentText text, RunExperiment(flags.name, flags.options, progress));
  if (flags.quiet) return 0;
  THICKET_TRY(Print(text.markdown));
  if (!flags.options.directory.empty()) {
    THICKET_TRY(Print(fmt::format("\nWrote {0}.csv, {0}.md and {0}.svg to {1}{2}\n", flags.name,
                                  flags.options.directory,
                                  replaced ? ", in place of what was there" : "")));
  }
  return 0;
}

}  // namespace

void AddExperimentCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<ExperimentFlags>();
  CLI::App* command = program.add_subcommand(
      "experiment", "Run a paper's experiment again: a table and a plot beside what it reports");
  command->add_option("NAME", flags->name, "Which experiment")->required();
  command
      ->add_option(
          "-n", flags->options.records,
          "How many records, or at most (default: the paper's, or fewer where those take long)")
      ->check(WholeNumber(0));
  command->add_option("--policy", flags->options.policy,
                      "Sets and bags (liu-sets-*, liu-bags-*): run on this policy's data instead "
                      "of generated data");
  command->add_option("--seed", flags->options.seed, "Chooses the generated data")
      ->check(WholeNumber(0));
  command
      ->add_option("--threads", flags->options.threads,
                   "How many threads; 0 is as many as it may use")
      ->check(WholeNumber(0, 1024));
  command->add_option("-o,--output", flags->options.directory,
                      "The directory for NAME.csv, NAME.md and NAME.svg (default: print only)");
  AddMaxMemory(*command, flags->max_memory);
  command->add_flag("--quiet", flags->quiet, "Print nothing but errors");
  std::string summaries = "\nNAME is one of\n";
  for (const std::string& name : ExperimentNames()) {
    summaries += fmt::format("  {:<19} {}\n", name, ExperimentSummary(name));
  }
  command->footer(summaries + "\nExample:\n  thicket experiment ozalp-s -n 1000 -o results\n");
  command->callback(
      [flags, &invocation] { invocation.run = [flags] { return RunExperiment(*flags); }; });
}

}  // namespace thicket
