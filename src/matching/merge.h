// How well a record fits a representative, and which of their vertices stand together: *diversify* and FindMapping of
// Ozalp et al. 2016, section 5 (Algorithms 1 to 3), without touching or copying a record.
//
// Merging is always at most as costly as suppressing, so all costs follow from one number, the similarity: the sum over
// the vertices that stand together of their suppression cost less what their generalized labels cost. For a
// representative of c records that weighs R and a record that weighs T, merged with similarity S, the cost is
//
//   R + T - 2 S            as the paper counts it (the representative once), and
//   c R + T - (c + 1) S    weighted by the records that it stands for, which is the real loss
//
// (where c R may as well be the original weight of the c records: what they have lost already is lost either way).
// So the best pairing of children does not depend on the weights, and two vertices that may not stand together simply
// have similarity 0. Children of different classes never match: each class is an assignment problem of its own.
//
//   Merger merger(model, {.mapping = Mapping::kLsap});
//   Units s = merger.Similarity(group, record, 0);
//   merger.Pair(group, record, pairs);
//
// Where values may stand in a part of a class's records only (matching/anywhere.h), children are paired in two ways: as ever, giving
// up the pairs that bring too many of them, and without the record's vertices whose values have no room left in the class. The
// better one counts. Its similarity is at most that of a pairing without such limits, so bounds of that are bounds of it.
//
// Siblings of a class that is ordered are a sequence: the i-th stands with the i-th, whatever the mapping, up to the first two that
// may not stand together. What is behind is suppressed, so that what is left is the beginning of every member's sequence.
//
// A Merger owns its buffers: one per thread. With b children per vertex and height h, O(b^(2h+1)) for kLsap, less the
// branches where a side has no children.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "matching/linear_assignment.h"
#include "matching/representative.h"
#include "matching/transport.h"
#include "matching/tree_model.h"

namespace thicket {

enum class Mapping {
  kLsap,    // the pairs with the greatest total similarity (Algorithm 3)
  kGreedy,  // each child of the smaller side in turn takes what costs least (Algorithm 2)
  kLabels,  // as kLsap, but looking at the children's own labels only, not at what is below them
  kGreedyLabels,  // as kGreedy, by the children's own labels only (Algorithm 5 of Nergiz et al. 2008)
  kEqual,  // each child in turn with the first whose labels are all equal: nothing below roots is generalized
};

enum class MergeCost {
  kWeighted,  // times the number of records that a representative stands for
  kFaithful,  // a representative counts once, as in the paper
};

// When siblings are matched by kinds (matching/wide_merge.cc).
struct WideSiblings {
  // From so many pairs of siblings on.
  size_t entries = size_t{1} << 14;
  // Up to so many pairs of kinds the matching is the best one; of more it is put together from blocks.
  size_t most_entries = size_t{1} << 22;
};

struct MergeOptions {
  Mapping mapping = Mapping::kLsap;
  MergeCost cost = MergeCost::kWeighted;
  WideSiblings wide = {};
};

// What it costs to merge a record into a representative, as a function of the similarity. Weighted, this is what the
// whole class then costs.
struct CostLine {
  Units base = 0;    // nothing in common
  Units factor = 0;  // saved per unit of similarity

  static CostLine Of(MergeCost cost, const Representative& group, Units record_weight);
  Units At(Units similarity) const { return base - factor * similarity; }
  // The least similarity whose cost is at most `most`.
  Units Need(Units most) const { return base <= most ? 0 : (base - most + factor - 1) / factor; }
};

class Merger {
 public:
  Merger(const TreeModel& model, MergeOptions options);

  // The similarity, or a negative number as soon as it is certain to be less than `need`. It is 0 only where the roots may not stand
  // together, which suppresses both records whole.
  Units Similarity(const Representative& group, RecordId record, Units need);

  // The vertices that stand together, in preorder of positions; none where the roots may not.
  void Pair(const Representative& group, RecordId record, std::vector<VertexPair>& pairs);

 private:
  // The siblings of one class on each side.
  struct SiblingSets {
    const uint32_t* positions;
    size_t position_count;
    const Vertex* vertices;
    size_t vertex_count;
    ClassId id;
    // By position: for how many equal ones it stands; null: for itself.
    const uint32_t* counts = nullptr;

    Units count(size_t i) const { return counts == nullptr ? 1 : counts[i]; }
  };
  // The kinds of wide siblings of one side.
  struct Kinds {
    std::vector<uint32_t> members;  // indices of siblings, kind by kind
    std::vector<uint32_t> first;    // by kind, and one more: where its members begin
    std::vector<uint32_t> left;     // by kind: how many have no partner

