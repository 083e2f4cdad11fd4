// One record leaves each of some classes, and all of them are given out again at the least total loss.
//
// A class without one member is a hole; what the class costs with each of the records that left (and of those that are
// suppressed so far) in the hole is a row of an assignment problem, whose solution is the best of all permutations at once:
// swaps, and cycles over any number of classes. All costs are sums over holes, less the number of records times the
// similarity (matching/merge.h), so the greatest total similarity is the least loss. A class that would be built from the
// same members as it has is kept as it is where that costs less.
//
//   Exchange exchange(model, options);
//   exchange.Run(classes, leaving, spare, stop);   // the sum of the costs falls, or everything stays
//
// Every class keeps its size, and the classes keep the promise. Of the records only those with the best chances, by an upper
// bound of their similarity, are compared with a hole: B classes take at most kCompared * B comparisons of trees and an
// assignment problem of size B. An Exchange owns its buffers: one per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "grouping/candidate_pool.h"
#include "grouping/similarity_bound.h"
#include "matching/linear_assignment.h"
#include "matching/merge.h"

namespace thicket {

// The class of these records, taken in in their order and allowed to stand together in a class of `class_size`; nothing
// if the roots of some may not.
std::optional<Representative> BuildClass(const TreeModel& model, Merger& merger,
                                         std::span<const RecordId> records, int class_size);

class Exchange {
 public:
  // How many records are compared with a hole, at most.
  static constexpr size_t kCompared = 16;

  // The pool must hold all records, and outlive the exchange.
  Exchange(const TreeModel& model, MergeOptions options, const CandidatePool& pool);

  // `leaving`: by class, the index of the member that is given out. `spare`: suppressed records; those that found no class
  // stand there afterwards. Returns by how much the loss fell; nothing is changed if `stop` says so on the way.
  Units Run(std::span<Representative* const> classes, std::span<const size_t> leaving,
            std::span<RecordId> spare, const std::function<bool()>& stop);

 private:
  // A class without the record that leaves; no tree where the rest may not stand together.
  struct Hole {
    std::optional<Representative> rest;
    int size = 0;  // with a record in it
  };

  void OpenHoles(std::span<Representative* const> classes, std::span<const size_t> leaving);
  bool FillGains(std::span<Representative* const> classes, const std::function<bool()>& stop);
  // The records with the best chances in a hole, as indices, if they may be as similar as needed.
  void FindChances(const Representative& rest, Units need);
  // Carries out the exchanges along one path or cycle that begins at `first`, if the loss falls.
  Units Apply(std::span<Representative* const> classes, std::span<RecordId> spare, size_t first);

  const TreeModel* model_;
  const CandidatePool* pool_;
  Merger merger_;
  SimilarityBound bound_;
  AssignmentSolver<int64_t> solver_;
  std::vector<Hole> holes_;
  std::vector<RecordId> records_;  // that leave, by hole; then the spare ones
  std::vector<int64_t> gains_;     // by hole, then record
  std::vector<size_t> taker_;      // by record: the hole that it goes to, or kNobody
  std::vector<bool> done_;         // by hole
  std::vector<VertexPair> pairs_;
  std::vector<Units> bounds_;    // by place
  std::vector<size_t> chances_;  // indices of records
};

}  // namespace thicket
