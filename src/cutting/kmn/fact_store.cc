#include "cutting/kmn/fact_store.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

namespace {

void Unite(const ShapeWords& from, ShapeWords& into) {
  if (into.empty()) into.resize(from.size(), 0);
  for (size_t i = 0; i < from.size(); ++i) into[i] |= from[i];
}

}  // namespace

FactStore::FactStore(const ItemHierarchy& items, const Shapes& shapes, const FactRows& rows)
    : items_(&items),
      shapes_(&shapes),
      rows_(&rows),
      knows_presence_(items.size(), 0),
      knows_relations_(items.size(), 0),
      children_meet_(items.size(), 0),
      present_(items.size()),
      over_(items.size()) {
  for (uint32_t shape = 0; shape < shapes.size(); ++shape) {
    shape_of_row_.resize(rows.first(shape + size_t{1}), shape);
  }
  for (Item item = 0; item < items.size(); ++item) {
    lowest_known_.push_back(items.attribute(item).left_out);
  }
}

void FactStore::Learn(std::span<const Item> above, bool relations) {
  const std::lock_guard lock(mutex_);
  for (const Item item : above) {
    if (knows_presence_[item] == 0) LearnPresence(item);
    if (relations && knows_relations_[item] == 0) LearnRelations(item);
  }
}

template <typename Use>
void FactStore::ForEachShapeWith(Item item, const Use& use) const {
  if (!items_->is_left_out(item)) {
    ForEachShapeOf(present_[item].words, use);
    return;
  }
  for (uint32_t shape = 0; shape < shapes_->size(); ++shape) use(shape);
}

void FactStore::LearnPresence(Item item) {
  const auto children = items_->Children(item);
  for (const Item child : children) present_[child] = ShapeSet(rows_->size());
  const uint32_t attribute = items_->attribute_of(item);
  ForEachShapeWith(item, [&](uint32_t shape) {
    StopPoint();
    for (uint32_t node = shapes_->first(shape); node < shapes_->end(shape); ++node) {
      Item child = shapes_->item(node);
      if (items_->attribute_of(child) != attribute) continue;
      // A parent has a lower number than its children.
      while (child > item && items_->parent(child) != item) child = items_->parent(child);
      if (child > item) AddRowsOf(*rows_, shape, present_[child].words);
    }
  });
  ShapeWords any(ShapeWordCount(rows_->size()), 0);
  for (const Item child : children) {
    ShapeSet& set = present_[child];
    ForEachShape(set.words, [&](uint32_t row) { set.records += rows_->weight(row); });
    for (size_t i = 0; i < any.size(); ++i) {
      if ((any[i] & set.words[i]) != 0) children_meet_[item] = 1;
      any[i] |= set.words[i];
    }
  }
  knows_presence_[item] = 1;
}

void FactStore::LearnRelations(Item item) {
  for (Item below = item + 1; below < items_->attribute(item).end; ++below) {
    if (lowest_known_[below] != item) continue;
    const Item above = items_->parent(below);
    lowest_known_[below] = above == item ? below : lowest_known_[above];
  }
  knows_relations_[item] = 1;
  if (items_->IsOfRoot(items_->attribute_of(item))) return;
  std::unordered_map<uint64_t, ShapeWords> fresh;
  std::vector<uint64_t> pairs;
  ForEachShapeWith(item, [&](uint32_t shape) {
    StopPoint();
    pairs.clear();
    for (uint32_t node = shapes_->first(shape); node < shapes_->end(shape); ++node) {
      const Item lower = lowest_known_[shapes_->item(node)];
      if (items_->is_left_out(lower)) continue;
      const bool is_fresh = items_->parent(lower) == item;
      for (uint32_t above = shapes_->parent(node); above != Shapes::kNoParent;
           above = shapes_->parent(above)) {
        const Item upper = lowest_known_[shapes_->item(above)];
        if (items_->IsOfRoot(items_->attribute_of(upper))) break;
        if (items_->is_left_out(upper)) continue;
        if (is_fresh || items_->parent(upper) == item) pairs.push_back(Pair(upper, lower));
      }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const uint64_t pair : pairs) {
      ShapeWords& set = fresh[pair];
      if (set.empty()) set.resize(ShapeWordCount(rows_->size()), 0);
      AddRowsOf(*rows_, shape, set);
    }
  });
  Keep(item, fresh);
}

void FactStore::Keep(Item parent, std::unordered_map<uint64_t, ShapeWords>& pairs) {
  std::vector<uint64_t> lowest;
  for (const auto& [pair, set] : pairs) lowest.push_back(pair);
  for (const uint64_t pair : lowest) {
    StopPoint();
    const auto upper = static_cast<Item>(pair >> 32);
    const auto lower = static_cast<Item>(pair);
    // The map's sets stay where they are while others are added.
    const ShapeWords& set = pairs.at(pair);
    const bool is_upper_fresh = items_->parent(upper) == parent;
    for (Item up = items_->parent(is_upper_fresh ? lower : upper); !items_->is_left_out(up);
         up = items_->parent(up)) {
      Unite(set, pairs[is_upper_fresh ? Pair(upper, up) : Pair(up, lower)]);
    }
  }
  for (auto& [pair, set] : pairs) {
    sets_.push_back(std::move(set));
    over_[pair >> 32].emplace_back(static_cast<Item>(pair), &sets_.back());
  }
}

}  // namespace thicket
