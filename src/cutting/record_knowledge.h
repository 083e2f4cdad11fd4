// What a published record tells: its labels, which of them are related, and the sensitive values at each of them.
//
//   for (const RecordKnowledge& known : ReadKnowledge(items, encoded, recoded)) ...
//
// A vertex holds its own sensitive values and those of vertices below it that show no label; a missing one is no value.
// O(vertices * labels of a record).
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "cutting/item_hierarchy.h"
#include "record/recoded.h"

namespace thicket {

// A sensitive attribute, numbered over all classes, and one of its buckets.
using Secret = std::pair<uint32_t, uint32_t>;

struct RecordKnowledge {
  // The first place stands for the record itself, and holds kRecord.
  static constexpr Item kRecord = ~Item{0};
  std::vector<Item> labels;
  // By two places.
  std::vector<std::vector<bool>> related;
  // By place: the buckets of vertices that show the label.
  std::vector<std::set<Secret>> secrets;
};

// By record.
std::vector<RecordKnowledge> ReadKnowledge(const ItemHierarchy& items, const EncodedDataset& data,
                                           const Recoded& recoded);

}  // namespace thicket
