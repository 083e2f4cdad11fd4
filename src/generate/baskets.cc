#include "generate/baskets.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "taxonomy/balanced.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket {

namespace {

constexpr uint32_t kErrands = 60;
constexpr size_t kFanout = 12;
// Which item is how popular is the same for every seed, as in one shop.
constexpr uint64_t kShop = 1657;

// A size is one more than the number of times that "another item" is drawn: how often, in thousandths, in a small, a large and a
// huge basket; and how many baskets of a hundred are large or huge.
constexpr uint64_t kAnotherSmall = 748;
constexpr uint64_t kAnotherLarge = 920;
constexpr uint64_t kAnotherHuge = 972;
constexpr uint64_t kLarge = 22;
constexpr uint64_t kHuge = 2;

}  // namespace

BasketWriter::BasketWriter(uint64_t seed)
    : random_(Random::Seeded(seed)), errands_(kErrands), drawn_for_(kBasketItems, 0) {
  for (uint32_t item = 1; item <= kBasketItems; ++item) item_of_rank_.push_back(item);
  Random shop = Random::Seeded(kShop);
  shop.Shuffle(item_of_rank_);
  // Falls as one over the rank, and in the tail faster.
  uint64_t scale = uint64_t{1} << 40;
  for (uint32_t rank = 0; rank < kBasketItems; ++rank) {
    const uint64_t weight = std::max<uint64_t>(1, scale / (rank + 2));
    Add(rank, weight, all_);
    Add(rank, weight, errands_[rank % kErrands]);
    scale = scale / 400 * 399;
  }
}

void BasketWriter::Add(uint32_t rank, uint64_t weight, Choice& choice) {
  choice.ranks.push_back(rank);
  choice.sums.push_back((choice.sums.empty() ? 0 : choice.sums.back()) + weight);
}

uint32_t BasketWriter::Draw(const Choice& choice) {
  const uint64_t point = random_.Below(choice.sums.back());
  const auto found = std::upper_bound(choice.sums.begin(), choice.sums.end(), point);
  return choice.ranks[static_cast<size_t>(found - choice.sums.begin())];
}

uint64_t BasketWriter::DrawSize() {
  const uint64_t kind = random_.Below(100);
  const uint64_t another = kind < kHuge            ? kAnotherHuge
                           : kind < kHuge + kLarge ? kAnotherLarge
                                                   : kAnotherSmall;
  uint64_t size = 1;
  while (size < kLargestBasket && random_.Below(1000) < another) ++size;
  return size;
}

void BasketWriter::Append(uint64_t number, std::string& out) {
  const uint64_t size = DrawSize();
  std::vector<uint32_t> items;
  items.reserve(size);
  const Choice* errand = nullptr;
  // An item that is in the basket already is drawn again; where that goes on for too long the basket stays smaller.
  for (uint64_t left = 10 * size + 20; items.size() < size && left > 0; --left) {
    const bool for_errand = errand != nullptr && random_.Below(2) == 0;
    const uint32_t rank = Draw(for_errand ? *errand : all_);
    if (errand == nullptr) errand = &errands_[rank % kErrands];
    if (drawn_for_[rank] == number + 1) continue;
    drawn_for_[rank] = number + 1;
    items.push_back(item_of_rank_[rank]);
  }
  std::sort(items.begin(), items.end());
  for (size_t i = 0; i < items.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : " ", items[i]);
  }
  out += '\n';
}

std::string BasketItemTaxonomy() {
  std::vector<std::string> items;
  for (uint32_t item = 1; item <= kBasketItems; ++item) items.push_back(std::to_string(item));
  return FormatTaxonomy(BalancedTaxonomy(std::move(items), kFanout));
}

}  // namespace thicket
