// Improves a finished grouping: moves and swaps records between classes, and opens the worst classes again.
//
// Not from the papers. Each round splits classes that are large enough for two, moves records out of classes that can spare
// one and into classes where a suppressed record fits, and lets blocks of 128 classes that are near each other give out one
// record each and take them back at the least total loss (grouping/refine_exchange.h). Rounds end when five of them lower
// the loss by less than a thousandth, and after 24. A round compares at most 16 trees per class, after O(n) bounds each.
// Costs are always weighted here, since that is what is lost. Suppressed records may come back, whatever `leftovers` says.
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
};

Result<Grouping> Refine(const EncodedDataset& data, Grouping grouping, const RefineOptions& options,
                        Parallel& parallel, Progress& progress);

}  // namespace thicket
