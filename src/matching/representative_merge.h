// How well two representatives fit each other, and the representative of all their members: matching/merge.h for classes
// that grow by taking in whole classes.
//
// For representatives of c and d records with similarity S, which is what each record of the united class keeps, the class
// costs
//
//   what all of them weigh - (c + d) S
//
// and so S alone decides. Children are paired class by class at the greatest total similarity, in preorder; those of an
// ordered class in their order.
//
//   RepresentativeMerger merger(model, {.mapping = Mapping::kLsap});
//   Units s = merger.Similarity(a, b, class_size);
//   Representative both = merger.Unite(a, b, class_size);
//
// Where one of the two is a single record, it is a Merger that pairs them. Where values may stand in a part of a class's records only
// (matching/anywhere.h), and where trees are very wide, the members of the second class join the first one by one, since only a
// Merger knows what to give up then, and how to match siblings by kinds.
//
// Owns its buffers: one per thread. O(b^3) for b children on each side, for each pair of matched parents.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "matching/linear_assignment.h"
#include "matching/merge.h"
#include "matching/representative.h"
#include "matching/tree_model.h"

namespace thicket {

class RepresentativeMerger {
 public:
  RepresentativeMerger(const TreeModel& model, MergeOptions options);

  // In a class that is to have `class_size` records in the end, at least as many as both have together. 0 where the roots may not
  // stand together, and where it is certain to be less than `need`. Where members join one by one, the united class may keep more.
  Units Similarity(const Representative& a, const Representative& b, int class_size,
                   Units need = 0);
  // The same of a single record.
  Units SimilarityWithRecord(const Representative& a, RecordId record, int class_size,
                             Units need = 0);
  // Without vertices where the roots may not stand together.
  Representative Unite(const Representative& a, const Representative& b, int class_size);

 private:
  // The siblings of one class on each side.
  struct SiblingSets {
    const uint32_t* here;
    size_t here_count;
    const uint32_t* there;
    size_t there_count;
    ClassId id;
  };
  struct Level {
    std::vector<uint32_t> here;
    std::vector<uint32_t> there;
    std::vector<int64_t> gains;
    AssignmentSolver<int64_t> solver;
    std::vector<int32_t> partner;  // by sibling here: that of the other side, or -1
  };

  // `a` as it is in a class of that size: itself, or a copy.
  const Representative& Sized(const Representative& a, int class_size);
  bool JoinsOneByOne(const Representative& a, const Representative& b) const;
  Units OneByOne(const Representative& a, const Representative& b, int class_size,
                 Representative* united);
  Level& LevelAt(size_t depth);
  Units VertexSimilarity(uint32_t here, uint32_t there) const;
  Units SubtreeSimilarity(uint32_t here, uint32_t there, size_t depth);
  Units ChildrenSimilarity(uint32_t here, uint32_t there, size_t depth);
  // Fills level.partner, and returns the total similarity.
  Units Assign(const SiblingSets& sets, size_t depth);
  Units AssignInOrder(const SiblingSets& sets, size_t depth);
  template <typename Visit>
  void ForEachClass(uint32_t here, uint32_t there, size_t depth, const Visit& visit);
  void PairChildren(uint32_t here, uint32_t there, size_t depth);
  // An upper bound of the similarity, from what both sides weigh.
  bool IsOutOfReach(Units need) const { return need > std::min(a_->kept(), b_->kept()); }

  const TreeModel* model_;
  Merger merger_;
  std::deque<Level> levels_;
  const Representative* a_ = nullptr;
  const Representative* b_ = nullptr;
  int class_size_ = 0;
  Representative resized_;
  std::vector<VertexPair> vertex_pairs_;
  std::vector<PositionPair> pairs_;
};

}  // namespace thicket
