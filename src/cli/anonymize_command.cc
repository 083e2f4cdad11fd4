#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/thicket.h"

namespace thicket {

namespace {

struct AnonymizeFlags {
  std::string policy;
  Paths paths;
  RunOptions options;
  bool quiet = false;
  bool json = false;
  uint64_t max_memory = 0;
};

Result<int> RunAnonymize(const AnonymizeFlags& flags) {
  if (flags.paths.output.empty() && flags.paths.into.empty()) {
    return Error{ErrorCode::kUsage,
                 "anonymize: the published data must go somewhere, but -o and --into are missing",
                 "give -o PATH, or --into SCHEMA for a PostgreSQL server", ""};
  }
  const bool to_stdout = flags.paths.output == "-";
  if (to_stdout && flags.json) {
    return Error{ErrorCode::kUsage,
                 "--json and -o - both write to standard output, but only one can",
                 "give -o a file, or --report a file for the JSON", ""};
  }
  CommandProgress progress(flags.quiet, flags.max_memory);
  RunOptions options = flags.options;
  options.peak_memory = PeakMemory;
  THICKET_ASSIGN(const LoadedPolicy policy, LoadPolicy(flags.policy, &progress));
  THICKET_ASSIGN(const Report report,
                 progress.WithWarnings(AnonymizeFile(policy, flags.paths, options, progress)));
  PrintWarnings(report.warnings, flags.quiet);
  const std::string where =
      flags.paths.into.empty() ? flags.paths.output : "schema " + flags.paths.into;
  const std::string done = where + " is published all the same";
  if (flags.json) {
    THICKET_TRY(Print(report.ToJson(), done));
  } else if (!flags.quiet && !to_stdout) {
    THICKET_TRY(Print("Published " + where +
                          (report.output.replaced ? ", in place of what was there\n" : "\n") +
                          report.ToText(),
                      done));
  }
  return 0;
}

}  // namespace

void AddAnonymizeCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<AnonymizeFlags>();
  CLI::App* command =
      program.add_subcommand("anonymize", "Read, anonymize, verify, publish; print a summary");
  command->add_option("POLICY", flags->policy, "The policy file")->required();
  command->add_option("-i,--input", flags->paths.input,
                      "Data to read instead of the policy's; - is standard input");
  command->add_option("-o,--output", flags->paths.output,
                      "Where to publish: a file (- is standard output), or a folder for tables");
  command->add_option("--into", flags->paths.into,
                      "PostgreSQL: the new schema to publish into, on the server of the data");
  command->add_option("--report", flags->paths.report, "A private file for the report, as JSON");
  command->add_option("--link", flags->paths.link,
                      "A private file that says which original record each published one is");
  command->add_option("--seed", flags->options.seed, "Reproduce a run to the byte")
      ->check(WholeNumber(0));
  command
      ->add_option("--threads", flags->options.threads,
                   "How many threads; 0 is as many as it may use")
      ->check(WholeNumber(0, 1024));
  AddMaxMemory(*command, flags->max_memory);
  command->add_flag("--with-class", flags->options.with_class,
                    "Add the number of its class to each record (_class)");
  command->add_flag("--exhaustive", flags->options.exhaustive,
                    "Compare every pair of records: slow, same output");
  command->add_flag("--quiet", flags->quiet, "No summary, no warnings, no progress");
  command->add_flag("--json", flags->json, "Print the report as JSON");
  command->add_flag("--show-values", invocation.show_values,
                    "Let an error quote the value it is about");
  command->footer(
      "\nExample:\n  thicket anonymize students/policy.yaml -o published.jsonl --report "
      "report.json\n");
  command->callback(
      [flags, &invocation] { invocation.run = [flags] { return RunAnonymize(*flags); }; });
}

}  // namespace thicket
