#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/convert.h"

namespace thicket {

namespace {

struct ConvertFlags {
  std::string policy;
  ConvertRequest request;
  bool quiet = false;
  uint64_t max_memory = 0;
};

Result<int> RunConvert(const ConvertFlags& flags) {
  const ConvertRequest& request = flags.request;
  CommandProgress progress(flags.quiet, flags.max_memory);
  THICKET_ASSIGN(const LoadedPolicy policy, LoadPolicy(flags.policy, &progress));
  THICKET_ASSIGN(const ConvertReport report,
                 progress.WithWarnings(ConvertFile(policy, request, progress)));
  PrintWarnings(report.warnings, flags.quiet);
  if (flags.quiet || request.output == "-") return 0;
  const std::string where = request.into.empty() ? request.output : "schema " + request.into;
  THICKET_TRY(Print(
      fmt::format("Wrote {} record{} ({} vertices) as {} to {}{}\n{}", WithCommas(report.records),
                  report.records == 1 ? "" : "s", WithCommas(report.vertices), request.to, where,
                  report.replaced ? ", in place of what was there" : "",
                  request.policy.empty()
                      ? "--policy FILE also writes the policy that describes it.\n"
                      : fmt::format("Wrote {}, the policy for it.\n", request.policy)),
      where + " is written all the same"));
  return 0;
}

}  // namespace

void AddConvertCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<ConvertFlags>();
  CLI::App* command = program.add_subcommand(
      "convert", "Bring a data set into another shape, unchanged and still private");
  command->add_option("POLICY", flags->policy, "The policy file")->required();
  command
      ->add_option("--to", flags->request.to,
                   "The format: jsonl, json, csv, xml, tables, sqlite or postgresql")
      ->required();
  command->add_option("-i,--input", flags->request.input, "Data to read instead of the policy's");
  command->add_option("-o,--output", flags->request.output,
                      "A file (- is standard output), a folder for tables, or the URL of a "
                      "PostgreSQL server");
  command->add_option("--into", flags->request.into, "PostgreSQL: the new schema");
  command->add_option("--policy", flags->request.policy,
                      "Also write the policy that describes the result");
  command->add_flag("--published", flags->request.published,
                    "The data was published with the policy: it has no identifiers, and is public");
  AddMaxMemory(*command, flags->max_memory);
  command->add_flag("--quiet", flags->quiet, "No summary, no warnings, no progress");
  command->add_flag("--show-values", invocation.show_values,
                    "Let an error quote the value it is about");
  command->footer(
      "\nExample:\n  thicket convert students/policy.yaml --to sqlite -o students.db --policy "
      "students-db.yaml\n");
  command->callback(
      [flags, &invocation] { invocation.run = [flags] { return RunConvert(*flags); }; });
}

}  // namespace thicket
