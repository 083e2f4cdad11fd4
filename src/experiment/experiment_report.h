// What an experiment found, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "experiment/experiment_table.h"
#include "plot/plot.h"

namespace thicket {

struct ExperimentResult {
  // With its settings on the records that it ran on: what Experiment::On() made.
  const Experiment* experiment = nullptr;
  uint64_t seed = 0;
  // Whether the records are the user's and not generated.
  bool is_given = false;
  // By sweep, then x, then method. A search that did not come to an end is not among them.
  std::vector<Measured> measured;

  // The setting's measurement, or nothing.
  const Measured* Find(size_t sweep, double x, size_t method) const;
};

// One line per setting and method, everything that was measured; the paper's range is about the first measure.
std::string ToCsv(const ExperimentResult& result);
// One table per sweep and measure: methods by settings, and what the paper says.
std::string ToMarkdown(const ExperimentResult& result);
// One panel per sweep and measure.
Plot ToPlot(const ExperimentResult& result);

}  // namespace thicket
