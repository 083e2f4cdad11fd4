// What avoiding conflicts costs at least, beside the finest cut that is left.
//
// An item that is not specialized costs its gain: what would be saved by showing its children instead. A cut costs the
// finest cut and the gains of all items that it does not specialize, at its labels and below. Of each conflict at
// least one item is not specialized, and then nothing below that item is. So an amount y may be demanded for a
// conflict if each of its items can pay y with gains at or below it that were not spent for others: the sum of what is
// demanded is a bound (a solution of the dual of the linear program). Of items of which any two are in conflict all
// but one are not specialized: all pay but the dearest (such cliques are formed greedily, since pairs by themselves
// give half as much at best).
//
//   ConflictBound bound(space);
//   Cost least = floor + bound.Find(cut);
//
// O(items + conflicts x depth) for a cut, and the cliques.
#pragma once

#include <cstdint>
#include <vector>

#include "cutting/cut_problem.h"
#include "cutting/open_cut.h"

namespace thicket {

class SetSpace;

class ConflictBound {
 public:
  using Cost = CutProblem::Cost;

  // The space must outlive the bound.
  explicit ConflictBound(const SetSpace& space);

  // Of the cuts of the subtree of a cut.
  Cost Find(const OpenCut& cut);

 private:
  enum class State : uint8_t { kSpecialized, kFree, kStays };

  void Prepare(const OpenCut& cut);
  // The items of a conflict that may still be specialized; none if one stays, so that the conflict is avoided.
  bool ListFree(size_t conflict);
  void ListPairs();
  Cost PayCliques();
  Cost PayClique(const std::vector<Item>& clique);
  // Spends gains at or below the item, its own first.
  void Spend(Item item, Cost amount);
  void SpendBelow(Item item, Cost amount);

  const SetSpace* space_;
  // By item.
  std::vector<State> state_;
  std::vector<Cost> gain_;
  // What is left of the gain, and of all gains at or below.
  std::vector<Cost> own_;
  std::vector<Cost> left_;
  // By item: those it is in conflict with, as bits and as a list.
  size_t words_;
  std::vector<uint64_t> rivals_;
  std::vector<uint32_t> rival_count_;
  std::vector<Item> has_rivals_;
  std::vector<Item> free_;
  std::vector<size_t> larger_;
};

}  // namespace thicket
