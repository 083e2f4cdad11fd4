#include "cutting/sets/og.h"

#include "cutting/sets/conflicts.h"
#include "cutting/sets/itemset_tree.h"
#include "cutting/sets/set_problem.h"
#include "cutting/sets/set_search.h"

namespace thicket {

namespace {

// Section 4.2.4: phase 1, then phase 2.
SetAnswer RunThesis(const ItemSets& sets, const SetPromise& promise, const OgOptions& options,
                    Progress& progress) {
  SetAnswer answer;
  answer.all_cuts = sets.forest().CountCuts();
  Conflicts conflicts(sets);
  const TreeCount count = GrowItemsetTree(sets, promise, options.prunings, conflicts);
  answer.nodes = count.nodes;
  answer.threats = count.threats;
  conflicts.Reduce();
  const SetSpace space(conflicts, options.reduce);
  SetProblem problem(space, {.by_cost = options.by_cost});
  answer.best = FindBestCuts(problem,
                             {.alpha = options.alpha,
                              .limit_s = options.limit_s,
                              .by_weight = options.by_weight,
                              .tighten = options.tighten},
                             progress);
  for (CutAnswer& cut : answer.best.cuts) {
    cut.labels = space.Labels(cut.labels);
    cut.cost = sets.SumCosts(cut.labels);
  }
  answer.cuts = answer.best.examined;
  return answer;
}

}  // namespace

SetAnswer FindOptimalCut(const ItemSets& sets, const SetPromise& promise, const OgOptions& options,
                         Parallel& parallel, Progress& progress) {
  if (options.thesis) return RunThesis(sets, promise, options, progress);
  return SearchSets(sets, SteppedLevelsOf(promise), options, parallel, progress);
}

}  // namespace thicket
