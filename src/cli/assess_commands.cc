#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/assess.h"

namespace thicket {

namespace {

struct AssessFlags {
  std::string policy;
  std::string published;
  std::string original;
  std::string link;
  std::vector<std::string> metrics;
  EvaluateOptions evaluate;
  AttackRequest attack;
  bool quiet = false;
  bool json = false;
  uint64_t max_memory = 0;
};

template <typename ReportType>
Status Show(const ReportType& report, const AssessFlags& flags) {
  PrintWarnings(report.warnings, flags.quiet);
  if (flags.json) return Print(report.ToJson());
  return flags.quiet ? Status() : Print(report.ToText());
}

Result<int> RunVerify(const AssessFlags& flags) {
  CommandProgress progress(flags.quiet, flags.max_memory);
  THICKET_ASSIGN(const LoadedPolicy policy, LoadPolicy(flags.policy, &progress));
  THICKET_ASSIGN(const VerifyReport report,
                 progress.WithWarnings(VerifyFile(policy, flags.published, flags.original, progress,
                                                  /*threads=*/0, flags.link)));
  THICKET_TRY(Show(report, flags));
  return report.holds ? 0 : 1;
}

Result<std::string> OriginalOf(const LoadedPolicy& policy, const AssessFlags& flags) {
  const std::string path = flags.original.empty() ? policy.InputPath() : flags.original;
  if (!path.empty()) return path;
  return Error{ErrorCode::kUsage, "the original data is needed, but the policy names none",
               "give --original FILE", ""};
}

// The metrics that were named, or the usual ones.
Status ChooseMetrics(const LoadedPolicy& policy, AssessFlags& flags) {
  EvaluateOptions& options = flags.evaluate;
  const std::vector<std::pair<std::string, bool EvaluateOptions::*>> known = {
      {"lm", &EvaluateOptions::lm},        {"queries", &EvaluateOptions::queries},
      {"dm", &EvaluateOptions::dm},        {"dissimilarity", &EvaluateOptions::dissimilarity},
      {"rpd", &EvaluateOptions::rpd},      {"mining", &EvaluateOptions::mining},
      {"ncp", &EvaluateOptions::ncp},      {"patterns", &EvaluateOptions::patterns},
      {"blm", &EvaluateOptions::blm},      {"terms", &EvaluateOptions::terms},
      {"closed", &EvaluateOptions::closed}};
  const EvaluateOptions usual = UsualMetrics(policy, !flags.link.empty());
  for (const auto& [name, chosen] : known) options.*chosen = flags.metrics.empty() && usual.*chosen;
  for (const std::string& metric : flags.metrics) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const auto& entry) { return entry.first == metric; });
    if (found == known.end()) {
      return Error{ErrorCode::kUsage,
                   "--metrics: must be of lm, queries, dm, dissimilarity, rpd, mining, ncp, "
                   "patterns, blm, terms, closed, but one is '" +
                       metric + "'",
                   "", ""};
    }
    options.*(found->second) = true;
  }
  return {};
}

Result<int> RunEvaluate(AssessFlags& flags) {
  CommandProgress progress(flags.quiet, flags.max_memory);
  THICKET_ASSIGN(const LoadedPolicy policy, LoadPolicy(flags.policy, &progress));
  THICKET_TRY(ChooseMetrics(policy, flags));
  THICKET_ASSIGN(const std::string original, OriginalOf(policy, flags));
  THICKET_ASSIGN(const EvaluateReport report,
                 progress.WithWarnings(EvaluateFile(policy, flags.published, original,
                                                    flags.evaluate, progress, flags.link)));
  THICKET_TRY(Show(report, flags));
  return 0;
}

Result<int> RunAttack(const AssessFlags& flags) {
  CommandProgress progress(flags.quiet, flags.max_memory);
  THICKET_ASSIGN(const LoadedPolicy policy, LoadPolicy(flags.policy, &progress));
  THICKET_ASSIGN(const std::string original, OriginalOf(policy, flags));
  THICKET_ASSIGN(const AttackSummary report,
                 progress.WithWarnings(AttackFile(policy, flags.published, original, flags.attack,
                                                  progress, flags.link)));
  THICKET_TRY(Show(report, flags));
  return 0;
}

