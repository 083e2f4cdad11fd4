// Bounds of cuts of sets against every cut that avoids the conflicts, on random forests, costs and conflicts.
#include "cutting/sets/set_problem.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "cutting/branch_and_bound.h"
#include "cutting/sets/set_case_test.h"

namespace thicket::set_problem_property_test {
namespace {

using set_case_test::DrawSetCase;
using set_case_test::SetCase;
using testing::LiteralNodes;
using testing::LiteralSetCuts;
using Cost = CutProblem::Cost;

Conflicts RandomConflicts(Random& random, const ItemSets& sets) {
  Conflicts conflicts(sets);
  for (uint64_t left = random.Below(8); left > 0; --left) {
    std::vector<Item> items;
    for (uint64_t size = 1 + random.Below(4); size > 0; --size) {
      const auto item = static_cast<Item>(random.Below(sets.forest().size()));
      if (!sets.forest().is_leaf(item)) items.push_back(item);
    }
    if (!items.empty() && (items.size() > 1 || random.Below(4) == 0)) {
      conflicts.Add(LowestItems(sets, items));
    }
  }
  if (random.Below(2) == 0) conflicts.Reduce();
  return conflicts;
}

std::vector<Item> ToItems(const LiteralNodes& cut) { return {cut.begin(), cut.end()}; }

RC_GTEST_PROP(SetProblem, FindsTheCheapestCutThatAvoidsConflicts, (uint64_t seed)) {
  const SetCase one =
      DrawSetCase(seed, 1, 0, {.most_records = 20, .most_cuts = 300, .most_leaves = 16});
  Random random = Random::Seeded(seed);
  const Conflicts conflicts = RandomConflicts(random, one.sets);
  Cost least = CutProblem::kNever;
  for (const LiteralNodes& cut : LiteralSetCuts(one.literal.sets().taxonomy)) {
    if (conflicts.Allow(ToItems(cut))) {
      least = std::min(least, one.sets.SumCosts(ToItems(cut)));
    }
  }
  for (const bool reduce : {false, true}) {
    for (const bool by_conflicts : {false, true}) {
      const SetSpace space(conflicts, reduce);
      SetProblem problem(space, {.by_conflicts = by_conflicts});
      Progress progress;
      const BestCuts best = FindBestCuts(problem, {}, progress);
      RC_ASSERT(best.proof == BestCuts::Proof::kOptimal);
      const std::vector<Item> labels = space.Labels(best.cuts.front().labels);
      RC_ASSERT(best.cuts.front().cost == least);
      RC_ASSERT(one.sets.SumCosts(labels) == least);
      RC_ASSERT(conflicts.Allow(labels));
    }
  }
}

// Of the subtree of a cut somewhere on a random way: that no cut of it is cheaper than its bound.
RC_GTEST_PROP(SetProblem, BoundsHoldOnRandomWays, (uint64_t seed)) {
  const SetCase one =
      DrawSetCase(seed, 1, 0, {.most_records = 20, .most_cuts = 300, .most_leaves = 16});
  Random random = Random::Seeded(seed + 1);
  const Conflicts conflicts = RandomConflicts(random, one.sets);
  const SetSpace space(conflicts, false);
  SetProblem problem(space, {.by_conflicts = true});
  OpenCut cut(space.forest());
  std::vector<bool> stays(space.size(), false);
  while (!cut.open().empty()) {
    std::vector<Item> hopeless;
    problem.ListHopeless(cut, hopeless);
    const Cost bound = problem.Bound(cut);
    for (const LiteralNodes& other : LiteralSetCuts(one.literal.sets().taxonomy)) {
      const std::vector<Item> labels = ToItems(other);
      if (!conflicts.Allow(labels)) continue;
      // Every label of the cut is shown, or stands above labels and is not locked.
      bool is_in_subtree = true;
      for (const Item label : labels) {
        Item item = label;
        while (!cut.is_label(item) && !space.forest().is_root(item)) {
          item = space.forest().parent(item);
        }
        is_in_subtree &= cut.is_label(item) && (item == label || !stays[item]);
      }
      if (is_in_subtree) RC_ASSERT(bound <= one.sets.SumCosts(labels));
    }
    const bool must_lock = !hopeless.empty();
    const Item value = must_lock ? hopeless.front() : cut.open()[random.Below(cut.open().size())];
    if (must_lock || random.Below(3) == 0) {
      stays[value] = true;
      cut.Lock(value);
      problem.Lock(cut, value);
    } else {
      cut.Specialize(value);
      problem.Specialize(cut, value);
    }
  }
}

}  // namespace
}  // namespace thicket::set_problem_property_test
