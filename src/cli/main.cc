#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/thicket.h"

namespace {

constexpr char kDescription[] =
    "Thicket hides every tree in a thicket of look-alikes: it publishes personal records that are\n"
    "shaped like trees (JSON, XML, tables joined by keys) or rows (CSV) so that nobody can tell\n"
    "whose record is whose.\n";

constexpr char kFooter[] =
    "\nA first run:\n"
    "  thicket generate students -n 1000 -o students\n"
    "  thicket anonymize students/policy.yaml -o published.jsonl\n"
    "  thicket verify students/policy.yaml published.jsonl --original students/students.jsonl\n"
    "\nExit status: 0 done and the promise holds; 1 the promise does not hold or could not be "
    "kept;\n"
    "2 wrong usage or policy; 3 bad input data; 4 a file or database failed; 130 interrupted.\n";

std::string Suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& otherwise) {
  const auto nearest = thicket::Nearest(word, known);
  return nearest ? "did you mean " + *nearest + "?" : otherwise;
}

// The command that was chosen, as far as the line was understood.
const CLI::App* Chosen(const CLI::App& program) {
  const CLI::App* chosen = &program;
  while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().front();
  return chosen;
}

std::string CommandLine(const CLI::App* command) {
  std::string line = command->get_name();
  for (const CLI::App* above = command->get_parent(); above != nullptr;
       above = above->get_parent()) {
    line = above->get_name() + " " + line;
  }
  return line;
}

// A word behind all that the command takes.
thicket::Error TooMany(const CLI::App& command, const std::string& line, const std::string& word) {
  std::string takes;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) takes += " " + option->get_name(true);
  }
  std::string hint = "run it once for each, and see " + line + " --help";
  if (takes.empty()) {
    takes = " flags only";
    hint = "see " + line + " --help";
  } else if (command.get_name() == "anonymize" || command.get_name() == "convert") {
    hint = "to read " + word + " instead of the policy's data: -i " + word;
  } else if (command.get_name() == "init") {
    hint = "give one file, or one folder with the tables that belong together";
  } else if (takes.find("PUBLISHED") != std::string::npos) {
    hint = "the original goes behind --original; published files are looked at one by one";
  }
  return {thicket::ErrorCode::kUsage, line + " takes" + takes + ", but '" + word + "' is one more",
          hint, ""};
}

// What the user wrote that no command or flag is called, with the nearest that is.
thicket::Error Explain(const CLI::App& program, const CLI::ParseError& error, int argc,
                       char** argv) {
  const CLI::App* command = Chosen(program);
  const std::string line = CommandLine(command);
  const std::string help = "see " + line + " --help";
  std::vector<std::string> subcommands;
  for (const CLI::App* subcommand :
       command->get_subcommands([](const CLI::App*) { return true; })) {
    subcommands.push_back(subcommand->get_name());
  }
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!subcommands.empty()) {
    size_t depth = 0;
    for (const CLI::App* above = command; above->get_parent() != nullptr;
         above = above->get_parent())
      ++depth;
    if (words.size() <= depth) {
      return {thicket::ErrorCode::kUsage, line + " needs a command, but none is given", help, ""};
    }
    return {thicket::ErrorCode::kUsage,
            "'" + words[depth] + "' must be a command of " + line + ", but is none",
            Suggestion(words[depth], subcommands, help), ""};
  }
  const std::vector<std::string> extra = command->remaining(true);
  if (!extra.empty()) {
    std::vector<std::string> flags;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    }
    // Words that follow an unknown flag may be its value; the flag itself is what is wrong.
    const auto flag = std::find_if(extra.begin(), extra.end(),
                                   [](const std::string& word) { return word.rfind('-', 0) == 0; });
    if (flag == extra.end()) return TooMany(*command, line, extra.front());
    const std::string& word = *flag;
    return {thicket::ErrorCode::kUsage, "'" + word + "' is not known to " + line,
            Suggestion(word, flags, help), ""};
  }
  return {thicket::ErrorCode::kUsage, command->get_name() + ": " + error.what(), help, ""};
}

int Run(int argc, char** argv) {
  CLI::App program(kDescription, "thicket");
  program.footer(kFooter);
  program.set_version_flag("--version", "thicket " + std::string(thicket::Version()));
  program.require_subcommand(1);
  program.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);

  thicket::Invocation invocation;
  thicket::AddInitCommand(program, invocation);
  thicket::AddPlanCommand(program, invocation);
  thicket::AddExploreCommand(program, invocation);
  thicket::AddAnonymizeCommand(program, invocation);
  thicket::AddAssessCommands(program, invocation);
  thicket::AddConvertCommand(program, invocation);
  thicket::AddGenerateCommand(program, invocation);
  thicket::AddExperimentCommand(program, invocation);
  thicket::AddLevelsCommand(program, invocation);
  thicket::AddTaxonomyCommand(program, invocation);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    return thicket::Complain(Explain(program, error, argc, argv), false);
  }
  const thicket::Result<int> status = [&]() -> thicket::Result<int> {
    try {
      return invocation.run();
    } catch (const thicket::StopRequest&) {
      return thicket::Interrupted();
    } catch (const thicket::WorkFailure& failure) {
      return failure.error;
    }
  }();
  return status.ok() ? *status : thicket::Complain(status.error(), invocation.show_values);
}

}  // namespace

int main(int argc, char** argv) {
  if (!thicket::OccupyStandardStreams()) {
    std::fputs("thicket: /dev/null: cannot be opened in place of a standard stream\n", stderr);
    return 4;
  }
  try {
    return Run(argc, argv);
  } catch (const std::bad_alloc&) {
    // Not "nothing was written": the output may have been whole already when its summary found no memory.
    std::fputs(
        "thicket: out of memory\n"
        "  free some, or use a machine with more; an output is whole where it is there at all\n",
        stderr);
    return 4;
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "thicket: unexpected failure (%s)\n"
                 "  this is a defect of thicket; please report it\n",
                 error.what());
    return 4;
  }
}