CLI::App* Add(CLI::App& program, Invocation& invocation, const std::string& name,
              const std::string& description, const std::shared_ptr<AssessFlags>& flags,
              Result<int> (*run)(AssessFlags&)) {
  CLI::App* command = program.add_subcommand(name, description);
  command->add_option("POLICY", flags->policy, "The policy file")->required();
  command->add_option("PUBLISHED", flags->published, "The published data")->required();
  AddMaxMemory(*command, flags->max_memory);
  command->add_flag("--json", flags->json, "Print the result as JSON");
  command->add_flag("--quiet", flags->quiet, "Print nothing but errors");
  command->add_flag("--show-values", invocation.show_values,
                    "Let an error quote the value it is about");
  command->callback(
      [flags, run, &invocation] { invocation.run = [flags, run] { return run(*flags); }; });
  return command;
}

}  // namespace

void AddAssessCommands(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<AssessFlags>();
  CLI::App* verify =
      Add(program, invocation, "verify", "Check the promise from the published data alone", flags,
          [](AssessFlags& f) { return RunVerify(f); });
  verify->add_option("--original", flags->original, "Also check that every record tells the truth");
  verify->add_option("--link", flags->link,
                     "The file that anonymize --link wrote: which original each record stands for");
  verify->footer(
      "\nExample:\n  thicket verify policy.yaml published.jsonl --original students.jsonl\n");

  CLI::App* evaluate =
      Add(program, invocation, "evaluate", "Measure how useful the published data still is", flags,
          [](AssessFlags& f) { return RunEvaluate(f); });
  evaluate->add_option("--original", flags->original,
                       "The original data (default: the policy's input)");
  evaluate
      ->add_option("--metrics", flags->metrics,
                   "Of lm, queries, dm, dissimilarity, rpd, mining; of sets also ncp, patterns; of "
                   "bags blm, terms, closed, dm")
      ->delimiter(',')
      ->allow_extra_args(false);
  evaluate->add_option("--queries", flags->evaluate.query_count, "How many random count queries")
      ->check(WholeNumber(1, 10'000'000));
  evaluate
      ->add_option("--support", flags->evaluate.support,
                   "Patterns: the least share of records that makes one frequent (default: 0.01)")
      ->check(CLI::Range(1e-6, 1.0));
  evaluate
      ->add_option("--patterns", flags->evaluate.closed_count,
                   "Closed: how many of the most frequent patterns (default: 1000)")
      ->check(WholeNumber(1, 1'000'000));
  evaluate->add_option("--link", flags->link,
                       "blm: the file that anonymize --link wrote, which says whose bag is whose");
  evaluate->add_option("--seed", flags->evaluate.seed, "Chooses the queries")
      ->check(WholeNumber(0));
  evaluate
      ->add_option("--threads", flags->evaluate.threads,
                   "How many threads; 0 is as many as it may use")
      ->check(WholeNumber(0, 1024));
  evaluate->footer(
      "\nExample:\n  thicket evaluate policy.yaml published.jsonl --original students.jsonl "
      "--queries 1000\n");

  CLI::App* attack = Add(program, invocation, "attack",
                         "Play the adversary against the original and the published data", flags,
                         [](AssessFlags& f) { return RunAttack(f); });
  attack->add_option("--original", flags->original,
                     "The original data (default: the policy's input)");
  attack->add_option("--link", flags->link,
                     "Bags: the file that anonymize --link wrote, which says whose bag is whose");
  attack
      ->add_option("--labels", flags->attack.labels,
                   "Also an adversary who knows M random labels of the victim")
      ->check(WholeNumber(1, 1000));
  attack
      ->add_option("--relations", flags->attack.relations,
                   "How many relations between them (one above the other on a path)")
      ->check(WholeNumber(0, 1000));
  attack
      ->add_option("--absent", flags->attack.absent,
                   "Sets: how many items that the victim does not have are known")
      ->check(WholeNumber(0, 1'000'000));
  attack->add_flag("--negative", flags->attack.negative,
                   "The adversary also knows what the victim does not have");
  attack->add_flag("--similar", flags->attack.similar,
                   "Also how surely the adversary knows how sensitive a value is, by its level");
  attack
      ->add_option("--trials", flags->attack.trials,
                   "How many victims; 0 is everybody, the default up to 65,536 records")
      ->check(WholeNumber(0));
  attack->add_option("--seed", flags->attack.seed, "Chooses victims and labels")
      ->check(WholeNumber(0));
  attack->footer(
      "\nExample:\n  thicket attack policy.yaml published.jsonl --original students.jsonl --labels "
      "3 --negative\n");
}

}  // namespace thicket
