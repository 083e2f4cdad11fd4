// A good cut of a table by simulated annealing: the rival of l+-Optimize that stands for greedy searches (Section 3.6.2 of Liu
// 2010; Kirkpatrick et al. 1983).
//
//   const TableTask task(table, goal);
//   Random random = Random::Seeded(7);
//   const TableAnswer answer = FindCutsByAnnealing(task, {.limit_s = 10}, random, progress);
//
// Begins with the roots. A step takes a value of the cut at random and specializes it, or takes some whose siblings are
// values of the cut, too, and generalizes them; each of all such steps is as likely. A cut that is not valid is never gone to. One
// that costs less is, and one that costs more with a probability of exp(-more / temperature). The temperature falls
// evenly on a logarithmic scale from the mean rise of the first steps to a ten-thousandth of that.
//
// With kNone, and with too small classes under the schemes for values, nothing is valid if the roots are not: that is said.
// Otherwise nothing is proven of the answer. The same random numbers give the same answer, unless time ends the search.
// O(cells) for a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/progress.h"
#include "base/random.h"
#include "cutting/table/lplus.h"

namespace thicket {

struct AnnealingOptions {
  // So many steps are tried, fewer if time is over before; at least 1.
  uint64_t steps = 10'000;
  std::optional<double> limit_s = std::nullopt;
  // How many of the best cuts that were seen are asked for, at least 1.
  size_t top_h = 1;
};

// `best.proof` is kInfeasible, or kStopped with a bound of 0.
TableAnswer FindCutsByAnnealing(const TableTask& task, const AnnealingOptions& options,
                                Random& random, Progress& progress);

}  // namespace thicket
