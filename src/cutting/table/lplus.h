// The best cut of a table, with the proof: l+-Optimize (Algorithm 3.1 of Liu 2010).
//
//   const TableTask task(table, goal);
//   const TableAnswer answer = FindBestTableCuts(task, {.alpha = 0}, parallel, progress);
//   if (answer.proof == BestCuts::Proof::kInfeasible) ...          // no cut is valid: only with k, or with kNone
//   Publish(answer.cuts.front().labels);
//
// Labels are items of the table's forest. Of values that do not occur a cut shows the highest: cuts that differ in nothing
// else publish the same, and count as one.
#pragma once

#include <cstdint>
#include <optional>

#include "base/parallel.h"
#include "base/progress.h"
#include "cutting/branch_and_bound.h"
#include "cutting/table/cut_judge.h"

namespace thicket {

struct LplusOptions {
  // As in BranchAndBoundOptions.
  double alpha = 0;
  std::optional<double> limit_s = std::nullopt;
  std::optional<uint64_t> limit_cuts = std::nullopt;
  // How many best cuts are asked for, at least 1.
  size_t top_h = 1;
  // Sections 3.4.1 and 3.4.2. Without them the answer costs the same, and more work.
  bool by_weight = true;
  bool tighten = true;
  // What goes beyond the thesis: a first answer by descent, and values that are locked because specializing them cannot
  // pay. Without it the answer costs the same, and much more work.
  bool probe = true;
  // The same of all attributes at once (joint_bound.h).
  bool joint = true;
};

struct TableAnswer {
  // Labels are those of the table's forest; see BestCuts for the rest. The cheapest first.
  BestCuts best;
  // Of all cuts of the table's forest; counted, not visited.
  double all_cuts = 0;

  // The share of cuts that were not looked at.
  double Pruned() const {
    return all_cuts > 0 ? 1 - static_cast<double>(best.examined) / all_cuts : 0;
  }
};

// A StopPoint() (base/stop.h) is at each cut; `progress` advances by cuts.
TableAnswer FindBestTableCuts(const TableTask& task, const LplusOptions& options,
                              Parallel& parallel, Progress& progress);

}  // namespace thicket
