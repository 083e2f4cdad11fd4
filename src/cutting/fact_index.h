// What is true of which records under a cut: labels, relations, what is absent, and sensitive values, as bitmaps.
//
//   FactIndex index = FactIndex::OfShapes(items, shapes, label_of, broken, negative);
//   FactIndex index = FactIndex::OfRecords(items, data, recoded, label_of, negative);    // with sensitive values
//
// Nodes are the published labels and, with `negative`, all items above them: whoever knows that a person bought nothing of a
// kind knows something about labels of that kind. A record is a set of facts about nodes: see fact_check.h.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cutting/item_hierarchy.h"
#include "cutting/record_knowledge.h"
#include "cutting/shape_set.h"
#include "cutting/shapes.h"

namespace thicket {

class FactIndex {
 public:
  // `label_of`: as in Cut.
  static FactIndex OfShapes(const ItemHierarchy& items, const Shapes& shapes,
                            const std::vector<Item>& label_of, const BrokenRelations& broken,
                            bool negative);
  static FactIndex OfRecords(const ItemHierarchy& items, const EncodedDataset& data,
                             const Recoded& recoded, const std::vector<Item>& label_of,
                             bool negative);

  // Equal records count once, with a weight.
  size_t records() const { return weight_.size(); }
  uint32_t weight(size_t record) const { return weight_[record]; }
  // Labels come first.
  uint32_t nodes() const { return static_cast<uint32_t>(items_of_nodes_.size()); }
  uint32_t labels() const { return labels_; }
  Item item(uint32_t node) const { return items_of_nodes_[node]; }
  // Who shows anything at or below the node; of a label, who shows it.
  const ShapeSet& present(uint32_t node) const { return present_[node]; }
  // In whom a label stands above anything at or below a node. Empty words where it does in nobody.
  const ShapeSet& over(uint32_t label, uint32_t node) const {
    return over_[size_t{label} * nodes() + node];
  }
  // By sensitive value: who has it at vertices that show the label; at the record itself for nodes().
  const std::vector<ShapeSet>& secrets(uint32_t label) const { return secrets_[label]; }

 private:
  FactIndex(const ItemHierarchy& items, const std::vector<Item>& label_of, size_t records,
            bool negative);
  void Add(uint32_t record, uint32_t weight, const RecordKnowledge& known);
  // Says what is true of nodes above labels, once all records are there.
  void Finish();
  void AddTo(ShapeSet& set, uint32_t record) const;
  void Unite(const ShapeSet& from, ShapeSet& into) const;

  const ItemHierarchy* items_;
  std::vector<uint32_t> weight_;
  std::vector<Item> items_of_nodes_;
  uint32_t labels_ = 0;
  // By item.
  std::vector<uint32_t> node_of_;
  std::vector<ShapeSet> present_;
  std::vector<ShapeSet> over_;
  std::map<Secret, size_t> number_of_secret_;
  std::vector<std::vector<ShapeSet>> secrets_;
  std::vector<uint32_t> node_at_;
};

}  // namespace thicket
