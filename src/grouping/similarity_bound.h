// How similar a record can be to a representative at the most, without matching their trees.
//
// Two parts. The roots always stand together, so theirs is exact. Below, every vertex of a class is counted at its label
// and at all ancestors of it, per class and attribute: of the vertices at or below a node x, at most min(a_x, b_x) pairs
// can have their common ancestor there or lower. Summed over the nodes, each weighted by what a pair saves more there than
// at x's parent, this is the best matching of the labels if neither parents nor sensitive values mattered, so an upper
// bound. A node counts nothing where the record has a single vertex at or below it, and every vertex of the
// representative there has the sensitive value of that one full. Nodes that only one record has, such as most days of dates, count for
// nobody else, so they are left out: the bound is for records that are no members of the representative.
//
//   SimilarityBound bound(model);
//   bound.Load(representative, pool);
//   bound.Bound(pool, begin, end, bounds);
//
// About 60 ns for a record of 40 vertices where the exact similarity takes 4 us; for roots one pass over the columns of
// the attributes whose labels have changed.
#pragma once

#include <cstdint>
#include <vector>

#include "grouping/candidate_pool.h"
#include "grouping/label_nodes.h"
#include "matching/representative.h"
#include "matching/tree_model.h"

namespace thicket {

class SimilarityBound {
 public:
  explicit SimilarityBound(const TreeModel& model);

  // Prepares for a representative of a class of the pool.
  void Load(const Representative& group, const CandidatePool& pool);

  // For the places [begin, end) of the pool, written to bounds[0, end - begin): an upper bound of the similarity to the
  // loaded representative, 0 only where the roots may not stand together; of its own members it says nothing. After each Load every
  // place must be asked for once; ranges may be on different threads.
  void Bound(const CandidatePool& pool, size_t begin, size_t end, Units* bounds);

  // Whether the bound of a record is its similarity: trees of one vertex.
  bool exact() const { return flat_; }

 private:
  // A node where a record has vertices.
  struct Entry {
    static constexpr uint32_t kNoBit = 64;
    uint32_t node;     // in nodes_
    uint32_t bit : 7;  // of the bucket of the one vertex there; kNoBit if there are several
    uint32_t count : 25;
  };
  // A node, and what the loaded representative has there.
  struct NodeState {
    uint32_t count;  // vertices at or below
    int32_t gain;    // what a pair saves here more than at the parent
    uint64_t full;   // buckets that are full in every one of them
  };

  void AddRecordEntries(RecordId record);
  // Numbers the nodes that several records have, and keeps entries of these only.
  void NumberNodes();
  void LoadRoot(const Representative& group, const CandidatePool& pool);
  Units BelowRoot(RecordId record) const;

  const TreeModel* model_;
  bool flat_ = true;

  LabelNodes label_nodes_;
  static constexpr uint32_t kNotShared = ~uint32_t{0};
  std::vector<uint32_t> number_;  // by label node: its place in nodes_, or kNotShared
  std::vector<NodeState> nodes_;

  std::vector<uint64_t> first_entry_;  // by record
  std::vector<Entry> entries_;

  // Similarities of the roots, by place, kept from one representative to the next: where a label stays the same, so does
  // its part of the sum.
  struct RootLabel {
    Label label;
    const int32_t* loss = nullptr;  // by value
    std::vector<int32_t> own;       // what `loss` points to where the domain has no table
  };
  std::vector<RootLabel> root_labels_;
  std::vector<RootLabel> old_root_labels_;
  std::vector<size_t> changed_;  // slots
  bool from_scratch_ = true;
  uint32_t generation_ = 0;
  std::vector<int32_t> root_sums_;

  // Of the loaded representative.
  const Representative* group_ = nullptr;
  std::vector<uint32_t> touched_;
  std::vector<uint32_t> deciders_;
};

}  // namespace thicket
