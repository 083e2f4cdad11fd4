// The database of sets of a data set whose records are a root with one class of leaves.
//
//   const DatasetSets found = SetsOf(encoded);
//   SetAnswer answer = FindOptimalCut(found.sets, ...);
//   for (const Item label : answer.best.cuts.front().labels) Show(found.labels.label(found.label_of_item[label]));
//
// Record r of the data set is record r of the database. Equal items of a record count once, and an item whose value is
// missing is left out. Sensitive values are left out of the taxonomy: they count among no group's leaves, nor does the
// missing value. A group below which only such values are is left out, too.
#pragma once

#include <cstdint>
#include <vector>

#include "cutting/sets/item_sets.h"
#include "record/dataset.h"
#include "record/label_space.h"

namespace thicket {

struct DatasetSets {
  // Items are those of these labels that may be generalized, in the same order.
  LabelSpace labels;
  ItemSets sets;
  // By item. Ascending.
  std::vector<LabelId> label_of_item;
  // By label: its item, or kNone.
  std::vector<Item> item_of_label;

  static constexpr Item kNone = ~Item{0};
};

// The only class below the root has one quasi-identifier, recoded by a taxonomy. Its sensitive items have their
// numbers from ClassEncoding::secret_of_value.
DatasetSets SetsOf(const EncodedDataset& data);

}  // namespace thicket
