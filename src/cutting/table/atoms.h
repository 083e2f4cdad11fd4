// The records of a table in the groups that no cut of a subtree tells apart.
//
// Between the finest cut that a search may still come to, the floor, and the cut that it is at, a class is made of atoms:
// the classes of the floor. Whatever is computed for cuts is computed for atoms. The more values are locked, the coarser
// is the floor, and the fewer atoms there are.
//
//   Atoms atoms = Atoms::Of(table, items);               // cells
//   Atoms fewer = atoms.Merged(floor);                   // floor[item]: the label at or above the item
//
// A key tells the labels of an atom: the sum over the attributes of the label's rank times a factor, so that the key
// without one attribute is a difference. Keys are those of a number with one digit per attribute, as long as 128 bits
// have room for it. Beyond, factors are random numbers of 128 bits: that two of a million atoms are then taken for one
// another has a probability below 2^-80.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cutting/table/search_forest.h"
#include "cutting/table/table.h"

namespace thicket {

class Atoms {
 public:
  __extension__ using Key = unsigned __int128;

  // The cells of the table. The items must outlive the atoms, and those that are merged from them.
  static Atoms Of(const Table& table, const SearchForest& items);
  // By item at or below the floor: the floor's label at or above it.
  Atoms Merged(std::span<const Item> floor) const;

  size_t size() const { return record_count_.size(); }
  Item label(size_t atom, size_t quasi) const { return labels_[atom * quasi_count_ + quasi]; }
  uint32_t record_count(size_t atom) const { return record_count_[atom]; }
  std::span<const Table::KindCount> kinds(size_t atom) const {
    return {kinds_.data() + first_kind_[atom], first_kind_[atom + 1] - first_kind_[atom]};
  }
  Key key(size_t atom) const { return key_[atom]; }
  Key KeyWithout(size_t atom, size_t quasi) const { return key_[atom] - KeyOf(label(atom, quasi)); }
  // LM of a record of the atom at the floor, in units.
  TableTask::Cost loss(size_t atom) const { return loss_[atom]; }
  // By atom of those that these were merged from: its atom.
  const std::vector<uint32_t>& merged_into() const { return merged_into_; }
  void ForgetMerging() { merged_into_ = {}; }
  size_t MemoryBytes() const;

 private:
  Key KeyOf(Item item) const { return (*key_of_item_)[item]; }
  void FindKeysOfItems();
  // Numbers the atoms of `from`, into `merged_into_`; labels and keys of the new ones.
  void NumberAtoms(const Atoms& from, std::span<const Item> floor);
  void AddKinds(const Atoms& from);

  const SearchForest* items_ = nullptr;
  size_t quasi_count_ = 0;
  size_t kind_count_ = 0;
  std::shared_ptr<const std::vector<Key>> key_of_item_;
  // By atom.
  std::vector<Item> labels_;
  std::vector<uint32_t> record_count_;
  std::vector<Key> key_;
  std::vector<TableTask::Cost> loss_;
  std::vector<uint32_t> first_kind_ = {0};
  std::vector<Table::KindCount> kinds_;
  std::vector<uint32_t> merged_into_;
};

}  // namespace thicket
