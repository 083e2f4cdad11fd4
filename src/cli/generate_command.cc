#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "generate/generate.h"

namespace thicket {

namespace {

struct GenerateFlags {
  std::string name;
  std::optional<uint64_t> count;
  uint64_t seed = 1;
  std::string directory;
  uint64_t max_memory = 0;
  bool quiet = false;
};

Result<int> RunGenerate(const GenerateFlags& flags) {
  CommandProgress progress(flags.quiet, flags.max_memory);
  const uint64_t count = flags.count.value_or(DefaultGenerated(flags.name));
  std::error_code ignored;
  const bool replaced = std::filesystem::exists(
      std::filesystem::path(flags.directory) / GeneratedFile(flags.name), ignored);
  THICKET_TRY(Generate(flags.name, count, flags.seed, flags.directory, progress));
  if (!flags.quiet) {
    THICKET_TRY(Print(fmt::format("Wrote {} records to {}, with policy.yaml and taxonomies{}\n",
                                  WithCommas(count), flags.directory,
                                  replaced ? ", in place of what was there" : "")));
  }
  return 0;
}

}  // namespace

void AddGenerateCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<GenerateFlags>();
  CLI::App* command =
      program.add_subcommand("generate", "Write synthetic data with its policy and taxonomies");
  command->add_option("NAME", flags->name, "Which data")->required();
  command
      ->add_option(
          "-n", flags->count,
          "How many records, from 10 to 10 million (of a table of a thesis: as many as it has)")
      ->check(WholeNumber(0));
  command->add_option("--seed", flags->seed, "The same seed gives the same data")
      ->check(WholeNumber(0));
  command->add_option("-o,--output", flags->directory, "The directory to write to")->required();
  AddMaxMemory(*command, flags->max_memory);
  command->add_flag("--quiet", flags->quiet, "Print nothing but errors");
  std::string summaries = "\nNAME is one of\n";
  for (const std::string& name : GeneratorNames()) {
    summaries += fmt::format("  {:<16} {}\n", name, GeneratorSummary(name));
  }
  command->footer(summaries +
                  "\nExample:\n  thicket generate students -n 1000 --seed 7 -o students\n");
  command->callback(
      [flags, &invocation] { invocation.run = [flags] { return RunGenerate(*flags); }; });
}

}  // namespace thicket
