// Itemsets without decoration, to be asked whether any of them generalizes another one (Section 4.3.1 of Liu 2010).
//
// X is a generalization of Y if each item of X is at or above one of Y. No item of an itemset is above another. A trie
// by the places of items, the last first: the items of X, in that order, are above items of Y in that order, so that
// only beginnings that generalize part of Y are followed.
//
//   ItemsetIndex threats(sets);
//   threats.Add({Liquor});
//   threats.HasGeneralizationOf({Milk, Wine});          // true
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "cutting/sets/item_sets.h"

namespace thicket {

class ItemsetIndex {
 public:
  // The sets must outlive the index.
  explicit ItemsetIndex(const ItemSets& sets) : sets_(&sets), is_end_(1, false) {}

  // Items in any order. False if this very itemset was there.
  bool Add(std::span<const Item> itemset);
  // The empty itemset generalizes every other.
  bool HasGeneralizationOf(std::span<const Item> itemset) const;

 private:
  using TrieNode = uint32_t;

  std::vector<Item> Ordered(std::span<const Item> itemset) const;
  bool Follow(TrieNode from, std::span<const Item> rest) const;
  static uint64_t Key(TrieNode from, Item item) { return uint64_t{from} << 32 | item; }

  const ItemSets* sets_;
  std::unordered_map<uint64_t, TrieNode> next_;
  std::vector<bool> is_end_;
};

// The items of an itemset that stand above no other one, without repetitions, in the order of places.
std::vector<Item> LowestItems(const ItemSets& sets, std::span<const Item> itemset);

}  // namespace thicket
