#include "cutting/sets/set_problem.h"

#include <algorithm>

namespace thicket {

namespace {

constexpr Item kNone = ~Item{0};

}  // namespace

SetSpace::SetSpace(const Conflicts& conflicts, bool reduce)
    : is_infeasible_(conflicts.is_infeasible()) {
  const ItemSets& sets = conflicts.sets();
  const ItemForest& all = sets.forest();
  std::vector<bool> has_conflict(all.size(), !reduce);
  for (size_t i = 0; i < conflicts.size(); ++i) {
    for (const Item item : conflicts[i]) has_conflict[item] = true;
  }
  // By item of the database: whether it is specialized from the start; whether it is at or below what may be shown.
  std::vector<bool> is_given(all.size(), false);
  number_.assign(all.size(), kNone);
  std::vector<Item> parents;
  for (Item item = 0; item < all.size(); ++item) {
    const Item parent = all.parent(item);
    const bool is_top = all.is_root(item) || is_given[parent];
    if (!is_top && number_[parent] == kNone) continue;
    if (!is_top && reduce && conflicts.is_locked(parent)) continue;
    if (is_top && !has_conflict[item] && !conflicts.is_locked(item)) {
      is_given[item] = true;
      continue;
    }
    number_[item] = static_cast<Item>(shown_.size());
    parents.push_back(is_top ? number_[item] : number_[parent]);
    shown_.push_back(item);
    cost_.push_back(sets.cost(item));
  }
  forest_ = ItemForest(parents);
  floor_.assign(size(), 0);
  for (auto item = static_cast<Item>(size()); item-- > 0;) {
    if (forest_.is_leaf(item)) floor_[item] = cost_[item];
    if (!forest_.is_root(item)) floor_[forest_.parent(item)] += floor_[item];
  }
  for (size_t i = 0; i < conflicts.size(); ++i) {
    const std::span<const Item> items = conflicts[i];
    // A conflict with an item that is not specialized anyway says nothing.
    const bool is_void = std::any_of(items.begin(), items.end(), [&](Item item) {
      return number_[item] == kNone || forest_.is_leaf(number_[item]);
    });
    if (is_void) continue;
    for (const Item item : items) items_.push_back(number_[item]);
    first_.push_back(items_.size());
  }
  first_of_.assign(size() + 1, 0);
  for (const Item item : items_) ++first_of_[item + 1];
  for (size_t item = 0; item < size(); ++item) first_of_[item + 1] += first_of_[item];
  of_item_.resize(items_.size());
  std::vector<size_t> next(first_of_.begin(), first_of_.end() - 1);
  for (uint32_t i = 0; i < conflict_count(); ++i) {
    for (const Item item : conflict(i)) of_item_[next[item]++] = i;
  }
}

std::vector<Item> SetSpace::Labels(std::span<const Item> items) const {
  std::vector<Item> labels;
  for (const Item item : items) labels.push_back(shown_[item]);
  std::sort(labels.begin(), labels.end());
  return labels;
}

SetProblem::SetProblem(const SetSpace& space, Options options)
    : space_(&space), options_(options), last_of_(space.size(), 0), conflict_bound_(space) {
  for (const Item root : forest().roots()) {
    cost_ += space.cost(root);
    floor_ += space.floor(root);
  }
  for (size_t i = 0; i < space.conflict_count(); ++i) {
    const std::span<const Item> items = space.conflict(i);
    left_.push_back(static_cast<uint32_t>(items.size()));
    Item all = 0;
    for (const Item item : items) all ^= item;
    left_items_.push_back(all);
    if (items.size() == 1) ++last_of_[all];
  }
}

void SetProblem::Save() { frames_.push_back({specialized_.size(), cost_, floor_}); }

void SetProblem::Restore() {
  for (; specialized_.size() > frames_.back().specialized; specialized_.pop_back()) {
    const Item value = specialized_.back();
    for (const uint32_t conflict : space_->conflicts_of(value)) {
      if (left_[conflict] == 1) --last_of_[left_items_[conflict]];
      ++left_[conflict];
      left_items_[conflict] ^= value;
    }
  }
  cost_ = frames_.back().cost;
  floor_ = frames_.back().floor;
  frames_.pop_back();
}

void SetProblem::Specialize(const OpenCut& /*cut*/, Item value) {
  specialized_.push_back(value);
  cost_ -= space_->cost(value);
  for (const Item child : forest().Children(value)) cost_ += space_->cost(child);
  for (const uint32_t conflict : space_->conflicts_of(value)) {
    left_items_[conflict] ^= value;
    if (--left_[conflict] == 1) ++last_of_[left_items_[conflict]];
  }
}

void SetProblem::Lock(const OpenCut& /*cut*/, Item value) {
  floor_ += space_->cost(value) - space_->floor(value);
}

CutProblem::Verdict SetProblem::Judge(const OpenCut& /*cut*/) {
  if (space_->is_infeasible()) return {Validity::kAllInvalid, 0};
  return {Validity::kValid, cost_};
}

CutProblem::Cost SetProblem::Bound(const OpenCut& cut) {
  if (!options_.by_cost) return 0;
  return floor_ + (options_.by_conflicts ? conflict_bound_.Find(cut) : 0);
}

void SetProblem::ListHopeless(const OpenCut& cut, std::vector<Item>& values) {
  for (const Item value : cut.open()) {
    if (last_of_[value] > 0) values.push_back(value);
  }
}

}  // namespace thicket
