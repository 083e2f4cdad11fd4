// Improves a finished grouping: moves and swaps records between classes, and opens the worst classes again.
//
// Not from the papers. In each round the classes are split at random into parts of classes that are near each other
// (grouping/neighbourhoods.h), and each part is improved by itself (grouping/part_refiner.h): classes that are large enough for two are
// split, in tables neighbours are put together and divided anew and new classes are gathered from what others can spare, records
// move out of classes that can spare one and into classes where a suppressed record fits, all classes give out one record each and
// take them back at the least total loss, and now and then classes are dissolved. Rounds end when twenty of them lower the loss by less
// than a three-thousandth, and after `rounds`; then every class is built once more, in many orders of its members. Where the whole is one
// part, the first rounds are warm: exchanges may lose a little, less in each round, and the best that was seen is remembered (1,000
// trees, l = 3 to 5, after agglomerate: college-years lose 0.4 to 0.9 % less by it, students 0.1 to 0.45 %, transcripts 0.15 % more, in
// up to 56 % more time).
// Costs are always weighted here, since that is what is lost. Suppressed records may come back, whatever `leftovers` says.
//
// For each class and round: `part_size` bounds of similarities and up to `chances` comparisons of trees, so a round is O(n).
//
// The loss is never more than before, the promise is kept at every step, and the result is a function of the data
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
  // How many rounds there are at most.
  int rounds = 2000;
  // How many classes are improved together.
  size_t part_size = 256;
  // Up to so many trees are one part, whatever its size: who has a chance in a hole is then looked for among all, and once.
  size_t one_part = 2000;
  // In how many first rounds of such a part classes of three and more may lose a little by an exchange.
  int warm_rounds = 80;
  // How many records are compared with a hole, in each round. 0: nothing is exchanged, and records only move.
  size_t chances = 64;
  // Whether every class is built once more in the end, in many orders of its members.
  bool pair_again = true;
  // Forgets after each round what records are worth in holes: slow, for tests.
  bool forgetful = false;
};

Result<Grouping> Refine(const EncodedDataset& data, Grouping grouping, const RefineOptions& options,
                        Parallel& parallel, Progress& progress);

}  // namespace thicket
