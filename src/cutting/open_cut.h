// A cut through a forest of items whose values are open or locked: how every cut is come by exactly once.
//
// An open value may still be specialized, that is, replaced by its children; a locked one stays. The search begins with
// all roots open. It takes any open value, visits all cuts in which that value is specialized, comes back, and locks
// it: what is left are the cuts in which it stays. So every cut is visited once, whichever value is taken next, and the
// order may be chosen anew at each step. Leaves are locked from the start.
//
//   void Visit(OpenCut& cut) {
//     Use(cut.Labels());
//     while (!cut.open().empty()) {
//       const Item value = Choose(cut.open());
//       cut.Save();
//       cut.Specialize(value);
//       Visit(cut);
//       cut.Restore();
//       cut.Lock(value);
//     }
//   }                                   // a caller's Restore() takes the locks back, too
//
// The cut enumeration tree of Section 3.2.1 of Liu 2010. A step, and taking it back, costs O(children).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cutting/item_forest.h"

namespace thicket {

class OpenCut {
 public:
  // The forest must outlive the cut.
  explicit OpenCut(const ItemForest& forest);

  const ItemForest& forest() const { return *forest_; }
  // The values of the cut that may still be specialized. Their order follows from the steps that led here.
  const std::vector<Item>& open() const { return open_; }
  bool is_open(Item item) const { return state_[item] == State::kOpen; }
  // Whether the item is a value of the cut, open or locked.
  bool is_label(Item item) const {
    return state_[item] == State::kOpen || state_[item] == State::kLocked;
  }
  // Whether the item stands above the cut: it has been specialized.
  bool is_above(Item item) const { return state_[item] == State::kAbove; }
  // All values of the cut, ascending. O(items).
  std::vector<Item> Labels() const;

  // Replaces an open value by its children.
  void Specialize(Item value);
  // An open value stays as it is.
  void Lock(Item value);

  // Restore() takes back all steps since the last Save() that was not restored yet.
  void Save() { saved_.push_back(steps_.size()); }
  void Restore();

 private:
  enum class State : uint8_t { kBelow, kOpen, kLocked, kAbove };
  struct Step {
    Item value;
    // Where it stood among the open values.
    uint32_t place;
  };

  void AddLabel(Item item);
  void Close(Item value, State state);
  void Undo(const Step& step);

  const ItemForest* forest_;
  std::vector<State> state_;
  std::vector<Item> open_;
  // By open value: where it stands among them.
  std::vector<uint32_t> place_;
  std::vector<Step> steps_;
  std::vector<size_t> saved_;
};

}  // namespace thicket
