// The items of a table that a search has to tell apart, as a forest of their own.
//
// Items that no record has are left out: cuts that differ in nothing else publish the same. An item all of whose records
// are below one child may be left out as well, and is if only one best cut is asked for: its child shows more, and makes
// the same classes, so that no cut with the item is cheaper than the one with the child in its place.
//
//   const SearchForest items(task, /*contract=*/true);
//   Publish(items.Labels(cut.Labels()));            // as items of the table
//
// An item of this forest stands for one of the table's, and those of an attribute are consecutive. The order of items and
// the order among siblings are those of the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cutting/item_forest.h"
#include "cutting/table/table_task.h"

namespace thicket {

class SearchForest {
 public:
  // The task must outlive the forest.
  SearchForest(const TableTask& task, bool contract);

  const ItemForest& forest() const { return forest_; }
  size_t size() const { return forest_.size(); }
  size_t quasi_count() const { return first_item_.size() - 1; }
  // The items of a quasi-identifier are [first_item(quasi), first_item(quasi + 1)).
  Item first_item(size_t quasi) const { return first_item_[quasi]; }
  uint32_t quasi_of(Item item) const { return quasi_of_[item]; }
  // LM of the item, in units, and how many records are at or below it.
  TableTask::Cost loss(Item item) const { return loss_[item]; }
  uint64_t occurrences(Item item) const { return occurrences_[item]; }
  // The place of the item in an order in which what is below an item follows it: that of what is below ends before `end`.
  uint32_t place(Item item) const { return place_[item]; }
  uint32_t end(Item item) const { return end_[item]; }

  // The item that stands for a leaf of the table that occurs.
  Item OfLeaf(Item leaf) const { return of_leaf_[leaf]; }
  // The cut of the table's forest that shows these items, ascending: of values that do not occur the highest.
  std::vector<Item> Labels(std::span<const Item> items) const;

 private:
  void AddItems(bool contract);
  void FindPlaces();

  const TableTask* task_;
  ItemForest forest_;
  std::vector<Item> first_item_ = {0};
  // By item: the item of the table that is shown for it.
  std::vector<Item> shown_;
  std::vector<uint32_t> quasi_of_;
  std::vector<TableTask::Cost> loss_;
  std::vector<uint64_t> occurrences_;
  std::vector<uint32_t> place_;
  std::vector<uint32_t> end_;
  // By item of the table.
  std::vector<Item> of_leaf_;
};

}  // namespace thicket
