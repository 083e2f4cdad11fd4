// What a record tells under a cut: its labels, which of them are related, and the sensitive values at each of them.
//
//   KnowledgeReader reader(items, encoded, recoded);
//   for (RecordId record = 0; ...) Use(reader.Read(record));      // with sensitive values, record by record
//   ReadTree(tree, known);                                        // without, from a label tree
//
// A vertex holds its own sensitive values and those of vertices below it that show no label; a missing one is no value.
// O(vertices * labels of a record).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cutting/item_hierarchy.h"
#include "cutting/label_tree.h"
#include "record/recoded.h"

namespace thicket {

// A sensitive attribute, numbered over all classes, and one of its buckets.
using Secret = std::pair<uint32_t, uint32_t>;

struct RecordKnowledge {
  // The first place stands for the record itself, and holds kRecord. Then each label once.
  static constexpr Item kRecord = ~Item{0};
  std::vector<Item> labels;
  // Places of an upper and a lower label; some may be there twice.
  std::vector<std::pair<uint32_t, uint32_t>> over;
  // By place: the buckets of vertices that show the label; some may be there twice.
  std::vector<std::vector<Secret>> secrets;

  void Clear();
  // The place of a label, a new one if need be.
  uint32_t PlaceOf(Item label);
};

void ReadTree(const LabelTree& tree, RecordKnowledge& known);

class KnowledgeReader {
 public:
  // Everything given must outlive it.
  KnowledgeReader(const ItemHierarchy& items, const EncodedDataset& data, const Recoded& recoded);
  // Valid until the next call.
  const RecordKnowledge& Read(RecordId record);

 private:
  // An open vertex: where it ends, the places of labels on its path, and those that it shows (the root's are it itself).
  struct Open {
    uint32_t end;
    std::vector<uint32_t> path;
    std::vector<uint32_t> shown;
  };
  void AddSecrets(uint32_t vertex, uint32_t place);

  const ItemHierarchy& items_;
  const EncodedDataset& data_;
  const Recoded& recoded_;
  std::vector<uint32_t> first_secret_;
  std::vector<Open> open_;
  RecordKnowledge known_;
};

}  // namespace thicket
