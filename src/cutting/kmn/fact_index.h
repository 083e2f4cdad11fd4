// What is true of which records under a cut: labels, relations, and what is absent, as bitmaps.
//
//   FactIndex index(store, label_of, broken, {.relations = true});
//
// Nodes are the published labels and all items above them: whoever knows that a person bought something, or nothing, of
// a kind knows something about labels of that kind. A record is a set of facts about nodes: see fact_check.h.
//
// The facts themselves are the store's (fact_store.h), which is asked for those that it does not have yet. Broken
// relations are taken out of copies, in the records that have one of them. Where a cut was looked at already, a finer
// one need not be asked about facts that are the same: `fresh` labels come first, and sets of facts that name none of
// them can be left out.
//
// O(items + pairs of nodes), and the labels of the records in which a relation is broken.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "cutting/kmn/fact_rows.h"
#include "cutting/kmn/fact_store.h"
#include "cutting/kmn/item_hierarchy.h"
#include "cutting/kmn/label_tree.h"
#include "cutting/kmn/shape_set.h"

namespace thicket {

class FactIndex {
 public:
  struct Options {
    bool relations = false;
    // Ascending; labels that a cut above does not have.
    std::span<const Item> fresh = {};
  };

  // `label_of`: as in Cut. The store must outlive the index.
  FactIndex(FactStore& store, const std::vector<Item>& label_of, const BrokenRelations& broken,
            const Options& options);

  const FactRows& rows() const { return store_->rows(); }
  // Labels come first, and of these the fresh ones.
  uint32_t nodes() const { return static_cast<uint32_t>(items_of_nodes_.size()); }
  uint32_t labels() const { return labels_; }
  uint32_t fresh() const { return fresh_; }
  Item item(uint32_t node) const { return items_of_nodes_[node]; }
  // Who shows anything at or below the node; of a label, who shows it.
  const ShapeSet& present(uint32_t node) const { return store_->present(item(node)); }
  // Whether some record shows two labels below the node. Otherwise those who show one are those who show this label or
  // that one, nobody twice: what no label's group is too many of, the node's group is not.
  bool overlaps(uint32_t node) const { return overlaps_[node] != 0; }
  // In whom anything at or below the one stands above anything at or below the other; nothing where it does in nobody,
  // and for nodes of the record's root: below them is everything that the record has.
  const ShapeWords* over(uint32_t upper, uint32_t lower) const {
    return over_.empty() ? nullptr : over_[Pair(upper, lower)];
  }

 private:
  class Loss;

  static constexpr uint32_t kNoNode = ~uint32_t{0};

  size_t Pair(uint32_t upper, uint32_t lower) const { return size_t{upper} * nodes() + lower; }
  // And learns what the store does not know of them.
  void NameNodes(const std::vector<Item>& label_of, const Options& options);
  void FindOverlaps();
  void Relate();
  // Takes broken relations out.
  void Lose(const std::vector<Item>& label_of, const BrokenRelations& broken);

  FactStore* store_;
  const ItemHierarchy* items_;
  std::vector<Item> items_of_nodes_;
  uint32_t labels_ = 0;
  uint32_t fresh_ = 0;
  // By item; kNoNode for items below the cut and left-out ones.
  std::vector<uint32_t> node_of_;
  std::vector<uint8_t> overlaps_;
  // By pair, the upper node first; empty where relations are not asked for.
  std::vector<const ShapeWords*> over_;
  // Those that differ from the store's.
  std::deque<ShapeWords> own_;
};

}  // namespace thicket
