// Items of sets to leave out of all records so that the rest keeps KL(m,0)-privacy: MM, the suppression of Xu et al. 2008 for
// (h,k,p)-coherence, the rival of OG in Section 4.5 of Liu 2010.
//
//   const MmAnswer answer = FindSuppressedItems(sets, promise, {.limit_s = 60}, progress);
//   for (const Item leaf : answer.suppressed) ...         // left out of every record; all others are shown as they are
//
// By size, from one item to m: all threats of the size are found, and of the items in them the one that breaks most threats per occurrence
// is suppressed, until none is left. What has no threats of a size has none after further suppression, as far as
// items go, so each threat that is found is a minimal one.
//
// Departures from the paper: there threats of all sizes are broken at once, which needs all of them in memory. And coherence looks at
// combinations of published items only, while an adversary who knows a group ("some liquor") may learn a sensitive item
// that no single item tells (l > 1). Groups are looked at here as well, over and over, since suppression may make new
// threats of them: what is published keeps KL(m,0)-privacy, not only coherence. With l = 1 both are the same.
//
// There is always an answer, though it may suppress everything.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "cutting/sets/item_sets.h"
#include "cutting/sets/set_goal.h"

namespace thicket {

struct MmOptions {
  // After so many seconds all items are suppressed: what is left before the end is not valid.
  std::optional<double> limit_s = std::nullopt;
};

struct MmAnswer {
  // Leaves of the database's forest that occur, ascending.
  std::vector<Item> suppressed = {};
  // How many occurrences they have: each costs 1, as the root of the taxonomy does.
  uint64_t suppressed_occurrences = 0;
  bool stopped_early = false;
  // Threats that were found, and combinations that were counted.
  uint64_t threats = 0;
  uint64_t nodes = 0;
};

// n must be 0. A StopPoint() (base/stop.h) is at each combination.
MmAnswer FindSuppressedItems(const ItemSets& sets, const SetPromise& promise,
                             const MmOptions& options, Progress& progress);

}  // namespace thicket
