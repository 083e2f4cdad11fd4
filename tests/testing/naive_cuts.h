// All cuts of a forest of items, from the definition: one item on each way from a root to a leaf.
//
//   for (const std::vector<Item>& labels : NaiveCuts(forest)) ...
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "cutting/item_forest.h"

namespace thicket::testing {

using NaiveCut = std::vector<Item>;

// Of several trees side by side, each with all its cuts.
inline std::vector<NaiveCut> NaiveProduct(const std::vector<std::vector<NaiveCut>>& of_trees) {
  std::vector<NaiveCut> product = {{}};
  for (const std::vector<NaiveCut>& of_tree : of_trees) {
    std::vector<NaiveCut> longer;
    for (const NaiveCut& one : product) {
      for (const NaiveCut& other : of_tree) {
        longer.push_back(one);
        longer.back().insert(longer.back().end(), other.begin(), other.end());
      }
    }
    product = longer;
  }
  return product;
}

inline std::vector<NaiveCut> NaiveCutsBelow(const ItemForest& forest, Item item) {
  std::vector<std::vector<NaiveCut>> of_children;
  for (const Item child : forest.Children(item)) {
    of_children.push_back(NaiveCutsBelow(forest, child));
  }
  std::vector<NaiveCut> cuts = {{item}};
  if (of_children.empty()) return cuts;
  for (NaiveCut& cut : NaiveProduct(of_children)) cuts.push_back(std::move(cut));
  return cuts;
}

// Each ascending, all in ascending order.
inline std::vector<NaiveCut> NaiveCuts(const ItemForest& forest) {
  std::vector<std::vector<NaiveCut>> of_roots;
  for (const Item root : forest.roots()) of_roots.push_back(NaiveCutsBelow(forest, root));
  std::vector<NaiveCut> cuts = NaiveProduct(of_roots);
  for (NaiveCut& cut : cuts) std::sort(cut.begin(), cut.end());
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

// One to three trees of any shape, with only children and roots that are leaves among them, and at most `most_cuts`
// cuts.
inline ItemForest RandomItemForest(Random& random, double most_cuts) {
  std::vector<Item> parents = {0};
  const size_t items = 1 + random.Below(20);
  while (parents.size() < items) {
    const auto item = static_cast<Item>(parents.size());
    std::vector<Item> more = parents;
    more.push_back(random.Below(8) == 0 ? item : static_cast<Item>(random.Below(item)));
    if (ItemForest(more).CountCuts() > most_cuts) break;
    parents = more;
  }
  return ItemForest(parents);
}

// The items of FigureForest().
enum FigureItem : Item {
  kAnyEdu,
  kSec,
  kUni,
  kJr,
  kSr,
  kBa,
  kGrad,
  kAnyCountry,
  kEu,
  kAm,
  kFr,
  kUk,
  kUsa,
  kCa
};

// Fig. 3.1 of Liu 2010: Education and Country.
inline ItemForest FigureForest() {
  //                 AnyEdu Sec Uni Jr Sr Ba Grad AnyCountry Eu Am Fr UK USA Ca
  return ItemForest({0, 0, 0, 1, 1, 2, 2, 7, 7, 7, 8, 8, 9, 9});
}

}  // namespace thicket::testing
