// How many records of each kind are at or below each item, of a group of records.
//
// What a class must suppress follows from how often each kind occurs in the parts that a cut makes of it. An atom is counted
// where its labels are, for all attributes in one pass; what is above follows when the items are visited from the leaves up.
//
//   PlaceCounts counts(items, kind_count);
//   counts.Add(label, record_count, kinds); ...                       // labels of any attributes
//   counts.Visit(top, [&](Item item, std::span<const uint32_t> of_kind, uint64_t size) { ... });   // forgets them
//
// Items are visited by descending place (search_forest.h), so that what is below an item comes before it. Only items that have
// records are visited, however large the taxonomies are: O(kinds) for each, and O(kinds of the atom) to add an atom.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cutting/table/search_forest.h"
#include "cutting/table/table.h"

namespace thicket {

class PlaceCounts {
 public:
  // The items must outlive the counts.
  PlaceCounts(const SearchForest& items, size_t kind_count)
      : items_(&items),
        kind_count_(kind_count),
        item_of_place_(items.size()),
        of_kind_(items.size() * kind_count, 0),
        size_(items.size(), 0),
        has_records_(items.size() / kBits + 1, 0) {
    for (Item item = 0; item < items.size(); ++item) item_of_place_[items.place(item)] = item;
  }

  void Add(Item label, uint64_t records, std::span<const Table::KindCount> kinds) {
    const uint32_t place = items_->place(label);
    Mark(place);
    size_[place] += records;
    uint32_t* counts = of_kind_.data() + place * kind_count_;
    for (const auto& [kind, count] : kinds) counts[kind] += count;
  }

  // Calls visit(item, of_kind, size) for every item with records from the labels up to `top`, which all labels of its attribute
  // must be at or below; then all of these are empty.
  template <typename Body>
  void Visit(Item top, const Body& visit) {
    const uint32_t first = items_->place(top);
    for (uint32_t place = items_->end(top); FindBelow(first, place);) {
      const Item item = item_of_place_[place];
      uint32_t* counts = of_kind_.data() + place * kind_count_;
      visit(item, std::span<const uint32_t>(counts, kind_count_), size_[place]);
      if (place == first) {
        std::fill_n(counts, kind_count_, 0);
      } else {
        const uint32_t above = items_->place(items_->forest().parent(item));
        Mark(above);
        size_[above] += size_[place];
        uint32_t* sums = of_kind_.data() + above * kind_count_;
        for (size_t kind = 0; kind < kind_count_; ++kind) {
          sums[kind] += counts[kind];
          counts[kind] = 0;
        }
      }
      size_[place] = 0;
      has_records_[place / kBits] &= ~(uint64_t{1} << place % kBits);
    }
  }

 private:
  static constexpr uint32_t kBits = 64;

  void Mark(uint32_t place) {
    if (size_[place] == 0) has_records_[place / kBits] |= uint64_t{1} << place % kBits;
  }
  // The last place below `place` and from `first` on that has records, into `place`.
  bool FindBelow(uint32_t first, uint32_t& place) const {
    if (place == first) return false;
    uint32_t word = (place - 1) / kBits;
    uint64_t bits = has_records_[word] & (~uint64_t{0} >> (kBits - 1 - (place - 1) % kBits));
    while (bits == 0 && word > first / kBits) bits = has_records_[--word];
    if (bits == 0) return false;
    place = word * kBits + static_cast<uint32_t>(std::bit_width(bits)) - 1;
    return place >= first;
  }

  const SearchForest* items_;
  size_t kind_count_;
  std::vector<Item> item_of_place_;
  // By place and kind; by place.
  std::vector<uint32_t> of_kind_;
  std::vector<uint64_t> size_;
  // A bit for each place.
  std::vector<uint64_t> has_records_;
};

}  // namespace thicket
