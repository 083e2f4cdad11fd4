// What the cuts of a subtree cost at least, by what becomes of all attributes at once.
//
// AttributeBound tells for each class P of a cut C, each attribute A and each item y of A what cuts that show y cost at least.
// With one attribute at a time, all others lose only what they lose at the floor, though a cut that is fine in all attributes
// suppresses nearly everything. Here every attribute pays, either for what it hides or for what it shows:
//
//   cost(U)  =  sum over attributes A and labels y of U in A of general(y)  +  sum over classes P of C of rest(U, P)
//
// where general(y) is what all records below y lose by generalization (LM; 0 otherwise), and rest(U, P) what is left of P's
// share. For each A, rest(U, P) is at least the sum of shared(P, A, y) over the labels y of U in A:
//
//   LM, values        the least number of values of P below y that are suppressed, times their cost c
//   LM, records       d (c - m), d the least number of records of P below y that are suppressed, m what a record loses with the
//                     labels of C
//   DM, CM            bound(P, y), which is all that P's records below y cost
//
// With LM and records a second part is paid by every attribute, not only by one: own(P, A, y) = d (m(A) - loss(y)), m(A) what the
// label of C in A loses. For let D records of P be suppressed by U. A record that goes costs c beside general() instead of what
// its labels lose there, so that rest(U, P) is the sum over these D records of c - m, and of m(A) - loss(y(A)) over the attributes A.
// The first sum is D (c - m), which is at least any mean of sums of shared(). The second is, attribute by attribute, a sum over
// labels y of no less than own(P, A, y): no term is below 0, since U shows nothing that is more general than what C shows.
// Elsewhere own() is 0.
//
// What is at least each of several numbers is at least their mean, with weights of any kind. So with weights of the attributes,
// chosen for each class, that sum up to 1:
//
//   cost(U)  >=  sum over A of  sum over the labels y of U in A of
//                general(y) + sum over P of own(P, A, y) + weight(P, A) shared(P, A, y)
//
// which falls into one part for each attribute, whose cheapest labels follow from the leaves up. The bound is the sum of these,
// for any weights; products with weights are rounded down. Attributes that are not open have one cut only. Good weights are found
// step by step: the attribute whose cheapest labels a class pays most for gains weight there (the subgradient of a concave
// function, in multiplicative steps). If even the attribute that is dearest for each class gives less than is asked for,
// at the same labels, no weights give it.
//
//   JointBound joint(items, parallel);
//   joint.Begin(classes, {0, 2});
//   joint.Add(0, number, item, shared, own); ...         // class by class
//   Cost bound = joint.Raise(cut, is_locked, loss, enough, weights);
//   joint.part(item);                                    // of the attributes 0 and 2, for these weights
//
// A Lagrangian decomposition (Guignard and Kim 1987). O(entries) for a step. The same on any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "cutting/open_cut.h"
#include "cutting/table/search_forest.h"

namespace thicket {

class JointBound {
 public:
  using Cost = TableTask::Cost;
  using Weight = uint16_t;
  // All weight of a class.
  static constexpr uint32_t kOne = uint32_t{1} << 15;

  // Both must outlive the bound.
  JointBound(const TableTask& task, const SearchForest& items, Parallel& parallel);

  // Forgets all, for so many classes and these attributes, the open ones.
  void Begin(size_t class_count, std::span<const size_t> attributes);
  // The next entry of an attribute, by its place among the open ones. Classes ascend.
  void Add(size_t place, uint32_t number, Item item, Cost shared, Cost own);

  // The best bound that was found, beside `rest`, which is what the other attributes lose. `weights` has one for each class and
  // attribute of the table, and is where the steps begin and end. Ends as soon as the bound is `enough`.
  Cost Raise(const OpenCut& cut, const std::vector<bool>& is_locked, Cost rest, Cost enough,
             std::span<Weight> weights);
  // Of the bound that was found: what an item costs, and the cheapest labels of an open attribute, by its place.
  Cost part(Item item) const { return best_part_[item]; }
  Cost least(size_t place) const { return best_least_[place]; }

 private:
  struct Entry {
    uint32_t number;
    Item item;
    Cost shared;
  };
  struct Attribute {
    size_t quasi = 0;
    std::vector<Entry> entries = {};
    // The cheapest labels cost; by class, what it pays for them.
    Cost least = 0;
    std::vector<Cost> paid = {};
  };

  void Balance(std::span<Weight> weights) const;
  // The cheapest labels of an attribute.
  void Solve(const OpenCut& cut, const std::vector<bool>& is_locked,
             std::span<const Weight> weights, Attribute& attribute);
  // The bound, and what no weights can exceed.
  struct Total {
    Cost bound;
    Cost most;
  };
  Total SumUp(Cost rest) const;
  // How far weights go is in units of kStepUnit.
  void Step(uint64_t step, std::span<Weight> weights);

  static constexpr int kMostSteps = 16;
  static constexpr int kHopelessSteps = 2;
  static constexpr uint64_t kStepUnit = 1024;

  const SearchForest* items_;
  Parallel* parallel_;
  size_t class_count_ = 0;
  size_t open_ = 0;
  std::vector<Attribute> attributes_;
  // By item: general(); that and own() of all classes, or that it is not possible; with the weights; the cheapest at or below it; whether it is shown then.
  std::vector<Cost> all_general_;
  std::vector<Cost> general_;
  std::vector<Cost> part_;
  std::vector<Cost> least_;
  enum class Place : uint8_t { kAbove, kShown, kBelow };
  std::vector<Place> place_;
  std::vector<Cost> best_part_;
  std::vector<Cost> best_least_;
};

}  // namespace thicket
