#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/explore.h"

namespace thicket {

namespace {

struct ExploreFlags {
  std::string policy;
  std::string input;
  std::string k;
  std::string l;
  ExploreOptions options;
  bool json = false;
  bool quiet = false;
  uint64_t max_memory = 0;
};

// "2,3,5" as numbers.
Result<std::vector<int>> ParseList(const std::string& flag, std::string_view text) {
  std::vector<int> numbers;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    int number = 0;
    const auto [last, code] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (code == std::errc::result_out_of_range) {
      return Error{ErrorCode::kUsage,
                   fmt::format("{}: must be numbers that fit 31 bits, but one is '{}'", flag, word),
                   "no data has so many records", ""};
    }
    if (code != std::errc() || last != word.data() + word.size()) {
      return Error{ErrorCode::kUsage,
                   fmt::format("{}: must be whole numbers with commas between them, but is '{}'",
                               flag, text),
                   fmt::format("for example {} 2,3,5", flag), ""};
    }
    numbers.push_back(number);
    begin = end + 1;
  }
  return numbers;
}

Result<int> RunExplore(ExploreFlags& flags, bool has_k, bool has_l) {
  if (!has_k && !has_l) {
    return Error{ErrorCode::kUsage, "explore needs settings to compare, but none are given",
                 "give --k 2,3,5,10, or --l 2,3, or both", ""};
  }
  if (has_k) {
    THICKET_ASSIGN(flags.options.k, ParseList("--k", flags.k));
  }
  if (has_l) {
    THICKET_ASSIGN(flags.options.l, ParseList("--l", flags.l));
  }
  CommandProgress progress(flags.quiet, flags.max_memory);
  const std::string& directory = flags.options.directory;
  std::error_code ignored;
  const bool replaced =
      std::filesystem::exists(std::filesystem::path(directory) / "explore.csv", ignored);
  THICKET_ASSIGN(const LoadedPolicy policy, LoadPolicy(flags.policy, &progress));
  THICKET_ASSIGN(const Frontier frontier,
                 progress.WithWarnings(ExploreFile(policy, flags.input, flags.options, progress)));
  PrintWarnings(frontier.warnings, flags.quiet);
  if (flags.json) {
    THICKET_TRY(Print(frontier.ToJson()));
  } else if (!flags.quiet) {
    THICKET_TRY(Print(frontier.ToText()));
    if (!directory.empty() && frontier.any_kept()) {
      THICKET_TRY(Print(fmt::format("\nWrote explore.csv, .json, .md and .svg to {}{}\n", directory,
                                    replaced ? ", in place of what was there" : "")));
    }
  }
  return frontier.any_kept() ? 0 : 1;
}

}  // namespace

void AddExploreCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<ExploreFlags>();
  CLI::App* command = program.add_subcommand(
      "explore", "Compare promises: loss, accuracy and risk for several k and l side by side");
  command->add_option("POLICY", flags->policy, "The policy file")->required();
  CLI::Option* k = command->add_option("--k", flags->k,
                                       "Which k, with commas between them (default: the policy's)");
  CLI::Option* l = command->add_option("--l", flags->l,
                                       "Which l, with commas between them (default: the policy's)");
  command->add_option("-i,--input", flags->input, "The data (default: the policy's input)");
  command->add_option("-o,--output", flags->options.directory,
                      "The directory for explore.csv, .json, .md and .svg (default: print only)");
  command
      ->add_option("--queries", flags->options.query_count,
                   "How many counts are asked of each setting (default: 1000)")
      ->check(WholeNumber(1, 1'000'000));
  command
      ->add_option("--trials", flags->options.trials,
                   "How many people the adversary looks for; 0 is everybody")
      ->check(WholeNumber(0));
  command
      ->add_option("--seed", flags->options.seed,
                   "Of the runs, the queries and the victims (default: 1)")
      ->check(WholeNumber(0));
  command->add_option("--threads", flags->options.threads, "Threads (default: all)")
      ->check(WholeNumber(1, 1024));
  AddMaxMemory(*command, flags->max_memory);
  command->add_flag("--json", flags->json, "Print the result as JSON");
  command->add_flag("--quiet", flags->quiet, "Print nothing but errors");
  command->add_flag("--show-values", invocation.show_values,
                    "Let an error quote the value it is about");
  command->footer(
      "\nEvery k is tried with every l. A * marks the settings that no other one beats: none\n"
      "promises at least as much and loses no more. Nothing is published.\n"
      "\nExample:\n  thicket explore policy.yaml --k 2,3,5,10 --l 2,3 -o results\n");
  command->callback([flags, &invocation, k, l] {
    const bool has_k = k->count() > 0;
    const bool has_l = l->count() > 0;
    invocation.run = [flags, has_k, has_l] { return RunExplore(*flags, has_k, has_l); };
  });
}

}  // namespace thicket
