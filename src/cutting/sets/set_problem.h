// Cuts of sets as a branch and bound sees them (cutting/cut_problem.h): which conflicts a cut would complete, what it
// costs, and what the cuts below cost at least.
//
// A cut is valid if it specializes no conflict as a whole (conflicts.h). For each conflict the problem counts the
// items that are not specialized yet; the only one left is hopeless, so that no invalid cut is ever looked at but that
// of the roots.
//
//   const SetSpace space(conflicts, /*reduce=*/true);
//   SetProblem problem(space, {});
//   BestCuts best = FindBestCuts(problem, ...);
//   space.Labels(best.cuts.front().labels);              // as items of the database
//
// A step costs O(conflicts of the item).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cutting/cut_problem.h"
#include "cutting/sets/conflict_bound.h"
#include "cutting/sets/conflicts.h"

namespace thicket {

// The items that a search has to tell apart, as a forest of their own, with the conflicts among them. Taxonomy
// reduction (Section 4.4.1.2 of Liu 2010): what is below a locked item is left out, and items that stand in no
// conflict are specialized from the start, since that is never dearer.
class SetSpace {
 public:
  // The conflicts must outlive the space, and not change.
  SetSpace(const Conflicts& conflicts, bool reduce);

  const ItemForest& forest() const { return forest_; }
  size_t size() const { return forest_.size(); }
  CutProblem::Cost cost(Item item) const { return cost_[item]; }
  // Of the finest cut at or below the item.
  CutProblem::Cost floor(Item item) const { return floor_[item]; }
  bool is_infeasible() const { return is_infeasible_; }

  size_t conflict_count() const { return first_.size() - 1; }
  std::span<const Item> conflict(size_t number) const {
    return {items_.data() + first_[number], first_[number + 1] - first_[number]};
  }
  std::span<const uint32_t> conflicts_of(Item item) const {
    return {of_item_.data() + first_of_[item], first_of_[item + 1] - first_of_[item]};
  }

  // As items of the database, ascending.
  std::vector<Item> Labels(std::span<const Item> items) const;

 private:
  ItemForest forest_;
  // By item: the item of the database; and by that the item, or kNone.
  std::vector<Item> shown_;
  std::vector<Item> number_;
  std::vector<CutProblem::Cost> cost_;
  std::vector<CutProblem::Cost> floor_;
  bool is_infeasible_ = false;
  std::vector<size_t> first_ = {0};
  std::vector<Item> items_;
  std::vector<size_t> first_of_;
  std::vector<uint32_t> of_item_;
};

class SetProblem : public CutProblem {
 public:
  struct Options {
    // Whether Bound() says anything.
    bool by_cost = true;
    // Whether it says what avoiding conflicts costs (conflict_bound.h). Otherwise it is the thesis's: the finest cut.
    bool by_conflicts = false;
  };

  // The space must outlive the problem.
  SetProblem(const SetSpace& space, Options options);

  const ItemForest& forest() const override { return space_->forest(); }
  void Save() override;
  void Restore() override;
  void Specialize(const OpenCut& cut, Item value) override;
  void Lock(const OpenCut& cut, Item value) override;
  Verdict Judge(const OpenCut& cut) override;
  Cost Bound(const OpenCut& cut) override;
  uint64_t Weight(const OpenCut& /*cut*/, Item value) override { return space_->cost(value); }
  void ListHopeless(const OpenCut& cut, std::vector<Item>& values) override;

 private:
  struct Frame {
    size_t specialized;
    Cost cost;
    Cost floor;
  };

  const SetSpace* space_;
  Options options_;
  // Of the cut; and of the finest cut of the subtree.
  Cost cost_ = 0;
  Cost floor_ = 0;
  // By conflict: how many of its items are not specialized, and the exclusive or of them.
  std::vector<uint32_t> left_;
  std::vector<Item> left_items_;
  // By item: of how many conflicts it is the last one.
  std::vector<uint32_t> last_of_;
  std::vector<Item> specialized_;
  std::vector<Frame> frames_;
  ConflictBound conflict_bound_;
};

}  // namespace thicket
