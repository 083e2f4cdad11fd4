// The records of `baskets`: sets of the shape of BMS-POS, the sales of a shop over several years (Section 4.5 of Liu 2010, Table
// 4.3), drawn from a distribution of their own.
//
// No set comes from BMS-POS. What is alike: 1,657 items, 6.5 of them in a set on average, most sets small and a few with up to
// 164 items; a handful of items in a large share of all sets, and a long tail of items that hardly anybody buys. Items are bought
// together: the first item of a set says what the shopper is there for, one of 60 errands that has every sixtieth item by
// popularity, and half of the others belong to that errand. Which number an item has says neither how popular it is nor
// which errand it belongs to, so a taxonomy over the numbers is as good as a random one.
//
//   BasketWriter writer(seed);
//   writer.Append(0, line);   // 17 388 1204
//
// Only whole numbers are used, so every machine draws the same sets. Constant time per set, on average.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace thicket {

inline constexpr uint32_t kBasketItems = 1657;
inline constexpr uint64_t kLargestBasket = 164;
// A little fewer than BMS-POS has.
inline constexpr uint64_t kBasketRecords = 500'000;

class BasketWriter {
 public:
  explicit BasketWriter(uint64_t seed);

  // As StudentWriter::Append: sets must be asked for in their order. A line of items, ascending.
  void Append(uint64_t number, std::string& out);

 private:
  // Items with the sums of their weights up to and including their own.
  struct Choice {
    std::vector<uint32_t> ranks;
    std::vector<uint64_t> sums;
  };
  static void Add(uint32_t rank, uint64_t weight, Choice& choice);
  uint32_t Draw(const Choice& choice);
  uint64_t DrawSize();

  Random random_;
  // By popularity: the number of the item.
  std::vector<uint32_t> item_of_rank_;
  Choice all_;
  std::vector<Choice> errands_;
  // By rank: the last set that the item was drawn for.
  std::vector<uint64_t> drawn_for_;
};

// The taxonomy file: groups of twelve neighbours, and groups of twelve of these.
std::string BasketItemTaxonomy();

}  // namespace thicket
