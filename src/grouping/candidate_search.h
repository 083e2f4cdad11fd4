// Finds the record that costs least to merge into a representative.
//
// A full scan computes the exact cost of every record. The pruned search looks only where a cheap upper bound of the
// similarity leaves a chance, best chances first, and gives up on a record as soon as it is sure to lose; it returns what the full scan
// returns: the least cost, and of equals the record that comes first.
//
//   CandidateSearch search(model, {.merge = {...}}, parallel);
//   auto best = search.Nearest(group, pool);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "grouping/candidate_pool.h"
#include "grouping/child_bound.h"
#include "grouping/similarity_bound.h"
#include "matching/merge.h"

namespace thicket {

struct SearchOptions {
  MergeOptions merge;
  // Only records whose roots may stand with the representative's.
  bool joinable_only = true;
  // Every record exactly, without bounds: slow, for tests and benchmarks.
  bool exhaustive = false;
};

struct SearchStatistics {
  uint64_t candidates = 0;     // records that a full scan would have compared
  uint64_t compared = 0;       // records whose trees were matched, wholly or until they lost
  uint64_t neighbourhood = 0;  // records that were looked at together; 0: all
  uint64_t parts = 0;          // into how many parts the records were divided
};

class CandidateSearch {
 public:
  CandidateSearch(const TreeModel& model, SearchOptions options, Parallel& parallel);

  struct Found {
    RecordId record;
    Units cost;  // CostLine::At(similarity)
  };

  static constexpr Units kNoLimit = CandidatePool::kGone / 2 - 1;

  // Among the records of `pool` that are not members of the group already. With a limit on the cost, nothing if the
  // least cost is above it.
  std::optional<Found> Nearest(const Representative& group, CandidatePool& pool,
                               Units limit = kNoLimit);
  // The vertices that stand together when the record joins.
  void Pair(const Representative& group, RecordId record, std::vector<VertexPair>& pairs);

  // Whether a search is a scan of the roots and no tree is matched.
  bool bounds_are_exact() const { return bound_.exact(); }
  const SearchStatistics& statistics() const { return statistics_; }

 private:
  struct Chance {
    Units least_cost;
    RecordId record;
  };

  // Exact cost, or nothing if it is above `limit` or the record may not join.
  std::optional<Units> CostOf(const Representative& group, RecordId record, Units limit,
                              Merger& merger);
  std::optional<Found> ScanAll(const Representative& group, const CandidatePool& pool, Units limit);
  std::optional<Found> ScanPruned(const Representative& group, const CandidatePool& pool,
                                  Units limit);
  // Fills least_cost_ with the least possible cost of each place, and returns the place of the least of all.
  size_t BoundCosts(const Representative& group, const CandidatePool& pool);
  void CompareChances(const Representative& group, Units limit, std::optional<Found>& best);

  const TreeModel* model_;
  SearchOptions options_;
  Parallel* parallel_;
  SimilarityBound bound_;
  ChildBound child_bound_;
  ChildBound::Loaded loaded_;
  std::vector<Merger> mergers_;        // by worker
  size_t compare_grain_ = 1;           // records that a thread compares in one go
  std::vector<Units> least_cost_;      // by place
  std::vector<Units> least_of_block_;  // by block of places
  std::vector<Chance> chances_;
  std::vector<Units> batch_cost_;
  SearchStatistics statistics_;
};

}  // namespace thicket
