// What a cut would publish, as a search for rare itemsets reads it: rows of labels with weights, and bits of who has
// an item.
//
//   const LabelRows rows(sets, cut, is_done);
//   for (const uint32_t row : rows.rows(label)) ...
//   const ItemRows items(sets, rows);
//   items.Support({{Liquor, true}, {Milk, false}}, k);
//
// O(occurrences log) to build the rows, O(items x rows / 64) words for the bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cutting/sets/item_sets.h"

namespace thicket {

// An item that is known to be there, or not.
struct DecoratedItem {
  Item item;
  bool is_there;
};
using DecoratedItemset = std::vector<DecoratedItem>;

// The records of a cut as rows of labels; records that show the same are one row. Labels that are done with come
// first, then frequent ones.
class LabelRows {
 public:
  LabelRows(const ItemSets& sets, std::span<const Item> cut, const std::vector<bool>& is_done);

  size_t size() const { return weight_.size(); }
  uint32_t label_count() const { return static_cast<uint32_t>(item_.size()); }
  // How many labels are done with.
  uint32_t done_count() const { return done_count_; }
  Item item(uint32_t label) const { return item_[label]; }
  uint64_t weight(uint32_t row) const { return weight_[row]; }
  // Ascending.
  std::span<const uint32_t> labels(uint32_t row) const {
    return {labels_.data() + first_[row], first_[row + 1] - first_[row]};
  }
  // The rows that have a label, ascending.
  std::span<const uint32_t> rows(uint32_t label) const {
    return {rows_.data() + first_row_[label], first_row_[label + 1] - first_row_[label]};
  }

 private:
  // The labels that occur.
  void ListItems(const ItemSets& sets, const std::vector<Item>& shown,
                 const std::vector<bool>& is_done);
  void ListRows();

  std::vector<Item> item_;
  uint32_t done_count_ = 0;
  std::vector<size_t> first_ = {0};
  std::vector<uint32_t> labels_;
  std::vector<uint64_t> weight_;
  std::vector<size_t> first_row_;
  std::vector<uint32_t> rows_;
};

// Which rows have a label or an item above some, as bits: how many records support an itemset of any of these.
class ItemRows {
 public:
  // The rows must outlive this.
  ItemRows(const ItemSets& sets, const LabelRows& rows);

  // How many records support the itemset, counted up to `enough`.
  uint64_t Support(const DecoratedItemset& itemset, uint64_t enough) const;

 private:
  const LabelRows& rows_;
  size_t words_;
  // By item: its place among the bits.
  std::vector<uint32_t> number_;
  std::vector<uint64_t> bits_;
};

}  // namespace thicket
