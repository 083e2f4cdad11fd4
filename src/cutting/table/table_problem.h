// Cuts of a table as a branch and bound sees them (cutting/cut_problem.h): which are valid, what they cost, and what the
// cuts below cost at least.
//
// The cuts of a subtree lie between the cut that the search is at, C, and the floor S: the finest cut whose labels are not
// locked, neither by the search nor as pointless. Going down moves C, locking moves S up, and both make the bounds
// tighter. ListPointless() finds for each attribute what its items can pay (attribute_bound.h), and for all attributes at once
// (joint_bound.h), and locks all that only cuts specialize that are too dear, also below the values of C; then S is coarser, and
// it tries again.
//
//   TableProblem problem(task, items, {}, parallel);
//   BestCuts best = FindBestCuts(problem, ...);              // cutting/branch_and_bound.h
//
// O(atoms x depths of open attributes) for a cut, of the classes that are not as they were at the cut above: a class is
// measured again when it is split, or when one of its atoms gets another label. Atoms stand together by class, and are merged
// anew class by class where the floor has changed, so that work on a class stays in the cache, and the classes are shared among
// the threads. Atoms that were merged are kept for the way back, up to kMemory bytes; beyond that only where their number falls by
// a quarter: bounds that use a finer floor are lower, and hold as well.
//
// Bounds and verdicts are in table_problem_bounds.cc, the classes and their atoms in table_problem.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "cutting/cut_problem.h"
#include "cutting/table/atoms.h"
#include "cutting/table/attribute_bound.h"
#include "cutting/table/class_judge.h"
#include "cutting/table/joint_bound.h"
#include "cutting/table/search_forest.h"

namespace thicket {

class TableProblem : public CutProblem {
 public:
  struct Options {
    // Whether ListPointless() does anything. Otherwise bounds are those of the thesis, and those of
    // pieces (class_bound.h).
    bool probe = true;
    // Whether it looks at all attributes at once, too (joint_bound.h).
    bool joint = true;
    // As for AttributeBound: the bounds are the same, whatever this is.
    size_t few_kinds = AttributeBound::kFewKinds;
    // DM: classes are measured by counts alone as long as the squares of so many times the records of an atom are not enough. 0: always.
    double squares = 160;
  };

  // All must outlive the problem, but the cells (Atoms::Of), which are the problem's then.
  TableProblem(const TableTask& task, const SearchForest& items, Options options,
               Parallel& parallel, Atoms cells);
  TableProblem(const TableTask& task, const SearchForest& items, Options options,
               Parallel& parallel)
      : TableProblem(task, items, options, parallel, Atoms::Of(task.table(), items)) {}

  const Atoms& cells() const { return parts_[0].atoms; }

  const ItemForest& forest() const override { return items_->forest(); }
  void Save() override;
  void Restore() override;
  void Specialize(const OpenCut& cut, Item value) override;
  void Lock(const OpenCut& cut, Item value) override;
  Verdict Judge(const OpenCut& cut) override;
  Cost Bound(const OpenCut& cut) override;
  uint64_t Weight(const OpenCut& /*cut*/, Item value) override {
    return by_loss_ ? if_stays_[value] : items_->occurrences(value);
  }
  bool ListPointless(const OpenCut& cut, Cost enough, std::vector<Item>& values) override;

 private:
  // The atoms of some classes. A class has a range of `order`, in which its atoms stand in any order: when it is split, those
  // of each new class come to stand together, and the range is still that of the class.
  struct Part {
    Atoms atoms;
    std::vector<uint32_t> order = {};
    size_t bytes = 0;
  };
  struct Class {
    uint32_t part = 0;
    uint32_t begin = 0;
    uint32_t end = 0;
    // Its bound, and its cost at the cut; kUnknownCost if they were not found since the class is as it is.
    Cost bound = kUnknownCost;
    Cost cost = kUnknownCost;
  };
  // The classes of a cut with a floor.
  struct Level {
    std::vector<Class> classes;
    // By class and attribute, what is known of the attribute's items (a number of `known_`); kUnknown if it was not measured
    // since the class is as it is.
    std::vector<uint32_t> known;
    // By class and attribute, in JointBound::kOne.
    std::vector<JointBound::Weight> weights;
    // LM: what all records lose at this floor, by attribute.
    std::vector<Cost> loss;
  };
  // The costs of the items of a class, by number: those of number i are from first[i] to first[i + 1].
  struct Known {
    std::vector<AttributeBound::ItemCost> costs;
    std::vector<uint32_t> first = {0};
  };
  // What a thread needs for itself.
  struct Worker {
    AttributeBound measure;
    ClassJudge judge;
    Atoms::Workspace merging = {};
    std::vector<Table::KindCount> kinds = {};
    std::vector<AttributeBound::ItemCost> costs = {};
    // Of a class that is measured by counts.
    std::vector<AttributeBound::Asked> asked = {};
    std::vector<size_t> ends = {};
  };
  struct Frame {
    size_t levels;
    size_t parts;
    size_t locked;
    size_t merged;
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

