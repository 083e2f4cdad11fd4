// What is true of which records under a cut: labels, relations, and what is absent, as bitmaps.
//
//   FactIndex index(items, shapes, rows, label_of, broken, {.general = true, .relations = true});
//
// Nodes are the published labels and, with `general`, all items above them: whoever knows that a person bought something, or
// nothing, of a kind knows something about labels of that kind. A record is a set of facts about nodes: see fact_check.h.
//
// O(rows * labels^2 of a record), and as many bitmaps as pairs of nodes that are related anywhere.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cutting/fact_rows.h"
#include "cutting/item_hierarchy.h"
#include "cutting/label_tree.h"
#include "cutting/shape_set.h"
#include "cutting/shapes.h"

namespace thicket {

class FactIndex {
 public:
  struct Options {
    bool general = false;
    bool relations = false;
  };

  // `label_of`: as in Cut. `rows` are of the same shapes, and must outlive the index.
  FactIndex(const ItemHierarchy& items, const Shapes& shapes, const FactRows& rows,
            const std::vector<Item>& label_of, const BrokenRelations& broken,
            const Options& options);

  const FactRows& rows() const { return *rows_; }
  // Labels come first.
  uint32_t nodes() const { return static_cast<uint32_t>(items_of_nodes_.size()); }
  uint32_t labels() const { return labels_; }
  Item item(uint32_t node) const { return items_of_nodes_[node]; }
  // Who shows anything at or below the node; of a label, who shows it.
  const ShapeSet& present(uint32_t node) const { return present_[node]; }
  // Whether some record shows two labels below the node. Otherwise those who show one are those who show this label or that
  // one, nobody twice: what no label's group is too many of, the node's group is not.
  bool overlaps(uint32_t node) const { return overlaps_[node] != 0; }
  // In whom anything at or below the one stands above anything at or below the other; nothing where it does in nobody, and for
  // nodes of the record's root: below them is everything that the record has.
  const ShapeSet* over(uint32_t upper, uint32_t lower) const {
    const auto found = over_.find(uint64_t{upper} << 32 | lower);
    return found == over_.end() ? nullptr : &found->second;
  }

 private:
  void NameNodes(const std::vector<Item>& label_of, bool general);
  void Add(uint32_t shape, const LabelTree& tree, bool relations);
  void AddRows(uint32_t shape, ShapeSet& set) const;

  const ItemHierarchy* items_;
  const FactRows* rows_;
  std::vector<Item> items_of_nodes_;
  uint32_t labels_ = 0;
  // By label: its node and those above it.
  std::vector<std::vector<uint32_t>> chain_;
  // By item.
  std::vector<uint32_t> node_of_;
  std::vector<ShapeSet> present_;
  std::vector<uint8_t> overlaps_;
  std::unordered_map<uint64_t, ShapeSet> over_;
  std::vector<uint32_t> shown_;
  std::vector<uint32_t> by_;
};

}  // namespace thicket
