// Sets generalized record by record until each is published like k - 1 others: LG, the top-down local generalization of
// He and Naughton 2009 for transaction k-anonymity, the rival of OG in Section 4.5 of Liu 2010.
//
//   const LgAnswer answer = GeneralizeLocally(sets, k, {}, progress);
//   for (const Item label : answer.sets[answer.set_of_record[record]]) ...
//
// Begins with all records as one part that shows the root. A part is split by one of its labels: records go by which of
// the label's children they have something below, and show these instead. Of all labels the one is split that saves
// most, in NCP. Records that too few others go with stay behind with the label as it was, at least k of them: if they
// are fewer, others that can be spared stay with them, those first that lose least. A label that cannot be split so is
// left alone in that part. Where no label can be split, the part is published.
//
// Records may have owners: records of one owner do not hide each other, and a part has k different owners.
//
// So Beer may stand in one record and Liquor in another, though never both in one. Sensitive items are no part of this:
// they are published as they are. Records without items are alike, and are left out if there are fewer than k.
//
// A pass over a part's items for each split: O(occurrences * splits on the way to a part). At any time what there is is
// an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "cutting/sets/item_sets.h"

namespace thicket {

struct LgOptions {
  // After so many seconds the parts that there are are published.
  std::optional<double> limit_s = std::nullopt;
  // By record: whose it is, in small numbers. Empty: everybody has one.
  std::span<const uint32_t> owners = {};
};

struct LgAnswer {
  static constexpr uint32_t kLeftOut = ~uint32_t{0};

  // Whether there are k records (or owners of records) with items, or none with any.
  bool is_feasible = false;
  // What is published, each set once: items of the database's forest, ascending.
  std::vector<std::vector<Item>> sets = {};
  // By record: its set, or kLeftOut.
  std::vector<uint32_t> set_of_record = {};
  // By record: its part, or kLeftOut; parts may show the same set.
  std::vector<uint32_t> part_of_record = {};
  uint64_t parts = 0;
  uint64_t left_out = 0;
  // In the units of ItemSets::SumCosts, over all occurrences.
  ItemSets::Cost cost = 0;
  bool stopped_early = false;
  // How often a part was split, and how many splits were weighed.
  uint64_t splits = 0;
  uint64_t weighed = 0;
};

// The forest has one root. A StopPoint() (base/stop.h) is at each part.
LgAnswer GeneralizeLocally(const ItemSets& sets, uint64_t k, const LgOptions& options,
                           Progress& progress);

}  // namespace thicket
