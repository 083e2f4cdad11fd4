// Items that no valid cut specializes all of: what threats mean for a search of cuts.
//
// The items of a threat are shown, or stand above what is shown, exactly if the parent of each was specialized. So a
// threat forbids to specialize all these parents, and nothing else of the threat matters: many threats make one
// conflict. Of parents one above the other the lower says all. A conflict of one item is what the thesis calls a
// permanently locked item (Pruning IV, Section 4.3.3 of Liu 2010); an empty one, of a root that is a threat by itself,
// makes every cut invalid.
//
//   Conflicts conflicts(sets);
//   conflicts.AddThreat({Beer, Milk});                 // {Liquor, Dairy} are not both specialized
//   conflicts.Allow(cut);
//
// A conflict that another one generalizes says nothing new, and Reduce() takes it out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cutting/sets/item_sets.h"
#include "cutting/sets/itemset_index.h"

namespace thicket {

class Conflicts {
 public:
  // The sets must outlive the conflicts.
  explicit Conflicts(const ItemSets& sets);

  const ItemSets& sets() const { return *sets_; }
  // Of the undecorated items of a threat, in any order. Whether a conflict came of it that was not there.
  bool AddThreat(std::span<const Item> threat);
  bool Add(std::span<const Item> items);

  // Not even the cut of the roots is valid.
  bool is_infeasible() const { return is_infeasible_; }
  // Whether no valid cut specializes the item, for a conflict of the item alone or of an item above it.
  bool is_locked(Item item) const { return is_locked_[item]; }

  size_t size() const { return first_.size() - 1; }
  // In the order of places.
  std::span<const Item> operator[](size_t conflict) const {
    return {items_.data() + first_[conflict], first_[conflict + 1] - first_[conflict]};
  }
  // Whether a known conflict is, or generalizes, this one.
  bool Covers(std::span<const Item> items) const { return index_.HasGeneralizationOf(items); }
  bool CoversThreat(std::span<const Item> threat) const;
  // The conflict of a threat, in the order of places.
  std::vector<Item> ParentsOf(std::span<const Item> threat) const;
  // Whether no conflict is specialized as a whole by the cut that shows these labels.
  bool Allow(std::span<const Item> cut) const;

  void Reduce();

 private:
  const ItemSets* sets_;
  ItemsetIndex index_;
  bool is_infeasible_ = false;
  std::vector<bool> is_locked_;
  std::vector<size_t> first_ = {0};
  std::vector<Item> items_;
};

}  // namespace thicket
