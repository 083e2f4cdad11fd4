// Finds the bag that is nearest to a centre.
//
// The centre is rows of terms that are near: a row for each term of a bag, or for each hyper term, in which a term has
// the sum of its steps to all members. A scan measures the distance to every bag. The search asks the index
// (grouping/bags/bag_index.h) ring by ring for bags that have a term near a row, and stops when no bag that was not
// seen can be as near:
//
//   - a bag that was not seen has none of the terms that were asked for in its size, so a row's partner in it is at
//     least as far as the row's next ring; the sum over the rows, and what is unmatched beside them, bound the
//     distance. Rows that have no ring left have no partner;
//   - of all rows the one is asked further that fewest bags answer to;
//   - sizes take turns, the one with the least bound first.
//
// Of a bag that was seen the nearest partners of each row and of each term bound the distance, and where they are
// different they are the matching. The answer is that of the scan: the least cost, and of equals the bag of the lowest
// rank.
//
//   NearestBag search(index, {});
//   search.SetCentre(terms);
//   search.Exclude(owner);
//   const NearestBag::Found found = search.Nearest();
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "grouping/bags/bag_index.h"
#include "grouping/bags/bag_matching.h"

namespace thicket {

// What is near all terms of a hyper term, with the sum of the steps; ascending by (steps, term).
using NearList = std::vector<TermDistances::Near>;

class NearestBag {
 public:
  using Rank = BagIndex::Rank;
  using Cost = BagCosts::Cost;

  struct Options {
    std::optional<double> omega = std::nullopt;
    BagMatching matching = BagMatching::kExact;
    // Every bag exactly: slow, for tests and benchmarks.
    bool exhaustive = false;
  };
  struct Found {
    Rank rank = BagIndex::kNone;
    Cost cost = 0;
  };
  struct Statistics {
    uint64_t candidates = 0;  // bags that a full scan would have compared
    uint64_t compared = 0;    // bags that were looked at
  };

  // The index must outlive the search, and may not change while Nearest() runs.
  NearestBag(const BagIndex& index, const Options& options);

  void SetCentre(std::span<const uint32_t> terms);
  // Rows of so many members each. The lists must stay until the next centre.
  void SetCentre(std::span<const NearList> rows, uint64_t members);

  // Bags of these owners are not looked for, until ExcludeNobody().
  void Exclude(uint32_t owner);
  void ExcludeNobody();

  // Nothing (kNone) if all bags are gone or excluded.
  Found Nearest();
  const Statistics& statistics() const { return statistics_; }

 private:
  // Rows with the same list.
  struct Group {
    std::span<const TermDistances::Near> near;
    std::span<const BagIndex::Ring> rings;
    std::vector<uint32_t> rows;
    // Of the bag that is looked at: its nearest term.
    uint32_t least = 0;
    uint32_t least_column = 0;
    uint64_t seen_in = 0;
    // The rows in the table that is filled.
    std::vector<uint32_t> table_rows;
  };
  // That a group's list has a term.
  struct Mention {
    uint32_t next;
    uint32_t group;
    uint32_t steps;
  };
  struct Edge {
    uint32_t group;
    uint32_t column;
    uint32_t steps;
  };
  // How far bags of a size were asked for.
  struct OpenBin {
    size_t bin;
    Cost bound;
    std::vector<uint32_t> next_ring;  // by group
  };

  void AddGroup(std::span<const TermDistances::Near> near, std::span<const BagIndex::Ring> rings);
  void StartCentre();
  bool IsExcluded(Rank rank) const { return excluded_in_[index_->owner(rank)] == exclusion_; }
  bool IsNearer(Cost cost, Rank rank) const {
    return cost != best_.cost ? cost < best_.cost : rank < best_.rank;
  }
  void Scan();
  // At a bag that is there.
  void Look(Rank rank);
  // Of the bag that is looked at: so many of its terms, and so many rows, have an edge.
  Cost MeasureExactly(size_t terms, size_t columns, size_t rows);
  // Whether the terms nearest to the rows are different ones. Then they are the best matching, and the greedy one, too.
  bool NearestAreDifferent();
  void LookAtEqual();
  // How many terms the bag would have that has the least bound.
  size_t BestSize();
  // What is next in each row, nearest first.
  void SortAhead(std::span<const uint32_t> next_ring);
  void OpenNext(size_t bin);
  // The least cost of a bag of the bin that was not seen; kNever if there is none with a relevant term.
  Cost BoundOf(const OpenBin& open);
  void Ask(OpenBin& open);

  static constexpr Cost kNever = ~Cost{0};

  const BagIndex* index_;
  Options options_;
  BagCosts costs_;
  BagMatcher matcher_;
  MatchingTable table_;

  size_t row_count_ = 0;
  std::vector<Group> groups_;
  size_t group_count_ = 0;
  // Of a centre that is a bag. Only a bag with the same terms is 0 steps from the centre, unless terms have twins:
  // others 0 steps away.
  std::vector<uint32_t> centre_terms_;
  bool has_twins_ = false;
  std::vector<BagIndex::Ring> own_rings_;
  // By term: the last mention, if it is of this centre: mentions are numbered on over all centres.
  std::vector<uint32_t> last_mention_;
  std::vector<Mention> mentions_;
  uint32_t first_mention_ = 1;

  std::vector<uint32_t> excluded_in_;  // by owner
  uint32_t exclusion_ = 1;
  std::vector<uint32_t> seen_in_;  // by rank
  uint32_t search_ = 0;
  uint64_t look_ = 0;
  Found best_;
  std::vector<Edge> edges_;
  std::vector<uint32_t> touched_;
  std::vector<uint64_t> taken_in_;                            // by column
  std::vector<std::pair<uint32_t, uint32_t>> rows_of_table_;  // rows and groups
  std::vector<std::pair<uint32_t, uint32_t>> ahead_;  // steps and rows, while a bound is computed
  std::vector<OpenBin> open_;
  size_t open_count_ = 0;
  std::vector<std::pair<Cost, size_t>> queue_;
  Statistics statistics_;
};

}  // namespace thicket
