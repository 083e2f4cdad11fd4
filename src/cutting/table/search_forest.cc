#include "cutting/table/search_forest.h"

#include <utility>

namespace thicket {

SearchForest::SearchForest(const TableTask& task, bool contract) : task_(&task) {
  AddItems(contract);
  FindPlaces();
}

void SearchForest::AddItems(bool contract) {
  const Table& table = task_->table();
  const ItemForest& all = table.forest();
  std::vector<Item> parents;
  // By item of the table: the one that stands for it here.
  of_leaf_.assign(all.size(), 0);
  for (size_t quasi = 0; quasi < table.quasi_count(); ++quasi) {
    for (Item item = table.first_item(quasi); item < table.first_item(quasi + 1); ++item) {
      const bool is_root = all.is_root(item);
      if (table.occurrences(item) == 0 && !is_root) continue;
      const bool is_whole = contract && !is_root && table.occurrences(item) > 0 &&
                            table.occurrences(item) == table.occurrences(all.parent(item));
      if (is_whole) {
        of_leaf_[item] = of_leaf_[all.parent(item)];
        shown_[of_leaf_[item]] = item;
        continue;
      }
      const auto number = static_cast<Item>(parents.size());
      of_leaf_[item] = number;
      parents.push_back(is_root ? number : of_leaf_[all.parent(item)]);
      shown_.push_back(item);
      quasi_of_.push_back(static_cast<uint32_t>(quasi));
      occurrences_.push_back(table.occurrences(item));
    }
    first_item_.push_back(static_cast<Item>(parents.size()));
  }
  for (const Item item : shown_) loss_.push_back(task_->loss(item));
  forest_ = ItemForest(std::move(parents));
}

void SearchForest::FindPlaces() {
  place_.resize(size());
  end_.resize(size());
  // How many items are at or below each; then each begins where its elder sibling ends.
  std::vector<uint32_t> count(size(), 1);
  for (auto item = static_cast<Item>(size()); item-- > 0;) {
    if (!forest_.is_root(item)) count[forest_.parent(item)] += count[item];
  }
  uint32_t next = 0;
  for (const Item root : forest_.roots()) {
    place_[root] = next;
    next += count[root];
  }
  for (Item item = 0; item < size(); ++item) {
    end_[item] = place_[item] + count[item];
    uint32_t below = place_[item] + 1;
    for (const Item child : forest_.Children(item)) {
      place_[child] = below;
      below += count[child];
    }
  }
}

std::vector<Item> SearchForest::Labels(std::span<const Item> items) const {
  const Table& table = task_->table();
  const ItemForest& all = table.forest();
  std::vector<bool> is_shown(all.size(), false);
  for (const Item item : items) is_shown[shown_[item]] = true;
  std::vector<bool> is_above(all.size(), false);
  std::vector<Item> labels;
  for (Item item = 0; item < all.size(); ++item) {
    if (!all.is_root(item) && !is_above[all.parent(item)]) continue;
    if (is_shown[item] || table.occurrences(item) == 0) {
      labels.push_back(item);
    } else {
      is_above[item] = true;
    }
  }
  return labels;
}

}  // namespace thicket
