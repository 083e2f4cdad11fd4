// Breaks relations until no combination of labels and relations is rare: FixStructure of Gkountouna et al. 2013.
//
// The smallest rare combinations come first: fewest relations, then fewest labels. All of that size are settled in one
// round, in ascending order: of each that holds no broken relation yet, the relation with the least support is broken, of
// equals the first one. Then everything that holds a relation which lost records is counted again, and the next round
// begins, until nothing is rare. Relations of the record's root are never broken: they hold wherever both labels do, so
// breaking them hides nothing, and a rare combination always has another one.
//
// The paper's Algorithm 3 goes over all combinations once. That is not enough: a broken relation takes others with it, and
// these may become rare after they were looked at.
//
//   RelationBreaker breaker(items, shapes, options);
//   BrokenRelations broken = breaker.Break(specialized, rare);
//
// With m up to 3 the counts come from a table that is kept up to date, shape by shape, while relations are broken; otherwise
// the records of a relation are gathered and counted again. One object per thread: it keeps its buffers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cutting/cut.h"
#include "cutting/cut_search.h"
#include "cutting/rare_combinations.h"

namespace thicket {

class RelationBreaker {
 public:
  RelationBreaker(const ItemHierarchy& items, const Shapes& shapes,
                  const CutSearchOptions& options);

  // `rare`: all rare combinations of the cut, each with relations, as they are while nothing is broken.
  BrokenRelations Break(const SpecializedCut& cut, std::vector<RareCombination> rare);
  // The shapes that broken relations changed, ascending; of the last call.
  const ShapeList& changed_shapes() const { return changed_shapes_; }

 private:
  using Pair = std::pair<GraphLabel, GraphLabel>;

  void Begin(const SpecializedCut& cut);
  void BeginTable();
  Relation Directed(const Pair& pair) const;
  bool IsBreakable(const Relation& relation) const {
    return !items_->IsOfRoot(items_->attribute_of(relation.above));
  }
  GraphRef GraphOf(uint32_t shape) const;
  // The shapes that have the relation now, and how many records that are.
  void Collect(const Pair& pair, ShapeList& shapes) const;
  uint64_t Support(const Pair& pair);
  // What to break for the smallest combinations of `rare`, which is sorted.
  std::vector<Relation> Choose(const std::vector<RareCombination>& rare);
  void Apply(const std::vector<Relation>& chosen, const BrokenRelations& broken);
  void NoteLosses(const GraphRef& before, const GraphRef& after);
  // The same, and brings the table up to date.
  void NoteLossesInTable(const GraphRef& before, const GraphRef& after);
  // Notes three labels that must be looked at again.
  void Touch(GraphLabel a, GraphLabel b, GraphLabel c);
  // Forgets what holds a relation that lost records: it is counted again.
  void DropWeakened(std::vector<RareCombination>& rare);
  // Finds what is rare now among the combinations with relations that lost records.
  void Recount(std::vector<RareCombination>& rare);
  void RecountByTable(std::vector<RareCombination>& rare);
  void CheckTriple(const std::array<uint32_t, 3>& slots, std::vector<RareCombination>& rare) const;

  static constexpr uint32_t kNone = ~uint32_t{0};
  const ItemHierarchy* items_;
  const Shapes* shapes_;
  const CutSearchOptions* options_;
  LabelTree tree_;
  TreeGrapher grapher_;
  RareCombinations counter_;
  const SpecializedCut* cut_ = nullptr;
  // By shape: the place of its graph among those of the specialized cut, and among those that lost relations.
  std::vector<uint32_t> specialized_place_;
  std::vector<uint32_t> changed_place_;
  ShapeList specialized_shapes_;
  ShapeList changed_shapes_;
  LabelGraphs changed_;
  std::map<Pair, uint64_t> support_;
  // Relations that lost records in this round; sorted once it is over.
  std::vector<Pair> weakened_;
  std::vector<GraphRef> members_;
  ShapeList affected_;

  bool has_table_ = false;
  CombinationTable table_;
  // By label, and by slot.
  std::vector<uint32_t> slot_of_;
  std::vector<GraphLabel> label_at_;
  CombinationTable::Slotted slotted_;
  // Sets of three labels to look at again after this round.
  std::vector<std::array<uint32_t, 3>> touched_;
  std::vector<uint32_t> touched_in_;
  // By number of the pair: the round in which it was weakened last.
  std::vector<uint32_t> weakened_in_;
  uint32_t rounds_ = 0;
};

}  // namespace thicket