    // From pairs of a kind's hash and an index.
    void Fill(std::vector<std::pair<uint64_t, uint32_t>>& keyed);
    size_t size() const { return left.size(); }
    // The index of one of them.
    uint32_t Example(uint32_t kind) const { return members[first[kind]]; }
  };
  // So many siblings of two kinds stand together.
  struct KindFlow {
    uint32_t position;
    uint32_t vertex;
    uint32_t count;
    Units similarity;  // of each
  };
  // A kind of either side, with the ways to its labels.
  struct WideItem {
    bool is_vertex;
    uint32_t kind;
    uint32_t first_word;
    uint32_t word_count;
  };
  // Buffers for wide siblings.
  struct WideLevel {
    Kinds positions;
    Kinds vertices;
    std::vector<KindFlow> flows;
    bool along_taxonomy = false;  // any pairs that meet at the same node are equally good
    size_t most_entries = 0;      // of a block
    std::vector<std::pair<uint64_t, uint32_t>> keyed;
    std::vector<WideItem> items;
    std::vector<uint32_t> words;
    std::vector<uint32_t> all_positions;
    std::vector<uint32_t> all_vertices;
    std::vector<uint32_t> block_positions;
    std::vector<Vertex> block_vertices;
    std::vector<uint32_t> block_items;
    std::vector<uint32_t> block_places;
    TransportSolver<int32_t> narrow_transport;
    TransportSolver<int64_t> wide_transport;
  };
  // Buffers for one level of the trees.
  struct Level {
    std::vector<uint32_t> positions;
    std::vector<Vertex> vertices;
    std::vector<uint32_t> values;        // by slot, then vertex
    std::vector<uint32_t> ancestors;     // by slot without a table and level, then vertex
    std::vector<size_t> first_ancestor;  // by slot
    std::vector<uint64_t> bits;          // by sensitive attribute, then vertex
    std::vector<int32_t> row;
    std::vector<int32_t> below;   // by vertex: what is below it weighs
    std::vector<Units> row_most;  // by position: the most that it can have in common with a vertex
    std::vector<int32_t> class_below;     // by class of children, then vertex: what they weigh
    std::vector<int32_t> position_below;  // by class of children
    std::vector<int32_t> most;            // by vertex: the most that it can have in common
    std::vector<int32_t> column_most;     // the same over all positions
    std::vector<uint8_t> open;            // by entry of the matrix: it may be less
    std::vector<int32_t> narrow;
    std::vector<int64_t> wide;
    AssignmentSolver<int32_t> narrow_solver;
    AssignmentSolver<int64_t> wide_solver;
    std::vector<int32_t> partner;  // by position: index of the vertex, or -1
    std::vector<bool> taken;
    std::vector<Units> offers;  // by offer to the child whose turn it is: what it costs
    WideLevel wide_siblings;
  };

  // The one of both that is for this type.
  template <typename Gain, typename Narrow, typename Wide>
  static auto& Choose(Narrow& narrow, Wide& wide) {
    if constexpr (sizeof(Gain) == sizeof(int32_t)) {
      return narrow;
    } else {
      return wide;
    }
  }
  template <typename Gain>
  static std::vector<Gain>& Matrix(Level& level) {
    return Choose<Gain>(level.narrow, level.wide);
  }
  template <typename Gain>
  static AssignmentSolver<Gain>& Solver(Level& level) {
    return Choose<Gain>(level.narrow_solver, level.wide_solver);
  }
  template <typename Gain>
  static TransportSolver<Gain>& Transport(WideLevel& wide) {
    return Choose<Gain>(wide.narrow_transport, wide.wide_transport);
  }

  Level& LevelAt(size_t depth);
  Units VertexSimilarity(uint32_t position, Vertex vertex) const;
  // Of two vertices that may not stand together it is 0.
  Units SubtreeSimilarity(uint32_t position, Vertex vertex, size_t depth);
  Units LeafSimilarity(uint32_t position, Vertex vertex) const;
  Units FewLeavesSimilarity(uint32_t position, Vertex vertex) const;
  // Over all children; `need` as in Similarity.
  Units ChildrenSimilarity(uint32_t position, Vertex vertex, size_t depth, Units need);
  Units GroupSimilarity(const SiblingSets& group, size_t depth, Units need);
  bool IsOrdered(ClassId id) const { return has_ordered_ && model_->schema().classes[id].ordered; }
  Units OrderedSimilarity(const SiblingSets& group, size_t depth);
  void AssignInOrder(const SiblingSets& group, size_t depth);
  Units SmallSimilarity(const SiblingSets& group, size_t depth);
  template <typename Gain>
  Units AssignedSimilarity(const SiblingSets& group, size_t depth, Units need);
  Units LazySimilarity(const SiblingSets& group, size_t depth, Units need);
  bool FillMost(const SiblingSets& group, size_t depth, bool transposed, Units need);
  Units GreedySimilarity(const SiblingSets& group, size_t depth);
  // For mappings that choose partners without having looked below them.
  Units ChosenSimilarity(const SiblingSets& group, size_t depth);
  bool FitsNarrow(const SiblingSets& group) const;

