// A paper's experiment, run again: a sweep over a parameter or the number of records, every method on the same data,
// measured and set beside what the paper reports.
//
//   ExperimentOptions options;
//   options.directory = "results";
//   THICKET_ASSIGN(ExperimentText text, RunExperiment("ozalp-s", options, progress));
//   // results/ozalp-s.csv, .md and .svg, as in `text`
//
//   THICKET_ASSIGN(ExperimentText own, RunExperiment("liu-sets-loss", policy, std::move(records), {}, progress));
//
// Data is generated from the seed in memory, or comes from the caller, and is encoded once. For every setting the method
// runs, its output is written and read back in memory and must keep its promise, and then it is measured as `evaluate`
// does. Everything but the times is the same on any machine and any number of threads. Experiments are rows of a table,
// experiment/experiment_table.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/records.h"
#include "engine/thicket.h"

namespace thicket {

struct ExperimentOptions {
  // How many records, or how many at most in a sweep over them; without it as many as in the paper, or fewer where that
  // takes long (docs/experiments.md).
  std::optional<uint64_t> records;
  uint64_t seed = 1;
  // 0: as many as the process may use.
  int threads = 0;
  // Where the files go, created if it is missing; empty: nowhere.
  std::string directory;
  // A policy file whose data takes the place of what is generated, for experiments that say so (docs/experiments.md); empty: none.
  // Not with `records`.
  std::string policy = {};
};

std::vector<std::string> ExperimentNames();

// One sentence, for --help; empty for an unknown name.
std::string_view ExperimentSummary(std::string_view name);

// What the files of `directory` hold.
struct ExperimentText {
  std::string csv;
  std::string markdown;
  std::string svg;
};

// The files appear when all of them are complete. An unknown name is a kUsage error.
Result<ExperimentText> RunExperiment(std::string_view name, const ExperimentOptions& options,
                                     Progress& progress);
// On original records in memory, for the experiments that take a policy: `options` names neither a policy nor a number of records.
// Bags are as they are, so session gaps are not varied. Records that the caller has no other copy of (std::move) are not copied.
Result<ExperimentText> RunExperiment(std::string_view name, const LoadedPolicy& policy,
                                     RecordSet records, const ExperimentOptions& options,
                                     Progress& progress);

}  // namespace thicket
