// What is true of which records under a cut: labels, relations, and what is absent, as bitmaps.
//
//   FactIndex index(items, shapes, rows, label_of, broken, {.general = true, .relations = true});
//
// Nodes are the published labels and, with `general`, all items above them: whoever knows that a person bought something, or
// nothing, of a kind knows something about labels of that kind. A record is a set of facts about nodes: see fact_check.h.
//
// Where a cut was looked at already, a finer one need not be asked about facts that are the same: `fresh` labels come first, and
// sets of facts that name none of them can be left out.
//
// O(rows * labels^2 of a record), and as many bitmaps as pairs of nodes that are related anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "cutting/kmn/fact_rows.h"
#include "cutting/kmn/item_hierarchy.h"
#include "cutting/kmn/label_tree.h"
#include "cutting/kmn/shape_set.h"
#include "cutting/kmn/shapes.h"

namespace thicket {

class FactIndex {
 public:
  struct Options {
    bool general = false;
    bool relations = false;
    // Ascending; labels that a cut above does not have.
    std::span<const Item> fresh = {};
  };

  // `label_of`: as in Cut. `rows` are of the same shapes, and must outlive the index.
  FactIndex(const ItemHierarchy& items, const Shapes& shapes, const FactRows& rows,
            const std::vector<Item>& label_of, const BrokenRelations& broken,
            const Options& options);

  const FactRows& rows() const { return *rows_; }
  // Labels come first, and of these the fresh ones.
  uint32_t nodes() const { return static_cast<uint32_t>(items_of_nodes_.size()); }
  uint32_t labels() const { return labels_; }
  uint32_t fresh() const { return fresh_; }
  Item item(uint32_t node) const { return items_of_nodes_[node]; }
  // Who shows anything at or below the node; of a label, who shows it.
  const ShapeSet& present(uint32_t node) const { return present_[node]; }
  // Whether some record shows two labels below the node. Otherwise those who show one are those who show this label or that
  // one, nobody twice: what no label's group is too many of, the node's group is not.
  bool overlaps(uint32_t node) const { return overlaps_[node] != 0; }
  // In whom anything at or below the one stands above anything at or below the other; nothing where it does in nobody, and for
  // nodes of the record's root: below them is everything that the record has.
  const ShapeSet* over(uint32_t upper, uint32_t lower) const {
    const auto found = over_.find(Pair(upper, lower));
    return found == over_.end() ? nullptr : &found->second;
  }

 private:
  static uint64_t Pair(uint32_t upper, uint32_t lower) { return uint64_t{upper} << 32 | lower; }
  void NameNodes(const std::vector<Item>& label_of, const Options& options);
  void Add(uint32_t shape, const LabelTree& tree, bool relations);
  void AddRows(uint32_t shape, ShapeSet& set) const;
  // What is true of items above labels, once all shapes are there.
  void AddGeneral();
  // Whether a row is in both already.
  bool Unite(const ShapeSet& from, ShapeSet& into) const;

  const ItemHierarchy* items_;
  const FactRows* rows_;
  std::vector<Item> items_of_nodes_;
  uint32_t labels_ = 0;
  uint32_t fresh_ = 0;
  // By label: its node and those above it.
  std::vector<std::vector<uint32_t>> chain_;
  // By item.
  std::vector<uint32_t> node_of_;
  std::vector<ShapeSet> present_;
  std::vector<uint8_t> overlaps_;
  std::unordered_map<uint64_t, ShapeSet> over_;
  // Of the shape that is added: its labels, and pairs of an upper and a lower one.
  std::vector<uint32_t> shown_;
  std::vector<uint64_t> pairs_;
};

}  // namespace thicket
