// The subcommands. Each adds its flags to the program and leaves behind what is to be done if it is chosen.
//
// Adding a command is one function here and one file.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace thicket {

// What the user asked for; returns the exit status of a run that did not fail.
struct Invocation {
  std::function<Result<int>()> run;
  bool show_values = false;
};

void AddAnonymizeCommand(CLI::App& program, Invocation& invocation);
void AddAssessCommands(CLI::App& program, Invocation& invocation);  // verify, evaluate, attack
void AddGenerateCommand(CLI::App& program, Invocation& invocation);
void AddInitCommand(CLI::App& program, Invocation& invocation);
void AddTaxonomyCommand(CLI::App& program, Invocation& invocation);

}  // namespace thicket
