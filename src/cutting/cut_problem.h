// What a branch and bound over cuts must know of a problem: which cuts are valid, what they cost, and what they cost at
// least.
//
// The search (branch_and_bound.h) moves through the cuts of a forest by single steps and tells the problem of each, so
// that costs and bounds can be kept up to date from what changes instead of being computed anew: a specialization of a
// table's cut, for example, splits only the groups of rows that have the value. A problem sees one state at a time.
// Save() and Restore() are nested; a problem either keeps a log of what it changed, or copies its state, if that is
// small.
//
//   begins at the roots:      Save, ListHopeless, Lock..., ListPointless, Lock..., Bound, Judge
//   goes to a finer cut:      Save, Specialize, ListHopeless, Lock..., ListPointless, Lock..., Bound, Judge
//   comes back from there:    Restore, Lock, ListPointless, Lock..., Bound
//   ends:                     Restore                               to the state in which the problem was
//
// Where a bound says enough, Judge() is not asked, nor is anything finer.
//
// In every call `cut` is the cut after the step. "Its subtree" is the cut itself and every cut that specializes open
// values of it, or values below them.
//
// Costs are whole numbers. What is lost can be counted in units that are fine enough, as everywhere in Thicket, or
// exactly: LM in units of one over the common denominator of the attributes. Sums of them are the same in any order and
// after any number of steps forth and back, so a bound that equals a cost is found to equal it, and no optimal cut is
// pruned for rounding. The search never adds costs; a problem sees to it that its own sums stay below kNever.
#pragma once

#include <cstdint>
#include <vector>

#include "cutting/item_forest.h"
#include "cutting/open_cut.h"

namespace thicket {

class CutProblem {
 public:
  using Cost = uint64_t;
  // The cost of what is not valid: above all others.
  static constexpr Cost kNever = ~Cost{0};

  enum class Validity {
    kValid,
    kInvalid,     // this cut; finer ones may be valid
    kAllInvalid,  // every cut of its subtree
  };
  struct Verdict {
    Validity validity = Validity::kValid;
    // Of a valid cut.
    Cost cost = 0;
  };

  CutProblem() = default;
  CutProblem(const CutProblem&) = delete;
  CutProblem& operator=(const CutProblem&) = delete;
  virtual ~CutProblem() = default;

  // The search goes from the roots down. Must not change while it is on.
  virtual const ItemForest& forest() const = 0;

  virtual void Save() = 0;
  // To the state at the last Save() that was not restored yet.
  virtual void Restore() = 0;
  // The value was replaced by its children.
  virtual void Specialize(const OpenCut& cut, Item value) = 0;
  // The value was open, and no cut of the subtree specializes it any more: bounds may rise.
  virtual void Lock(const OpenCut& /*cut*/, Item /*value*/) {}

  // Whether the cut is valid, and its cost.
  virtual Verdict Judge(const OpenCut& cut) = 0;
  // No valid cut of the subtree costs less; kNever if none is valid. Where only one best cut is asked for, the bound
  // may pass over cuts that are no cheaper than a valid cut that it does not pass over, wherever in the forest that one
  // is.
  virtual Cost Bound(const OpenCut& cut) = 0;

  // Of the open values the one with the largest weight is specialized next; of equals the lowest. A value that loses
  // much when it stays should come early: cheap cuts are found soon, and once it is locked the bound of the rest is
  // high.
  virtual uint64_t Weight(const OpenCut& /*cut*/, Item /*value*/) { return 0; }
  // Adds to `values` open values of which it is known without trying that no valid cut of the subtree specializes them.
  // They are locked at once, here and below. Asked after each specialization, and at the roots.
  virtual void ListHopeless(const OpenCut& /*cut*/, std::vector<Item>& /*values*/) {}
  // The same of values that only cuts of the subtree specialize that cost `enough` or more, which are not asked for any
  // more (kNever while all are). Asked behind ListHopeless, and on the way back. Whether cuts that are valid may have been
  // ruled out for their cost.
  virtual bool ListPointless(const OpenCut& /*cut*/, Cost /*enough*/,
                             std::vector<Item>& /*values*/) {
    return false;
  }
};

}  // namespace thicket
