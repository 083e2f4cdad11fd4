#include "cutting/sets/conflict_bound.h"

#include <algorithm>
#include <bit>

#include "cutting/sets/set_problem.h"

namespace thicket {

ConflictBound::ConflictBound(const SetSpace& space)
    : space_(&space),
      state_(space.size(), State::kFree),
      gain_(space.size(), 0),
      words_((space.size() + 63) / 64),
      rivals_(space.size() * words_, 0),
      rival_count_(space.size(), 0) {
  for (Item item = 0; item < space.size(); ++item) {
    if (space.forest().is_leaf(item)) continue;
    gain_[item] = space.cost(item);
    for (const Item child : space.forest().Children(item)) gain_[item] -= space.cost(child);
  }
}

void ConflictBound::Prepare(const OpenCut& cut) {
  const ItemForest& forest = space_->forest();
  own_.assign(space_->size(), 0);
  left_.assign(space_->size(), 0);
  for (Item item = 0; item < space_->size(); ++item) {
    if (cut.is_above(item)) {
      state_[item] = State::kSpecialized;
    } else if (cut.is_label(item)) {
      state_[item] = cut.is_open(item) ? State::kFree : State::kStays;
    } else {
      state_[item] = forest.is_leaf(item) ? State::kStays : state_[forest.parent(item)];
    }
    if (state_[item] == State::kFree) own_[item] = gain_[item];
  }
  for (auto item = static_cast<Item>(space_->size()); item-- > 0;) {
    left_[item] += own_[item];
    if (!forest.is_root(item)) left_[forest.parent(item)] += left_[item];
  }
}

bool ConflictBound::ListFree(size_t conflict) {
  free_.clear();
  for (const Item item : space_->conflict(conflict)) {
    if (state_[item] == State::kStays) return false;
    if (state_[item] == State::kFree) free_.push_back(item);
  }
  return !free_.empty();
}

void ConflictBound::ListPairs() {
  for (const Item item : has_rivals_) {
    rival_count_[item] = 0;
    std::fill_n(rivals_.begin() + static_cast<ptrdiff_t>(item * words_), words_, 0);
  }
  has_rivals_.clear();
  larger_.clear();
  for (size_t conflict = 0; conflict < space_->conflict_count(); ++conflict) {
    if (!ListFree(conflict)) continue;
    if (free_.size() != 2) {
      larger_.push_back(conflict);
      continue;
    }
    for (const size_t i : {0, 1}) {
      const Item item = free_[i];
      const Item rival = free_[1 - i];
      if (rival_count_[item]++ == 0) has_rivals_.push_back(item);
      rivals_[item * words_ + rival / 64] |= uint64_t{1} << rival % 64;
    }
  }
}

void ConflictBound::SpendBelow(Item item, Cost amount) {
  left_[item] -= amount;
  const Cost own = std::min(own_[item], amount);
  own_[item] -= own;
  amount -= own;
  for (const Item child : space_->forest().Children(item)) {
    if (amount == 0) return;
    const Cost share = std::min(left_[child], amount);
    if (share > 0) SpendBelow(child, share);
    amount -= share;
  }
}

void ConflictBound::Spend(Item item, Cost amount) {
  if (amount == 0) return;
  SpendBelow(item, amount);
  const ItemForest& forest = space_->forest();
  while (!forest.is_root(item)) {
    item = forest.parent(item);
    left_[item] -= amount;
  }
}

ConflictBound::Cost ConflictBound::PayClique(const std::vector<Item>& clique) {
  // The dearest comes first, and pays what the next one does.
  Cost sum = 0;
  for (size_t i = 1; i < clique.size(); ++i) {
    const Cost amount = left_[clique[i]];
    if (i == 1) Spend(clique[0], amount);
    sum += amount;
    Spend(clique[i], amount);
  }
  return sum;
}

ConflictBound::Cost ConflictBound::PayCliques() {
  Cost sum = 0;
  std::vector<Item> order = has_rivals_;
  const auto dearer = [&](Item a, Item b) {
    return left_[a] != left_[b] ? left_[a] > left_[b] : a < b;
  };
  std::sort(order.begin(), order.end(), dearer);
  std::vector<uint64_t> common;
  std::vector<Item> clique;
  for (size_t i = 0; i < order.size();) {
    const Item first = order[i];
    const auto begin = rivals_.begin() + static_cast<ptrdiff_t>(first * words_);
    common.assign(begin, begin + static_cast<ptrdiff_t>(words_));
    clique = {first};
    while (left_[first] > 0) {
      Item next = first;
      for (size_t word = 0; word < words_; ++word) {
        for (uint64_t bits = common[word]; bits != 0; bits &= bits - 1) {
          const auto item = static_cast<Item>(word * 64 + std::countr_zero(bits));
          if (left_[item] > 0 && (next == first || dearer(item, next))) next = item;
        }
      }
      if (next == first) break;
      clique.push_back(next);
      for (size_t word = 0; word < words_; ++word) common[word] &= rivals_[next * words_ + word];
    }
    if (clique.size() == 1) {
      ++i;
      continue;
    }
    std::sort(clique.begin(), clique.end(), dearer);
    sum += PayClique(clique);
  }
  return sum;
}

ConflictBound::Cost ConflictBound::Find(const OpenCut& cut) {
  Prepare(cut);
  ListPairs();
  Cost sum = PayCliques();
  for (const size_t conflict : larger_) {
    if (!ListFree(conflict)) continue;
    Cost amount = CutProblem::kNever;
    for (const Item item : free_) amount = std::min(amount, left_[item]);
    for (const Item item : free_) Spend(item, amount);
    sum += amount;
  }
  return sum;
}

}  // namespace thicket
