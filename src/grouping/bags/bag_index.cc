#include "grouping/bags/bag_index.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "base/stop.h"

namespace thicket {

namespace {

// Sizes share lists with the next ones until they have this part of the bags: short lists cost more than they tell.
constexpr size_t kLeastShare = 32;

uint64_t Mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

// The same in any order of the terms.
uint64_t HashOf(std::span<const uint32_t> terms) {
  uint64_t sum = 0;
  for (const uint32_t term : terms) sum += Mix(uint64_t{term} + 1);
  // Not 0, which marks a free slot.
  return Mix(sum + terms.size()) | 1;
}

}  // namespace

BagIndex::BagIndex(const Bags& bags, const TermDistances& distances, Parallel& parallel)
    : distances_(&distances), term_count_(distances.term_count()) {
  Sort(bags);
  FindBins();
  FindPostings();
  FindEqual();
  FindRings(parallel);
}

void BagIndex::Sort(const Bags& bags) {
  bag_.resize(bags.size());
  std::iota(bag_.begin(), bag_.end(), 0);
  std::stable_sort(bag_.begin(), bag_.end(), [&](uint32_t a, uint32_t b) {
    return bags.terms(a).size() < bags.terms(b).size();
  });
  terms_.reserve(bags.occurrences());
  first_term_.reserve(bags.size() + 1);
  owner_.reserve(bags.size());
  hash_.reserve(bags.size());
  std::unordered_map<uint32_t, uint32_t> number_of;
  for (const uint32_t bag : bag_) {
    StopPoint();
    const auto terms = bags.terms(bag);
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    first_term_.push_back(static_cast<uint32_t>(terms_.size()));
    owner_.push_back(number_of.try_emplace(bags.owner(bag), static_cast<uint32_t>(number_of.size()))
                         .first->second);
    hash_.push_back(HashOf(terms));
  }
  owner_count_ = number_of.size();
  is_there_.assign(bags.size(), 1);
  left_ = bags.size();
}

void BagIndex::FindBins() {
  bin_of_.reserve(size());
  for (Rank rank = 0; rank < size(); ++rank) {
    const auto terms = static_cast<uint32_t>(first_term_[rank + 1] - first_term_[rank]);
    const bool fits = !bins_.empty() && (terms == bins_.back().most ||
                                         rank - bins_.back().begin < size() / kLeastShare);
    if (!fits) bins_.push_back({terms, terms, rank, rank});
    bins_.back().most = terms;
    bins_.back().end = rank + 1;
    bin_of_.push_back(static_cast<uint32_t>(bins_.size() - 1));
  }
}

// A counting sort by bin and term: ranks ascend in each list, as they come.
void BagIndex::FindPostings() {
  lists_.resize(bins_.size() * term_count_);
  bags_with_.assign(term_count_, 0);
  // The last bag that was seen with the term, so that repeats count once.
  std::vector<Rank> last(term_count_, kNone);
  uint32_t all = 0;
  for (Rank rank = 0; rank < size(); ++rank) {
    for (const uint32_t term : terms(rank)) {
      if (last[term] == rank) continue;
      last[term] = rank;
      ++ListOf(bin_of_[rank], term).size;
      ++bags_with_[term];
      ++all;
    }
  }
  ranks_.resize(all);
  uint32_t begin = 0;
  for (List& list : lists_) {
    list.begin = begin;
    begin += list.size;
    list.size = 0;
  }
  std::fill(last.begin(), last.end(), kNone);
  for (Rank rank = 0; rank < size(); ++rank) {
    StopPoint();
    for (const uint32_t term : terms(rank)) {
      if (last[term] == rank) continue;
      last[term] = rank;
      List& list = ListOf(bin_of_[rank], term);
      ranks_[list.begin + list.size++] = rank;
    }
  }
}

// An open hash table of lists.
void BagIndex::FindEqual() {
  const size_t slots = std::bit_ceil(2 * size() + 1);
  slot_hash_.assign(slots, 0);
  slot_list_.resize(slots);
  for (const uint64_t hash : hash_) {
    const size_t slot = EqualSlot(hash);
    slot_hash_[slot] = hash;
    ++slot_list_[slot].size;
  }
  uint32_t begin = 0;
  for (List& list : slot_list_) {
    list.begin = begin;
    begin += list.size;
    list.size = 0;
  }
  equal_ranks_.resize(size());
  for (Rank rank = 0; rank < size(); ++rank) {
    List& list = slot_list_[EqualSlot(hash_[rank])];
    equal_ranks_[list.begin + list.size++] = rank;
  }
}

size_t BagIndex::EqualSlot(uint64_t hash) const {
  const size_t mask = slot_hash_.size() - 1;
  size_t slot = hash & mask;
  while (slot_hash_[slot] != hash && slot_hash_[slot] != 0) slot = (slot + 1) & mask;
  return slot;
}

std::span<const BagIndex::Rank> BagIndex::MaybeEqual(std::span<const uint32_t> terms) const {
  const List& list = slot_list_[EqualSlot(HashOf(terms))];
  return {equal_ranks_.data() + list.begin, list.size};
}

void AppendRings(std::span<const TermDistances::Near> near, const BagIndex& index,
                 std::vector<BagIndex::Ring>& rings) {
  const size_t first = rings.size();
  for (uint32_t i = 0; i < near.size(); ++i) {
    if (rings.size() == first || rings.back().steps != near[i].steps) {
      rings.push_back({near[i].steps, i, i, 0, 0});
    }
    rings.back().end = i + 1;
    rings.back().bags += index.bags_with(near[i].term);
  }
  uint64_t from_here = 0;
  for (size_t ring = rings.size(); ring > first; --ring) {
    from_here += rings[ring - 1].bags;
    rings[ring - 1].bags_from_here = from_here;
  }
}

void BagIndex::FindRings(Parallel& parallel) {
  std::vector<std::vector<Ring>> of_term(term_count_);
  parallel.For(term_count_, 64, [&](size_t begin, size_t end) {
    for (size_t term = begin; term < end; ++term) {
      StopPoint();
      AppendRings(distances_->NearTo(static_cast<uint32_t>(term)), *this, of_term[term]);
    }
  });
  first_ring_.reserve(term_count_ + 1);
  for (const std::vector<Ring>& rings : of_term) {
    rings_.insert(rings_.end(), rings.begin(), rings.end());
    first_ring_.push_back(rings_.size());
  }
}

BagIndex::Rank BagIndex::Next(Rank from) const {
  const auto at =
      std::find(is_there_.begin() + std::max(from, first_), is_there_.end(), uint8_t{1});
  return at == is_there_.end() ? kNone : static_cast<Rank>(at - is_there_.begin());
}

size_t BagIndex::BinFrom(size_t terms) const {
  const auto bin = std::lower_bound(bins_.begin(), bins_.end(), terms,
                                    [](const Bin& a, size_t size) { return a.most < size; });
  return static_cast<size_t>(bin - bins_.begin());
}

void BagIndex::CountGone(List& list, std::vector<Rank>& ranks) const {
  if (2 * ++list.gone <= list.size) return;
  const auto begin = ranks.begin() + list.begin;
  const auto end =
      std::remove_if(begin, begin + list.size, [&](Rank rank) { return !is_there(rank); });
  list.size = static_cast<uint32_t>(end - begin);
  list.gone = 0;
}

void BagIndex::Remove(Rank rank) {
  is_there_[rank] = 0;
  --left_;
  while (first_ < size() && !is_there(first_)) ++first_;
  CountGone(slot_list_[EqualSlot(hash_[rank])], equal_ranks_);
  // A term that the bag has twice is counted twice, so that its list is closed up a little earlier.
  for (const uint32_t term : terms(rank)) {
    CountGone(ListOf(bin_of_[rank], term), ranks_);
  }
}

}  // namespace thicket
