#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "base/result.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/thicket.h"

namespace {

constexpr char kDescription[] =
    "Thicket hides every tree in a thicket of look-alikes: it publishes personal records that are\n"
    "shaped like trees (JSON) or rows (CSV) so that nobody can tell whose record is whose.\n";

constexpr char kFooter[] =
    "\nA first run:\n"
    "  thicket generate students -n 1000 -o students\n"
    "  thicket anonymize students/policy.yaml -o published.jsonl\n"
    "  thicket verify students/policy.yaml published.jsonl --original students/students.jsonl\n"
    "\nExit status: 0 done and the promise holds; 1 the promise does not hold or could not be "
    "kept;\n"
    "2 wrong usage or policy; 3 bad input data; 4 a file failed; 130 interrupted.\n";

int Run(int argc, char** argv) {
  CLI::App program(kDescription, "thicket");
  program.footer(kFooter);
  program.set_version_flag("--version", "thicket " + std::string(thicket::Version()));
  program.require_subcommand(1);
  program.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);

  thicket::Invocation invocation;
  thicket::AddInitCommand(program, invocation);
  thicket::AddAnonymizeCommand(program, invocation);
  thicket::AddAssessCommands(program, invocation);
  thicket::AddGenerateCommand(program, invocation);
  thicket::AddTaxonomyCommand(program, invocation);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    return thicket::Complain({thicket::ErrorCode::kUsage, what, "see thicket --help", ""}, false);
  }
  const thicket::Result<int> status = invocation.run();
  return status.ok() ? *status : thicket::Complain(status.error(), invocation.show_values);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("thicket: out of memory; nothing was written\n", stderr);
    return 4;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "thicket: unexpected failure (%s); nothing was written\n", error.what());
    return 4;
  }
}
