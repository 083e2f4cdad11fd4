// What is true of which records, whatever the cut: which of them show anything at or below an item, and in which of
// them something at or below one item stands above something at or below another, as bitmaps over rows.
//
// As long as nothing is broken, no cut changes that: labels are generalized and left out, and what stands above what
// stays. So a search finds it out once for every item that one of its cuts reaches, from the records that have the
// item's parent, and not anew for every cut. FactIndex (fact_index.h) is what a cut makes of it.
//
//   FactStore store(items, shapes, rows);
//   store.Learn(above, true);                    // of the children of the items above a cut
//   store.present(item);
//   store.ForEachOver(item, [&](Item lower, const ShapeWords& rows) { ... });
//
// Learning an item's children is O(nodes of the records that have the item), and one bitmap for each pair of items that
// are related anywhere. Learn() and ForEachOver() may be called from several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cutting/kmn/fact_rows.h"
#include "cutting/kmn/item_hierarchy.h"
#include "cutting/kmn/shape_set.h"
#include "cutting/kmn/shapes.h"

namespace thicket {

class FactStore {
 public:
  // `rows` are of the shapes; all must outlive the store.
  FactStore(const ItemHierarchy& items, const Shapes& shapes, const FactRows& rows);

  const ItemHierarchy& items() const { return *items_; }
  const Shapes& shapes() const { return *shapes_; }
  const FactRows& rows() const { return *rows_; }

  // Finds out about the children of items: who shows them, and with `relations` also what they stand above and below.
  // The parent of an item must have been learnt before, or stand before the item in `above`. What is known is not
  // looked for again.
  void Learn(std::span<const Item> above, bool relations);

  // Who shows anything at or below the item, of which the parent has been learnt.
  const ShapeSet& present(Item item) const { return present_[item]; }
  // Whether some record shows something at or below two children of the item, which has been learnt.
  bool children_meet(Item item) const { return children_meet_[item] != 0; }
  // Items at or below which something stands below something at or below `upper`, and in which rows. Of learnt
  // relations; none for items of the record's root: below them is everything that the record has.
  template <typename Use>
  void ForEachOver(Item upper, const Use& use) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [lower, rows] : over_[upper]) use(lower, *rows);
  }
  // Calls `use` for each shape of which rows are in the set; ascending.
  template <typename Use>
  void ForEachShapeOf(const ShapeWords& set, const Use& use) const {
    uint32_t next = 0;
    ForEachShape(set, [&](uint32_t row) {
      if (row < next) return;
      const uint32_t shape = shape_of_row_[row];
      next = rows_->first(shape + size_t{1});
      use(shape);
    });
  }

 private:
  static uint64_t Pair(Item upper, Item lower) { return uint64_t{upper} << 32 | lower; }
  template <typename Use>
  void ForEachShapeWith(Item item, const Use& use) const;
  void LearnPresence(Item item);
  void LearnRelations(Item item);
  // Keeps pairs of a child of `parent` and the lowest known item that is related to it, and adds what stands above the
  // latter.
  void Keep(Item parent, std::unordered_map<uint64_t, ShapeWords>& pairs);

  const ItemHierarchy* items_;
  const Shapes* shapes_;
  const FactRows* rows_;
  std::vector<uint32_t> shape_of_row_;
  mutable std::mutex mutex_;
  // By item: what has been learnt of its children.
  std::vector<uint8_t> knows_presence_;
  std::vector<uint8_t> knows_relations_;
  std::vector<uint8_t> children_meet_;
  std::vector<ShapeSet> present_;
  // By item: the lowest one at or above it whose relations are known; a left-out item if there is none.
  std::vector<Item> lowest_known_;
  // By upper item.
  std::vector<std::vector<std::pair<Item, const ShapeWords*>>> over_;
  std::deque<ShapeWords> sets_;
};

// Adds the rows of a shape to a set, or takes them out.
inline void AddRowsOf(const FactRows& rows, uint32_t shape, ShapeWords& set) {
  for (uint32_t row = rows.first(shape); row < rows.first(shape + size_t{1}); ++row) {
    set[row / 64] |= uint64_t{1} << (row % 64);
  }
}
inline void RemoveRowsOf(const FactRows& rows, uint32_t shape, ShapeWords& set) {
  for (uint32_t row = rows.first(shape); row < rows.first(shape + size_t{1}); ++row) {
    set[row / 64] &= ~(uint64_t{1} << (row % 64));
  }
}

}  // namespace thicket
