// One record leaves each of some classes, and all of them are given out again at the least total loss.
//
// A class without one member is a hole; what the class costs with each of the records that left (and of those that are
// suppressed so far) in the hole is a row of an assignment problem, whose solution is the best of all permutations at once:
// swaps, and cycles over any number of classes. All costs are sums over holes, less the number of records times the
// similarity (matching/merge.h), so the greatest total similarity is the least loss. A hole may also get its own record
// back, paired anew.
//
//   HoleSearch search(model, options, pool);                       // one per thread
//   search.Fill(group, member, [&](RecordId r) { return leaves[r]; });
//   Exchange exchange(model, options);                             // one per thread
//   exchange.Run(classes, leaving, spare);   // the sum of the costs falls, or everything stays
//
// Every class keeps its size, and the classes keep the promise. Only the records with the best chances in a hole, by an
// upper bound of their similarity, are compared with it, at most kChances of all records, and each at most once while the
// class stays as it is: rounds get cheaper as classes settle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "grouping/candidate_pool.h"
#include "grouping/child_bound.h"
#include "grouping/similarity_bound.h"
#include "matching/linear_assignment.h"
#include "matching/merge.h"

namespace thicket {

// The class of these records, taken in in their order and allowed to stand together in a class of `class_size`; nothing
// if the roots of some may not.
std::optional<Representative> BuildClass(const TreeModel& model, Merger& merger,
                                         std::span<const RecordId> records, int class_size);

// A record that may do well in a hole.
struct Chance {
  static constexpr Units kUnknown = -1;
  RecordId record;
  Units similarity = kUnknown;  // 0 where it is too little
};

// A class, and what is known so far of its holes, by the member that leaves.
class RefinedClass {
 public:
  explicit RefinedClass(Representative tree) { Replace(std::move(tree)); }
  const Representative& tree() const { return tree_; }
  void Replace(Representative tree) {
    tree_ = std::move(tree);
    ForgetHoles();
  }
  void ForgetHoles() { holes_.assign(tree_.member_count(), std::nullopt); }
  // Adjusts how often a sensitive value may stand in a vertex, before a record is offered.
  void SetClassSize(const TreeModel& model, int size) { tree_.SetClassSize(model, size); }
  // Nothing if nobody has looked yet.
  std::optional<std::vector<Chance>>& hole(size_t member) { return holes_[member]; }
  // What the members have in common now, counted once for each of them.
  Units kept() const { return tree_.member_weight() - tree_.cost(); }

 private:
  Representative tree_;
  std::vector<std::optional<std::vector<Chance>>> holes_;
};

// Finds out what records are worth in holes.
class HoleSearch {
 public:
  static constexpr size_t kChances = 128;

  // The pool must hold all records; it and the bound must outlive the search.
  HoleSearch(const TreeModel& model, MergeOptions options, const CandidatePool& pool,
             const ChildBound& child_bound);

  // Compares the records with chances in the hole that `leaves` says are to be had now.
  void Fill(RefinedClass& group, size_t leaving, const std::function<bool(RecordId)>& leaves);

 private:
  std::vector<Chance> FindChances(const Representative& rest, Units need);
  // Keeps the records of best_ with the greatest bounds, of equals the first.
  void KeepBest(size_t count);

  const TreeModel* model_;
  const CandidatePool* pool_;
  Merger merger_;
  SimilarityBound bound_;
  const ChildBound* child_bound_;
  ChildBound::Loaded loaded_;
  std::vector<Units> bounds_;  // by place
  std::vector<RecordId> best_;
};

class Exchange {
 public:
  Exchange(const TreeModel& model, MergeOptions options);

  // `leaving`: by class, the index of the member that is given out; its hole must have been filled. `spare`: suppressed
  // records; those that found no class stand there afterwards. Returns by how much the loss fell.
  Units Run(std::span<RefinedClass* const> classes, std::span<const size_t> leaving,
            std::span<RecordId> spare);

  // Builds the class in other orders of its members, and keeps the best: whom a record is paired with depends on who came
  // before it.
  void PairAgain(RefinedClass& group);

 private:
  void FillGains(std::span<RefinedClass* const> classes, std::span<const size_t> leaving);
  // Carries out the exchanges along one path or cycle that begins at `first`, if the loss falls.
  Units Apply(std::span<RefinedClass* const> classes, std::span<const size_t> leaving,
              std::span<RecordId> spare, size_t first);
  // The class with another record in the hole; nothing where that suppresses it.
  std::optional<Representative> Rebuild(const Representative& old, size_t leaving, RecordId record);

  const TreeModel* model_;
  Merger merger_;
  AssignmentSolver<int64_t> solver_;
  std::vector<RecordId> records_;  // that leave, by hole; then the spare ones
  std::vector<uint32_t> column_;   // by record: its index in records_, or kNobody
  std::vector<int64_t> gains_;     // by hole, then record
  std::vector<size_t> taker_;      // by record: the hole that it goes to, or kNobody
  std::vector<bool> done_;         // by hole
  std::vector<VertexPair> pairs_;
};

}  // namespace thicket
