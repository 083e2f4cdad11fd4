// The records of a table in the groups that no cut of a subtree tells apart.
//
// Between the finest cut that a search may still come to, the floor, and the cut that it is at, a class is made of atoms:
// the classes of the floor. Whatever is computed for cuts is computed for atoms. The more values are locked, the coarser
// is the floor, and the fewer atoms there are.
//
//   Atoms atoms = Atoms::Of(table, items);               // cells
//   Atoms fewer = atoms.Merged(floor);                   // floor[item]: the label at or above the item
//
// Atoms of different classes never become one, so that those of a class can be merged by themselves, with little memory that
// stays in the cache: AppendMerged(). Those of a class then stand together.
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

#include "cutting/table/key_numbers.h"
#include "cutting/table/search_forest.h"
#include "cutting/table/table.h"

namespace thicket {

class Atoms {
 public:
  using Key = KeyNumbers::Key;

  // The cells of the table, in the order of their labels below the roots, then of those below these, and so on: what cuts do
  // not tell apart stands near each other, whatever values they specialize. The items must outlive the atoms, and those
  // that are merged from them.
  static Atoms Of(const Table& table, const SearchForest& items);
  // By item at or below the floor: the floor's label at or above it.
  Atoms Merged(std::span<const Item> floor) const;
  // None yet, of the same table.
  Atoms Empty() const;
  // What merging needs beside the atoms, to be used again and again.
  struct Workspace {
    KeyNumbers numbers;
    // By number of a key: its atom; by member: its atom, of those that are added.
    std::vector<uint32_t> atom_of_number;
    std::vector<uint32_t> atom_of;
    std::vector<uint32_t> first;
    std::vector<uint32_t> order;
    // By kind, and those that occur.
    std::vector<uint32_t> count;
    std::vector<uint32_t> touched;
  };
  // How atoms change where the floor rises: by item at or below it the label, and what is added to keys and losses. Only attributes
  // with labels that change are looked at.
  struct Rise {
    std::vector<Item> floor;
    std::vector<Key> key;
    std::vector<TableTask::Cost> loss;
    // Attributes, ascending.
    std::vector<size_t> changed = {};
  };
  Rise RiseTo(std::span<const Item> floor) const;
  bool Changes(size_t atom, const Rise& rise) const {
    const Item* labels = labels_.data() + atom * quasi_count_;
    for (const size_t quasi : rise.changed) {
      if (rise.floor[labels[quasi]] != labels[quasi]) return true;
    }
    return false;
  }
  // Adds some atoms of others, merged among themselves.
  void AppendMerged(const Atoms& from, std::span<const uint32_t> members, const Rise& rise,
                    Workspace& workspace);
  // Adds some atoms of others as they are.
  void AppendSame(const Atoms& from, std::span<const uint32_t> members);

  size_t size() const { return heads_.size() - 1; }
  Item label(size_t atom, size_t quasi) const { return labels_[atom * quasi_count_ + quasi]; }
  // By attribute.
  std::span<const Item> labels(size_t atom) const {
    return {labels_.data() + atom * quasi_count_, quasi_count_};
  }
  uint32_t record_count(size_t atom) const { return heads_[atom].record_count; }
  std::span<const Table::KindCount> kinds(size_t atom) const {
    const uint32_t first = heads_[atom].first_kind;
    return {kinds_.data() + first, heads_[atom + 1].first_kind - first};
  }
  Key key(size_t atom) const { return heads_[atom].key; }
  Key KeyWithout(size_t atom, size_t quasi) const { return key(atom) - KeyOf(label(atom, quasi)); }
  Key KeyOf(Item item) const { return (*key_of_item_)[item]; }
  // LM of a record of the atom at the floor, in units.
  TableTask::Cost loss(size_t atom) const { return heads_[atom].loss; }
  size_t MemoryBytes() const;
  // Has the atom come near from memory while something else is done.
  void Fetch(size_t atom) const {
    __builtin_prefetch(heads_.data() + atom);
    __builtin_prefetch(labels_.data() + atom * quasi_count_);
  }
  void FetchKinds(size_t atom) const {
    __builtin_prefetch(kinds_.data() + heads_[atom].first_kind);
  }
  // How many atoms ahead.
  static constexpr size_t kAhead = 8;

 private:
  void FindKeysOfItems();
  struct Head {
    Key key = 0;
    TableTask::Cost loss = 0;
    uint32_t record_count = 0;
    uint32_t first_kind = 0;
  };

  // The labels and the head of the next atom, all but its kinds; and that its kinds were added.
  void AddHead(std::span<const Item> labels, const Head& head);
  void EndKinds(size_t atom) { heads_[atom + 1].first_kind = static_cast<uint32_t>(kinds_.size()); }
  // The kinds of the next atom, which is made of these.
  void AddKinds(const Atoms& from, std::span<const uint32_t> members, Workspace& workspace);

  const SearchForest* items_ = nullptr;
  size_t quasi_count_ = 0;
  size_t kind_count_ = 0;
  std::shared_ptr<const std::vector<Key>> key_of_item_;
  // By atom.
  std::vector<Item> labels_;
  // One more than there are atoms, which says where the kinds of the last one end.
  std::vector<Head> heads_ = {{}};
  std::vector<Table::KindCount> kinds_;
};

}  // namespace thicket