  const Level& level() const { return levels_.back(); }
  // The level, which nobody comes back to as it is now.
  Level& OwnLevel();
  // The first part that nobody comes back to.
  size_t FirstOwnPart() const { return frames_.empty() ? parts_.size() : frames_.back().parts; }
  std::span<const uint32_t> Members(const Class& one) const {
    return {parts_[one.part].order.data() + one.begin, one.end - one.begin};
  }
  const Atoms& AtomsOf(const Class& one) const { return parts_[one.part].atoms; }
  // By attribute, the labels of an atom of the class.
  std::span<const Item> SomeLabels(const Class& one) const {
    return AtomsOf(one).labels(Members(one)[0]);
  }
  // LM: what a record of the class loses at the cut.
  Cost LossOf(const Class& one) const {
    Cost loss = 0;
    for (const Item label : SomeLabels(one)) loss += items_->loss(top_[label]);
    return loss;
  }
  // Splits these classes, those of the current level, into tasks of about as many atoms, whatever the number of threads: task i
  // has numbers[ends[i - 1]] to numbers[ends[i]].
  std::vector<size_t> TaskEnds(std::span<const uint32_t> numbers, size_t atoms) const;
  // Calls body(worker, i) for each of `numbers`, on all threads.
  template <typename Body>
  void ForClasses(std::span<const uint32_t> numbers, const Body& body);
  bool MayBeSpecialized(Item item) const { return !is_locked_[item]; }
  void RaiseIfStays(Item item, Cost cost);
  void FindTop(const OpenCut& cut);
  void FindFloor();
  // Makes the atoms those of the floor.
  void Settle();
  // Classes some of whose atoms may have other labels at the floor than they have; of those that are to be measured, if classes
  // are measured once.
  std::vector<uint32_t> MovedClasses() const;
  // The atoms of some classes, merged; none of a class without an atom to be merged.
  struct MergedClasses {
    Atoms atoms;
    // By class: where its atoms end.
    std::vector<uint32_t> ends = {};
    // By attribute: how much more is lost; how many atoms were merged.
    std::vector<Cost> more_loss = {};
    size_t before = 0;
    // Of all classes.
    size_t all_before = 0;
  };
  MergedClasses Merge(std::span<const uint32_t> numbers, const Atoms::Rise& rise,
                      Worker& worker) const;
  // Merges the classes task by task, into `merged`; none if some tasks show that little would be gained.
  bool MergeTasks(std::span<const uint32_t> numbers, std::span<const size_t> task_ends,
                  std::vector<MergedClasses>& merged);
  // The parts that nobody comes back to, without what is in no class any more.
  void DropUnused();
  void AddPart(Atoms atoms);
  // Splits a class by the children of the value.
  void Split(uint32_t number, Item value, size_t quasi, Level& next);
  // The thesis's bound of the cut with this floor.
  Cost ClassesBound();
  std::vector<size_t> OpenAttributes(const OpenCut& cut) const;
  // Whether counts say as much of classes as all that could be measured, or nearly so.
  bool CountsSuffice(Cost enough) const;
  // Measures the classes of which something is not known, of these attributes.
  void Measure(std::span<const size_t> attributes, bool by_counts);
  // What was found for a class and an attribute: a range of the worker's costs, if it was measured.
  struct Found {
    const Worker* worker = nullptr;
    size_t begin = 0;
    size_t end = 0;
  };
  void MeasureClass(uint32_t number, std::span<const size_t> attributes, bool by_counts,
                    Level& level, Worker& worker, std::span<Found> found) const;
  // Sums up what is known of the classes into `part_`.
  void SumUp(size_t quasi);
  // Locks what is pointless in the attribute that was summed up, and returns the bound of its cheapest cut. The others cost so
  // much.
  Cost LockPointless(const OpenCut& cut, size_t quasi, Cost others, Cost enough, bool& has_locked);
  // What the other attributes lose at the floor.
  Cost LossBeside(size_t quasi) const;
  // The same of all open attributes at once, all of which were measured.
  Cost LockPointlessJointly(const OpenCut& cut, std::span<const size_t> open, Cost enough,
                            bool& has_locked);

  static constexpr uint32_t kUnknown = ~uint32_t{0};
  static constexpr Cost kUnknownCost = ~Cost{0};
  static constexpr int kMostRounds = 4;
  static constexpr size_t kMemory = size_t{256} << 20;
  // What a thread takes at once.
  static constexpr size_t kAtomsToMeasure = 1024;
  static constexpr size_t kAtomsToMerge = 2048;
  // One in so many tasks is merged first.
  static constexpr size_t kTasksToTry = 16;

  const SearchForest* items_;
  Options options_;
  // LM with kViolatingRecords: the value whose staying costs most comes first, so that what is left when it is locked is ruled
  // out at once. Elsewhere values that are common come first (Section 3.4.1), which then looks at fewer cuts.
  bool by_loss_;
  // LM with kViolatingRecords or kNone, looking at all attributes at once: what is measured of a class is the same whatever the
  // floor is. So a class is measured once, the bound of all attributes at once is no lower than that of the thesis, and atoms are
  // merged only when that is due and pays: to merge an atom takes as long as to count it several times.
  bool is_measured_once_;
  // DM with kViolatingRecords or kNone: classes may be measured by counts. With kAllRecords too much depends on which groups no cut
  // splits: those that violate are lost as a whole.
  bool may_count_;
  // Of a class with so few kinds that they can be counted for each item.
  bool has_few_kinds_;
  uint64_t record_count_;
  Parallel* parallel_;
  std::vector<Worker> workers_;
  // By attribute.
  std::vector<Known> known_;
  JointBound joint_;
  // By item.
  std::vector<Cost> part_;
  std::vector<Part> parts_;
  size_t bytes_ = 0;
  std::vector<Level> levels_;
  std::vector<Frame> frames_;
  // By item: whether no cut of the subtree specializes it. Leaves are locked for good; the others in the order of locking.
  std::vector<bool> is_locked_;
  std::vector<Item> locked_;
  // How many of them the atoms are merged by; whether something was locked since that was tried; since the bound was found.
  size_t merged_ = 0;
  bool is_settled_ = true;
  // Whether classes were last measured by counts.
  bool by_counts_ = false;
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
  // Of a class that is split: by place below the value, the number of the child; by child, where its atoms begin.
  std::vector<uint32_t> child_of_place_;
  std::vector<uint32_t> begin_of_child_;
  std::vector<uint32_t> split_;
};

}  // namespace thicket
