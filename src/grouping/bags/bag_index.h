// The bags that nobody has taken yet, found by their terms.
//
// Bags are numbered by their rank: ascending by how many terms they have, of equals in the order of the data (Algorithm
// 5.1 of Liu 2010 sorts them so). For each term and size of bags there is a list of the bags of that size that have the
// term; large sizes share lists with their neighbours (bins). Equal bags have a list, too. A bag that is taken is
// marked, and lists are closed up when half of their bags are gone.
//
//   BagIndex index(bags, distances, parallel);
//   for (BagIndex::Rank rank : index.WithTerm(bin, term)) if (index.is_there(rank)) ...
//   index.Remove(rank);
//
// What is near a term stands in rings: all terms at the same distance, with how many bags have them, so that a search
// (grouping/bags/nearest_bag.h) knows beforehand what to look at first. O(occurrences + pairs of near terms) to build;
// removing all bags costs O(occurrences).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "grouping/bags/bags.h"
#include "taxonomy/term_distances.h"

namespace thicket {

class BagIndex {
 public:
  using Rank = uint32_t;
  static constexpr Rank kNone = ~Rank{0};

  // Bags of about the same size: ranks from `begin` to `end`.
  struct Bin {
    uint32_t least;
    uint32_t most;
    Rank begin;
    Rank end;
  };
  // Terms of one distance: a range of a list that ascends by steps.
  struct Ring {
    uint32_t steps;
    uint32_t begin;
    uint32_t end;
    // How many bags had these terms in the beginning, over all terms; and those of this ring and the farther ones.
    uint64_t bags;
    uint64_t bags_from_here;
  };

  BagIndex(const Bags& bags, const TermDistances& distances, Parallel& parallel);

  size_t size() const { return bag_.size(); }
  // The number that the bag has in the data.
  uint32_t bag(Rank rank) const { return bag_[rank]; }
  // In the order of the data.
  std::span<const uint32_t> terms(Rank rank) const {
    return {terms_.data() + first_term_[rank], first_term_[rank + 1] - first_term_[rank]};
  }
  // Numbered from 0, whatever the numbers in the data.
  uint32_t owner(Rank rank) const { return owner_[rank]; }
  size_t owner_count() const { return owner_count_; }
  const TermDistances& distances() const { return *distances_; }

  bool is_there(Rank rank) const { return is_there_[rank] != 0; }
  size_t left() const { return left_; }
  // The first bag that is there from this rank on; kNone if there is none.
  Rank Next(Rank from) const;
  void Remove(Rank rank);

  std::span<const Bin> bins() const { return bins_; }
  // The first bin that has bags of at least this size; the number of bins if there is none.
  size_t BinFrom(size_t size) const;
  // Bags of the bin that have the term, ascending; some of them may be gone.
  std::span<const Rank> WithTerm(size_t bin, uint32_t term) const {
    const List& list = lists_[term * bins_.size() + bin];
    return {ranks_.data() + list.begin, list.size};
  }
  // Bags among which are all that have exactly these terms, ascending; some of them may be gone.
  std::span<const Rank> MaybeEqual(std::span<const uint32_t> terms) const;
  // Of TermDistances::NearTo(term).
  std::span<const Ring> rings(uint32_t term) const {
    return {rings_.data() + first_ring_[term], first_ring_[term + 1] - first_ring_[term]};
  }
  // How many bags had the term in the beginning.
  uint32_t bags_with(uint32_t term) const { return bags_with_[term]; }

 private:
  struct List {
    uint32_t begin = 0;
    uint32_t size = 0;
    uint32_t gone = 0;
  };

  // Those of a term stand together: sizes are asked for one after the other.
  List& ListOf(size_t bin, uint32_t term) { return lists_[term * bins_.size() + bin]; }

  void Sort(const Bags& bags);
  void FindBins();
  void FindPostings();
  void FindEqual();
  void FindRings(Parallel& parallel);
  void CountGone(List& list, std::vector<Rank>& ranks) const;
  size_t EqualSlot(uint64_t hash) const;

  const TermDistances* distances_;
  size_t term_count_;
  // By rank.
  std::vector<uint32_t> bag_;
  std::vector<uint32_t> first_term_ = {0};
  std::vector<uint32_t> terms_;
  std::vector<uint32_t> owner_;
  std::vector<uint8_t> is_there_;
  size_t owner_count_ = 0;
  size_t left_ = 0;
  // No bag before this one is there.
  Rank first_ = 0;

  std::vector<Bin> bins_;
  std::vector<uint32_t> bin_of_;  // by rank
  // By term and bin, in ranks_.
  std::vector<List> lists_;
  std::vector<Rank> ranks_;
  std::vector<uint32_t> bags_with_;
  // Bags of equal hashes: a list for each slot that is taken, in equal_ranks_.
  std::vector<uint64_t> hash_;       // by rank
  std::vector<uint64_t> slot_hash_;  // 0: the slot is free
  std::vector<List> slot_list_;
  std::vector<Rank> equal_ranks_;

  std::vector<size_t> first_ring_ = {0};
  std::vector<Ring> rings_;
};

// Appends the rings of a list that ascends by steps.
void AppendRings(std::span<const TermDistances::Near> near, const BagIndex& index,
                 std::vector<BagIndex::Ring>& rings);

}  // namespace thicket
