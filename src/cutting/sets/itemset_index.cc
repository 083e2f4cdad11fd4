#include "cutting/sets/itemset_index.h"

#include <algorithm>

namespace thicket {

std::vector<Item> LowestItems(const ItemSets& sets, std::span<const Item> itemset) {
  std::vector<Item> ordered(itemset.begin(), itemset.end());
  std::sort(ordered.begin(), ordered.end(),
            [&](Item a, Item b) { return sets.place(a) < sets.place(b); });
  std::vector<Item> lowest;
  for (const Item item : ordered) {
    // What is above an item stands right before the items below it.
    while (!lowest.empty() && sets.IsAtOrAbove(lowest.back(), item)) lowest.pop_back();
    lowest.push_back(item);
  }
  return lowest;
}

std::vector<Item> ItemsetIndex::Ordered(std::span<const Item> itemset) const {
  std::vector<Item> ordered(itemset.begin(), itemset.end());
  std::sort(ordered.begin(), ordered.end(),
            [&](Item a, Item b) { return sets_->place(a) > sets_->place(b); });
  return ordered;
}

bool ItemsetIndex::Add(std::span<const Item> itemset) {
  TrieNode node = 0;
  for (const Item item : Ordered(itemset)) {
    const auto fresh = static_cast<TrieNode>(is_end_.size());
    const auto [found, is_new] = next_.try_emplace(Key(node, item), fresh);
    if (is_new) is_end_.push_back(false);
    node = found->second;
  }
  if (is_end_[node]) return false;
  is_end_[node] = true;
  return true;
}

bool ItemsetIndex::HasGeneralizationOf(std::span<const Item> itemset) const {
  return Follow(0, Ordered(itemset));
}

bool ItemsetIndex::Follow(TrieNode from, std::span<const Item> rest) const {
  if (is_end_[from]) return true;
  const ItemForest& forest = sets_->forest();
  for (size_t i = 0; i < rest.size(); ++i) {
    for (Item item = rest[i];; item = forest.parent(item)) {
      // What is above the item before as well was followed there.
      if (i > 0 && sets_->IsAtOrAbove(item, rest[i - 1])) break;
      const auto next = next_.find(Key(from, item));
      if (next != next_.end() && Follow(next->second, rest.subspan(i + 1))) return true;
      if (forest.is_root(item)) break;
    }
  }
  return false;
}

}  // namespace thicket