  // matrix[i * stride + j] (or transposed): similarity of the i-th position and the j-th vertex. False as soon as no
  // assignment can reach `need`.
  template <typename Gain>
  bool FillMatrix(const SiblingSets& group, size_t depth, bool transposed, bool labels_only,
                  Units need);
  void LoadVertices(const SiblingSets& group, Level& level) const;
  // level.row[j]: similarity of the position and the j-th vertex themselves.
  void FillRow(const SiblingSets& group, uint32_t position, Level& level) const;

  // Wide siblings (matching/wide_merge.cc).
  bool IsWide(const SiblingSets& group) const;
  // Whether greedy mappings would need too large a matrix, and are by kinds as well.
  bool IsTooWide(const SiblingSets& group) const;
  // Whether the mapping looks at the siblings' own labels only.
  bool ByLabels() const {
    return options_.mapping == Mapping::kLabels || options_.mapping == Mapping::kGreedyLabels;
  }
  bool IsFree(Vertex vertex) const;
  Units WideSimilarity(const SiblingSets& group, size_t depth, Units need);
  void AssignWide(const SiblingSets& group, size_t depth);
  void FindKinds(const SiblingSets& group, WideLevel& wide) const;
  // Fills level.wide_siblings; false if `need` is out of reach.
  template <typename Gain>
  bool MatchKinds(const SiblingSets& group, size_t depth, Units need);
  template <typename Gain>
  Units MatchBlock(const SiblingSets& group, size_t depth, std::span<const uint32_t> positions,
                   std::span<const uint32_t> vertices, Units need);
  static void Join(WideLevel& wide, const KindFlow& flow);
  void MatchAny(const SiblingSets& group, WideLevel& wide, std::span<const uint32_t> positions,
                std::span<const uint32_t> vertices);
  template <typename Gain>
  void MatchInRounds(const SiblingSets& group, size_t depth, std::vector<uint32_t> positions,
                     std::vector<uint32_t> vertices);
  void SortByWays(const SiblingSets& group, WideLevel& wide) const;
  template <typename Gain>
  void MatchUpwards(const SiblingSets& group, size_t depth, size_t begin, size_t end, size_t word,
                    std::vector<uint32_t>& positions, std::vector<uint32_t>& vertices);

  // Calls visit(first position index, count, first vertex index, count, class) for each class that both sides have.
  template <typename Visit>
  void ForEachClass(uint32_t position, Vertex vertex, size_t depth, const Visit& visit);

  void PairChildren(uint32_t position, Vertex vertex, size_t depth, std::vector<VertexPair>& pairs);
  // Fills level.partner.
  void Assign(const SiblingSets& group, size_t depth);
  template <typename Gain>
  void AssignBy(const SiblingSets& group, size_t depth);
  void AssignGreedily(const SiblingSets& group, size_t depth);
  size_t CheapestOffer(const SiblingSets& group, size_t depth, size_t taker, size_t first,
                       Units factor);
  // What can match below the i-th position and the j-th vertex at the most.
  Units MostBelow(const SiblingSets& group, size_t i, size_t j) const;
  void AssignEqual(const SiblingSets& group, size_t depth);
  bool LabelsAreEqual(uint32_t position, Vertex vertex) const;

  // All pairs, before values that stand in too many records are looked at.
  void PairRoots(Vertex root, std::vector<VertexPair>& pairs);
  // Takes the pairs away that are given up for values that stand in too many records. The similarity of the rest.
  Units GiveUp(std::vector<VertexPair>& pairs, bool& given_up);
  // Pairs that leave no value in too many records, and their similarity.
  Units PairWithin(Vertex root, std::vector<VertexPair>& pairs);
  // Fills full_.
  void FindFull();
  bool MayMeet(uint32_t position, Vertex vertex) const;

  const TreeModel* model_;
  MergeOptions options_;
  bool has_ordered_ = false;
  const Representative* group_ = nullptr;
  // Of the record that is compared: the kinds of its vertices, or null, and its root.
  const SiblingKind* record_kinds_ = nullptr;
  Vertex record_root_ = 0;
  std::deque<Level> levels_;
  AnywherePruner pruner_;
  // While children are paired without vertices whose values are full.
  bool strict_ = false;
  std::vector<uint32_t> full_;  // numbers of values (matching/anywhere.h), ascending
  std::vector<std::pair<uint32_t, size_t>> holders_;  // number and member
  std::vector<VertexPair> tried_;
  std::vector<VertexPair> strict_pairs_;
  std::vector<Vertex> tried_vertices_;  // by pair, then member
  std::vector<uint32_t> tried_sizes_;   // by pair: of the subtree
  std::vector<Units> tried_worth_;      // by pair
};

}  // namespace thicket
