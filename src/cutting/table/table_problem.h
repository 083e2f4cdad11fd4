// Cuts of a table as a branch and bound sees them (cutting/cut_problem.h): which are valid, what they cost, and what the
// cuts below cost at least.
//
// The cuts of a subtree lie between the cut that the search is at, C, and the floor S: the finest cut whose labels are not
// locked, neither by the search nor as pointless. Going down moves C, locking moves S up, and both make the bounds
// tighter. ListPointless() finds for each attribute what its items can pay (attribute_bound.h), and locks all that only cuts
// specialize that are too dear, also below the values of C; then S is coarser, and it tries again.
//
//   TableProblem problem(task, items, {}, parallel);
//   BestCuts best = FindBestCuts(problem, ...);              // cutting/branch_and_bound.h
//
// O(atoms x depths of open attributes) for a cut, of the classes that are not as they were at the cut above: a class is
// measured again when it is split, or when one of its atoms gets another label. Atoms are merged anew where the floor has changed, and kept for the way
// back, up to kMemory bytes; beyond that only where their number falls by a quarter: bounds that use a finer floor are lower,
// and hold as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "cutting/cut_problem.h"
#include "cutting/table/atoms.h"
#include "cutting/table/attribute_bound.h"
#include "cutting/table/class_judge.h"
#include "cutting/table/key_numbers.h"
#include "cutting/table/search_forest.h"

namespace thicket {

class TableProblem : public CutProblem {
 public:
  struct Options {
    // Whether ListPointless() does anything. Otherwise bounds are those of the thesis, and those of
    // pieces (class_bound.h).
    bool probe = true;
    // As for AttributeBound: the bounds are the same, whatever this is.
    size_t few_kinds = AttributeBound::kFewKinds;
  };

  // All must outlive the problem.
  TableProblem(const TableTask& task, const SearchForest& items, Options options,
               Parallel& parallel);

  const ItemForest& forest() const override { return items_->forest(); }
  void Save() override;
  void Restore() override;
  void Specialize(const OpenCut& cut, Item value) override;
  void Lock(const OpenCut& cut, Item value) override;
  Verdict Judge(const OpenCut& cut) override;
  Cost Bound(const OpenCut& cut) override;
  uint64_t Weight(const OpenCut& /*cut*/, Item value) override {
    return items_->occurrences(value);
  }
  bool ListPointless(const OpenCut& cut, Cost enough, std::vector<Item>& values) override;

 private:
  // Atoms of one floor, and their classes on the way down since it was made.
  struct Classes {
    std::vector<uint32_t> of_atom;
    size_t count = 0;
    // By class: its bound, and by attribute what is known of its items (a number of `known_`); kUnknown if it was not
    // measured as it is now.
    std::vector<Cost> bound = {};
    std::vector<std::vector<uint32_t>> known = {};

    // Nothing is known of the class any more, which may be a new one.
    void Forget(uint32_t number);
  };
  // The costs of the items of a class, by number: those of number i are from first[i] to first[i + 1].
  struct Known {
    std::vector<AttributeBound::ItemCost> costs;
    std::vector<uint32_t> first = {0};
  };
  struct Layer {
    Atoms atoms;
    std::vector<Classes> classes;
    // LM: what all records lose at this floor, by attribute.
    std::vector<Cost> loss;
    size_t bytes = 0;
  };
  struct Frame {
    size_t layers;
    size_t classes;
    size_t locked;
    bool is_settled;
    size_t raised;
    // By attribute.
    std::vector<uint32_t> known;
    bool has_bound;
    Cost bound;
    Cost least;
  };
  struct Raised {
    Item item;
    Cost before;
  };

  const Layer& layer() const { return layers_.back(); }
  const Classes& classes() const { return layers_.back().classes.back(); }
  bool MayBeSpecialized(Item item) const { return !is_locked_[item]; }
  void RaiseIfStays(Item item, Cost cost);
  void FindTop(const OpenCut& cut);
  // Makes the atoms those of the floor.
  void Settle();
  void AddLayer(Atoms atoms);
  // The thesis's bound of the cut with this floor.
  Cost ClassesBound();
  std::vector<size_t> OpenAttributes(const OpenCut& cut) const;
  // Measures the classes of which nothing is known.
  void Measure(size_t quasi, AttributeBound& measure);
  // Keeps what was measured, and sums up what is known, into `part_`.
  void SumUp(size_t quasi, const AttributeBound& measured);
  // Locks what is pointless in the attribute that was summed up, and returns the bound of its cheapest cut.
  Cost LockPointless(const OpenCut& cut, size_t quasi, Cost enough, bool& has_locked);

  static constexpr uint32_t kUnknown = ~uint32_t{0};
  static constexpr Cost kUnknownCost = ~Cost{0};
  static constexpr int kMostRounds = 4;
  static constexpr size_t kAtOnce = 2;
  static constexpr size_t kMemory = size_t{256} << 20;
  // Attributes of fewer atoms than this are measured one after another.
  static constexpr size_t kFewAtoms = 256;

  const SearchForest* items_;
  Options options_;
  Parallel* parallel_;
  ClassJudge judge_;
  // Of the attributes that are measured at once.
  std::vector<AttributeBound> measures_;
  // By attribute.
  std::vector<Known> known_;
  // By item.
  std::vector<Cost> part_;
  std::vector<Layer> layers_;
  size_t bytes_ = 0;
  std::vector<Frame> frames_;
  // By item: whether no cut of the subtree specializes it. Leaves are locked for good; the others in the order of locking.
  std::vector<bool> is_locked_;
  std::vector<Item> locked_;
  // Whether something was locked since the atoms were merged; since the bound was found.
  bool is_settled_ = true;
  bool has_bound_ = false;
  Cost bound_ = 0;
  // What is known of the subtree beside its bound: no cut of it that matters costs less.
  Cost least_known_ = 0;
  // By item that is a label of the cut: no cut of the subtree in which it stays costs less. In the order of changes.
  std::vector<Cost> if_stays_;
  std::vector<Raised> raised_;
  // By item: the label of the cut, and of the floor, at or above it.
  std::vector<Item> top_;
  std::vector<Item> floor_;
  // By attribute: its cheapest cut, when it was last measured.
  std::vector<Cost> last_least_;
  // By item of the attribute that is looked at: the cheapest cut at or below it, below it, and of all that is not.
  std::vector<Cost> least_;
  std::vector<Cost> below_;
  std::vector<Cost> rest_;
  KeyNumbers numbers_;
  std::vector<Table::KindCount> kinds_;
};

}  // namespace thicket
