// A database of sets as a search for its best cut sees it: which leaves of the taxonomy each record has, with what
// sensitive items, and how many records are alike.
//
// Items (cutting/item_forest.h) are the nodes of the taxonomy of the non-sensitive items. Sensitive items are numbered
// by themselves, stand in no taxonomy and are never generalized. A transaction is the distinct leaves and sensitive
// items of one or more records that have the same.
//
//   SetRecords records;
//   records.parents = {0, 0, 0};                 // a root above two leaves
//   records.Add({1, 2}, {});
//   records.Add({2, 1, 1}, {0});                 // an item twice counts once
//   const ItemSets sets(records);
//   sets.Ncp(sets.SumCosts(cut));                // 1 for the cut {0}: both leaves are shown as the root
//
// What a cut costs is NCP (Section 4.2.3 of Liu 2010) in whole units: a leaf of the data costs nothing, a group costs
// its leaves for each occurrence of a leaf below it. An occurrence is a leaf in a record: a record with Milk and
// Yogurt has two, also where both are published as one Dairy. So the cost of a cut is the sum of its labels' costs,
// and never rises when a label is specialized.
//
// O(occurrences log occurrences) to build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "cutting/item_forest.h"

namespace thicket {

struct SetRecords {
  // By item: its parent, which has a lower number; a root is its own parent.
  std::vector<Item> parents = {};
  // By record: items without children, from first_leaf[record] to first_leaf[record + 1]; in any order, also several
  // times.
  std::vector<size_t> first_leaf = {0};
  std::vector<Item> leaves = {};
  // The same of sensitive items, numbered from 0.
  std::vector<size_t> first_sensitive = {0};
  std::vector<uint32_t> sensitive = {};

  size_t record_count() const { return first_leaf.size() - 1; }
  void Add(std::span<const Item> record_leaves, std::span<const uint32_t> record_sensitive);
  void Add(std::initializer_list<Item> record_leaves,
           std::initializer_list<uint32_t> record_sensitive) {
    Add(std::span(record_leaves.begin(), record_leaves.size()),
        std::span(record_sensitive.begin(), record_sensitive.size()));
  }
};

class ItemSets {
 public:
  using Cost = uint64_t;

  explicit ItemSets(const SetRecords& records);

  // Of the non-sensitive items. Usually one root; a database may have several taxonomies.
  const ItemForest& forest() const { return forest_; }
  // How many leaves of the whole taxonomy are at or below the item, whether they occur or not; those of all roots.
  uint32_t leaves(Item item) const { return leaves_[item]; }
  uint64_t all_leaves() const { return all_leaves_; }
  // How many occurrences of leaves are at or below the item, and how many there are: records count as often as they
  // are there.
  uint64_t occurrences(Item item) const { return occurrences_[item]; }
  uint64_t all_occurrences() const { return all_occurrences_; }
  // What the item costs as a label.
  Cost cost(Item item) const { return cost_[item]; }
  // The place of the item in preorder: what is at or below the item has the places from place(item) to end(item).
  uint32_t place(Item item) const { return place_[item]; }
  uint32_t end(Item item) const { return end_[item]; }
  Item at_place(uint32_t place) const { return at_place_[place]; }
  bool IsAtOrAbove(Item above, Item item) const {
    return place_[above] <= place_[item] && place_[item] < end_[above];
  }

  size_t record_count() const { return record_count_; }
  size_t sensitive_count() const { return sensitive_occurrences_.size(); }
  // How many records have the sensitive item.
  uint64_t sensitive_occurrences(uint32_t item) const { return sensitive_occurrences_[item]; }

  size_t transaction_count() const { return count_.size(); }
  // Leaves of the forest, ascending by place.
  std::span<const Item> items(size_t transaction) const {
    return {items_.data() + first_item_[transaction],
            first_item_[transaction + 1] - first_item_[transaction]};
  }
  // Ascending.
  std::span<const uint32_t> sensitive(size_t transaction) const {
    return {sensitive_.data() + first_sensitive_[transaction],
            first_sensitive_[transaction + 1] - first_sensitive_[transaction]};
  }
  // How many records are this transaction.
  uint32_t count(size_t transaction) const { return count_[transaction]; }
  // Empty of a generalized database.
  const std::vector<uint32_t>& transaction_of_record() const { return transaction_of_record_; }

  // Of the labels of a cut. NCP and LM are means over the occurrences, 0 where there are none; LM has (leaves - 1) /
  // (all leaves - 1) for a label.
  Cost SumCosts(std::span<const Item> cut) const;
  double Ncp(Cost cost) const;
  double Lm(std::span<const Item> cut) const;

  // What is published of a cut, as a database whose leaves are the cut's labels: duplicates in a record are one.
  // Leaves of the whole taxonomy, occurrences and costs stay those of this one, so groups that have become leaves keep
  // their cost. `labels` is filled with the item of this database for each item of that one.
  ItemSets Generalized(std::span<const Item> cut, std::vector<Item>& labels) const;

 private:
  ItemSets() = default;
  void FindPlaces();
  void Group(const SetRecords& records, std::span<const uint32_t> counts);

  ItemForest forest_;
  std::vector<uint32_t> leaves_;
  std::vector<uint64_t> occurrences_;
  std::vector<Cost> cost_;
  std::vector<uint32_t> place_;
  std::vector<uint32_t> end_;
  std::vector<Item> at_place_;
  uint64_t all_leaves_ = 0;
  uint64_t all_occurrences_ = 0;
  size_t record_count_ = 0;
  std::vector<uint64_t> sensitive_occurrences_;
  // By transaction.
  std::vector<size_t> first_item_ = {0};
  std::vector<Item> items_;
  std::vector<size_t> first_sensitive_ = {0};
  std::vector<uint32_t> sensitive_;
  std::vector<uint32_t> count_;
  std::vector<uint32_t> transaction_of_record_;
};

}  // namespace thicket
