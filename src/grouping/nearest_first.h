// The records of a pool, nearest to a representative first, as far as they are asked for.
//
// Whoever wants the fifty nearest of a thousand need not compare all. A cheap upper bound of the similarity
// (grouping/similarity_bound.h) gives a least cost for each record; trees are matched from the least of these up, until
// what is asked for costs less than any record that is left can. The order is that of all exact costs, of equals by record.
//
//   NearestFirst nearest(model, merge, parallel);
//   nearest.Begin(seed, pool);
//   nearest.Take(50, found);   // appends the first 50 that may join, fewer if there are no more
//   nearest.Take(50, found);   // and the next
//
// The pool must stay as it is from Begin to the last Take.
#pragma once

#include <cstddef>
#include <vector>

#include "base/parallel.h"
#include "grouping/candidate_pool.h"
#include "grouping/candidate_search.h"
#include "grouping/similarity_bound.h"
#include "matching/merge.h"

namespace thicket {

class NearestFirst {
 public:
  // `exhaustive`: compares everybody, with the same result.
  NearestFirst(const TreeModel& model, MergeOptions merge, bool exhaustive, Parallel& parallel);

  void Begin(const Representative& group, const CandidatePool& pool);
  void Take(size_t count, std::vector<RecordId>& found);

  // How many records were there to compare, and how many were.
  const SearchStatistics& statistics() const { return statistics_; }

 private:
  struct Candidate {
    Units cost;
    RecordId record;
    // For a heap with the nearest on top.
    bool operator<(const Candidate& other) const {
      return cost != other.cost ? cost > other.cost : record > other.record;
    }
  };

  void Compare(size_t count);

  const TreeModel* model_;
  MergeOptions merge_;
  bool exhaustive_;
  Parallel* parallel_;
  SimilarityBound bound_;
  std::vector<Merger> mergers_;  // by worker
  const Representative* group_ = nullptr;
  std::vector<Units> bounds_;        // by place
  std::vector<Candidate> possible_;  // a heap, by least cost
  std::vector<Candidate> compared_;  // a heap, by exact cost
  std::vector<Candidate> batch_;
  SearchStatistics statistics_;
};

}  // namespace thicket
