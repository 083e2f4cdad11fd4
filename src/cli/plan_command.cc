#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/plan.h"

namespace thicket {

namespace {

struct PlanFlags {
  std::string policy;
  std::string input;
  PlanOptions options;
  bool json = false;
  uint64_t max_memory = 0;
};

Result<int> RunPlan(const PlanFlags& flags) {
  CommandProgress progress(false, flags.max_memory);
  THICKET_ASSIGN(const LoadedPolicy policy, LoadPolicy(flags.policy, &progress));
  THICKET_ASSIGN(const Plan plan,
                 progress.WithWarnings(PlanFile(policy, flags.input, flags.options, progress)));
  PrintWarnings(plan.warnings, false);
  THICKET_TRY(Print(flags.json ? plan.ToJson() : plan.ToText()));
  return 0;
}

}  // namespace

void AddPlanCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<PlanFlags>();
  CLI::App* command = program.add_subcommand(
      "plan", "Forecast a run: which l the data allows, what would be lost, and how long it takes");
  command->add_option("POLICY", flags->policy, "The policy file")->required();
  command->add_option("-i,--input", flags->input, "The data (default: the policy's input)");
  command->add_option("--seed", flags->options.seed, "Which records are tried (default: 1)")
      ->check(WholeNumber(0));
  command->add_option("--threads", flags->options.threads, "Threads (default: all)")
      ->check(WholeNumber(1, 1024));
  AddMaxMemory(*command, flags->max_memory);
  command->add_flag("--json", flags->json, "Print the result as JSON");
  command->add_flag("--show-values", invocation.show_values,
                    "Let an error quote the value it is about");
  command->footer(
      "\nNothing is published. Example:\n  thicket plan policy.yaml -i students.jsonl\n");
  command->callback([flags, &invocation] { invocation.run = [flags] { return RunPlan(*flags); }; });
}

}  // namespace thicket
