#include "cutting/sets/conflicts.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace thicket {

Conflicts::Conflicts(const ItemSets& sets)
    : sets_(&sets), index_(sets), is_locked_(sets.forest().size(), false) {
  for (Item item = 0; item < is_locked_.size(); ++item) {
    is_locked_[item] = sets.forest().is_leaf(item);
  }
}

std::vector<Item> Conflicts::ParentsOf(std::span<const Item> threat) const {
  std::vector<Item> parents;
  for (const Item item : threat) {
    // A root is always at or above the cut.
    if (!sets_->forest().is_root(item)) parents.push_back(sets_->forest().parent(item));
  }
  return LowestItems(*sets_, parents);
}

bool Conflicts::AddThreat(std::span<const Item> threat) { return Add(ParentsOf(threat)); }

bool Conflicts::CoversThreat(std::span<const Item> threat) const {
  return Covers(ParentsOf(threat));
}

bool Conflicts::Add(std::span<const Item> items) {
  // What is below a locked item is never shown.
  for (const Item item : items) {
    const Item parent = sets_->forest().parent(item);
    if (parent != item && is_locked_[parent]) return false;
  }
  if (!index_.Add(items)) return false;
  if (items.empty()) is_infeasible_ = true;
  if (items.size() == 1) {
    for (uint32_t place = sets_->place(items[0]); place < sets_->end(items[0]); ++place) {
      is_locked_[sets_->at_place(place)] = true;
    }
  }
  items_.insert(items_.end(), items.begin(), items.end());
  first_.push_back(items_.size());
  return true;
}

bool Conflicts::Allow(std::span<const Item> cut) const {
  if (is_infeasible_) return false;
  std::vector<bool> is_above(sets_->forest().size(), false);
  for (Item item : cut) {
    while (!sets_->forest().is_root(item)) {
      item = sets_->forest().parent(item);
      if (is_above[item]) break;
      is_above[item] = true;
    }
  }
  for (size_t conflict = 0; conflict < size(); ++conflict) {
    const std::span<const Item> items = (*this)[conflict];
    if (std::all_of(items.begin(), items.end(), [&](Item item) { return is_above[item]; })) {
      return false;
    }
  }
  return true;
}

void Conflicts::Reduce() {
  std::vector<size_t> order(size());
  std::iota(order.begin(), order.end(), 0);
  // What generalizes a conflict has no more items, and the sum of its items' depths is no larger.
  std::vector<uint32_t> depth(sets_->forest().size(), 0);
  for (Item item = 0; item < depth.size(); ++item) {
    if (!sets_->forest().is_root(item)) depth[item] = depth[sets_->forest().parent(item)] + 1;
  }
  const auto rank = [&](size_t conflict) {
    size_t sum = 0;
    for (const Item item : (*this)[conflict]) sum += depth[item];
    return std::pair((*this)[conflict].size(), sum);
  };
  std::vector<std::pair<size_t, size_t>> ranks;
  for (size_t conflict = 0; conflict < size(); ++conflict) ranks.push_back(rank(conflict));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return ranks[a] < ranks[b]; });
  Conflicts kept(*sets_);
  for (const size_t conflict : order) {
    if (!kept.Covers((*this)[conflict])) kept.Add((*this)[conflict]);
  }
  *this = std::move(kept);
}

}  // namespace thicket
