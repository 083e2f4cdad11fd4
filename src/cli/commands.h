// The subcommands. Each adds its flags to the program and leaves behind what is to be done if it is chosen.
//
// Adding a command is one function here and one file.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "base/result.h"

namespace thicket {

// What the user asked for; returns the exit status of a run that did not fail.
struct Invocation {
  std::function<Result<int>()> run;
  bool show_values = false;
};

// For a flag that takes a whole number of this range.
CLI::Validator WholeNumber(uint64_t least, uint64_t most = std::numeric_limits<uint64_t>::max());

// The flag --max-memory, which every command has; 0 if it is not given.
void AddMaxMemory(CLI::App& command, uint64_t& bytes);

void AddAnonymizeCommand(CLI::App& program, Invocation& invocation);
void AddAssessCommands(CLI::App& program, Invocation& invocation);  // verify, evaluate, attack
void AddConvertCommand(CLI::App& program, Invocation& invocation);
void AddExperimentCommand(CLI::App& program, Invocation& invocation);
void AddExploreCommand(CLI::App& program, Invocation& invocation);
void AddGenerateCommand(CLI::App& program, Invocation& invocation);
void AddInitCommand(CLI::App& program, Invocation& invocation);
void AddLevelsCommand(CLI::App& program, Invocation& invocation);
void AddPlanCommand(CLI::App& program, Invocation& invocation);
void AddTaxonomyCommand(CLI::App& program, Invocation& invocation);

}  // namespace thicket
