#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/levels.h"

namespace thicket {

namespace {

struct LevelsFlags {
  std::string policy;
  std::string input;
  bool json = false;
  uint64_t max_memory = 0;
};

Result<int> RunLevels(const LevelsFlags& flags, bool show_values) {
  CommandProgress progress(false, flags.max_memory);
  THICKET_ASSIGN(const LoadedPolicy policy, LoadPolicy(flags.policy, &progress));
  THICKET_ASSIGN(const LevelsReport report,
                 progress.WithWarnings(LevelsOfFile(policy, flags.input, progress)));
  PrintWarnings(report.warnings, false);
  THICKET_TRY(Print(flags.json ? report.ToJson(show_values) : report.ToText(show_values)));
  return 0;
}

}  // namespace

void AddLevelsCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<LevelsFlags>();
  CLI::App* command = program.add_subcommand(
      "levels", "Show how sensitive values fall into levels, and which k lets them be published");
  command->add_option("POLICY", flags->policy, "The policy file")->required();
  command->add_option("-i,--input", flags->input, "The data (default: the policy's input)");
  AddMaxMemory(*command, flags->max_memory);
  command->add_flag("--json", flags->json, "Print the result as JSON");
  command->add_flag("--show-values", invocation.show_values,
                    "List the values of each level, and let an error quote the value it is about");
  command->footer("\nExample:\n  thicket levels policy.yaml -i students.jsonl\n");
  command->callback([flags, &invocation] {
    invocation.run = [flags, &invocation] { return RunLevels(*flags, invocation.show_values); };
  });
}

}  // namespace thicket
