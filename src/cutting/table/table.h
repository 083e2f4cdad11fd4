// A table as a search for its best cut sees it: combinations of quasi-identifier values, how often each occurs, and with
// what secrets.
//
// Records that have the same leaf in every quasi-identifier are one cell: no cut tells them apart. What else a record has
// is its kind: its value of each sensitive attribute, and its class label where the cost is that of a classifier (CM).
// So a table is cells with counts of kinds, and everything that is done for a cut is done for cells and not for records.
//
//   TableColumns columns;
//   columns.record_count = 3;
//   columns.parents = {0, 0, 0};                                         // a root above two leaves
//   columns.quasi = {{.first = 0, .leaves = {1, 1, 2}}};
//   columns.sensitive = {{.value_count = 2, .values = {0, 1, 1}}};
//   const Table table(columns);                                          // two cells, two kinds
//
// Items (cutting/item_forest.h) are the nodes of all taxonomies, with the numbers that they come with: of a data set those of its
// LabelSpace (record/label_space.h). Those of an attribute are consecutive, its root first. A missing value is a leaf of its own right below the root, so that it meets
// others only there; a missing sensitive value is a value like any other, unless whoever makes the table leaves it out of
// the promise. Several sensitive attributes stand side by side, each with thresholds of its own.
//
// O(records) to build for each attribute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cutting/item_forest.h"

namespace thicket {

struct TableColumns {
  struct Quasi {
    // The root; its items end where those of the next quasi-identifier begin.
    Item first = 0;
    // By record: an item without children.
    std::vector<Item> leaves = {};
  };
  struct Sensitive {
    uint32_t value_count = 0;
    // By record.
    std::vector<uint32_t> values = {};
  };
  size_t record_count = 0;
  // By item: its parent, which has a lower number; a root is its own parent.
  std::vector<Item> parents = {};
  std::vector<Quasi> quasi = {};
  std::vector<Sensitive> sensitive = {};
  // By record: the value of the class attribute. Empty if there is none.
  std::vector<uint32_t> labels = {};
};

class Table {
 public:
  struct KindCount {
    uint32_t kind;
    uint32_t count;
    friend bool operator==(const KindCount&, const KindCount&) = default;
  };

  explicit Table(const TableColumns& columns);

  size_t record_count() const { return cell_of_record_.size(); }
  size_t quasi_count() const { return first_item_.size() - 1; }
  size_t sensitive_count() const { return first_value_.size() - 1; }
  bool has_labels() const { return has_labels_; }

  // Of all taxonomies; a root per quasi-identifier.
  const ItemForest& forest() const { return forest_; }
  // The items of a quasi-identifier are [first_item(quasi), first_item(quasi + 1)), its root first.
  Item first_item(size_t quasi) const { return first_item_[quasi]; }
  uint32_t quasi_of(Item item) const { return quasi_of_[item]; }
  // How many leaves of the taxonomy are at or below the item, whether they occur or not.
  uint32_t leaves(Item item) const { return leaves_[item]; }
  // How many records have a value at or below the item: O(v) of Section 3.4.1 of Liu 2010.
  uint64_t occurrences(Item item) const { return occurrences_[item]; }

  size_t cell_count() const { return cell_size_.size(); }
  // The leaves of a cell, by quasi-identifier.
  std::span<const Item> cell(size_t cell) const {
    return {cell_items_.data() + cell * quasi_count(), quasi_count()};
  }
  uint32_t cell_size(size_t cell) const { return cell_size_[cell]; }
  // Ascending by kind.
  std::span<const KindCount> kinds(size_t cell) const {
    return {kinds_.data() + first_kind_[cell], first_kind_[cell + 1] - first_kind_[cell]};
  }
  uint32_t cell_of(size_t record) const { return cell_of_record_[record]; }
  uint32_t kind_of(size_t record) const { return kind_of_record_[record]; }

  // Kinds that occur.
  size_t kind_count() const { return label_of_kind_.size(); }
  // The values of all sensitive attributes are numbered one after another: those of an attribute are
  // [first_value(attribute), first_value(attribute + 1)).
  uint32_t first_value(size_t attribute) const { return first_value_[attribute]; }
  uint32_t value_count() const { return first_value_.back(); }
  uint32_t attribute_of(uint32_t value) const;
  // The numbered values of a kind, one per sensitive attribute.
  std::span<const uint32_t> values(uint32_t kind) const {
    return {values_of_kind_.data() + kind * sensitive_count(), sensitive_count()};
  }
  // 0 if the table has no class labels.
  uint32_t label(uint32_t kind) const { return label_of_kind_[kind]; }
  uint32_t label_count() const { return label_count_; }
  // How many records have a numbered sensitive value.
  uint64_t value_occurrences(uint32_t value) const { return value_occurrences_[value]; }

 private:
  void AddItems(const TableColumns& columns);
  void FindKinds(const TableColumns& columns);
  void FindCells(const TableColumns& columns);
  void CountCells();

  ItemForest forest_;
  std::vector<Item> first_item_;
  // By item.
  std::vector<uint32_t> quasi_of_;
  std::vector<uint32_t> leaves_;
  std::vector<uint64_t> occurrences_;
  // By cell.
  std::vector<Item> cell_items_;
  std::vector<uint32_t> cell_size_;
  std::vector<uint32_t> first_kind_ = {0};
  std::vector<KindCount> kinds_;
  // By record.
  std::vector<uint32_t> cell_of_record_;
  std::vector<uint32_t> kind_of_record_;
  // By kind.
  std::vector<uint32_t> values_of_kind_;
  std::vector<uint32_t> label_of_kind_;
  std::vector<uint32_t> first_value_ = {0};
  std::vector<uint64_t> value_occurrences_;
  uint32_t label_count_ = 1;
  bool has_labels_ = false;
};

}  // namespace thicket
