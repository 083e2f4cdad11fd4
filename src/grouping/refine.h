// Improves a finished grouping: moves and swaps records between classes, and opens the worst classes again.
//
// Not from the papers. Each round splits classes that are large enough for two, moves records out of classes that can spare
// one and into classes where a suppressed record fits, and lets blocks of 512 classes that are near each other give out one
// record each and take them back at the least total loss (grouping/refine_exchange.h). Rounds end when twenty of them lower
// the loss by less than a thousandth, and after 200; then every class is built once more, in many orders of its members.
// Costs are always weighted here, since that is what is lost. Suppressed records may come back, whatever `leftovers` says.
//
// For each record and each class that it is in for a while: a bound of its similarity to every other record, and up to 128
// comparisons of trees, so O(n^2) bounds and O(n) comparisons. 2 KB of memory per record.
//
// The loss only ever falls, the promise is kept at every step, and the result is a function of the data
// and the options alone, unless limit_s stops it early.
//
//   THICKET_ASSIGN(Grouping better, Refine(encoded, std::move(grouping), options, parallel, progress));
#pragma once

#include <cstdint>
#include <optional>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "grouping/grouping.h"
#include "record/dataset.h"

namespace thicket {

struct RefineOptions {
  // How many records a class needs at least, and which vertices may stand together.
  int class_size = 2;
  DiversityRule rule;
  MergeOptions merge;
  // Stops after this many seconds with the best grouping so far.
  std::optional<double> limit_s;
  // Forgets after each round what records are worth in holes: slow, for tests.
  bool forgetful = false;
};

Result<Grouping> Refine(const EncodedDataset& data, Grouping grouping, const RefineOptions& options,
                        Parallel& parallel, Progress& progress);

}  // namespace thicket
