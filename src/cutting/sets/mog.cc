#include "cutting/sets/mog.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>
#include <vector>

#include "cutting/sets/set_search.h"

namespace thicket {

SetAnswer FindCutInRounds(const ItemSets& sets, const SetPromise& promise, const OgOptions& options,
                          Parallel& parallel, Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  SetAnswer sum;
  sum.all_cuts = sets.forest().CountCuts();
  sum.rounds = 0;
  ItemSets current = sets;
  // By item of the current database: that of the first one.
  std::vector<Item> original(sets.forest().size());
  std::iota(original.begin(), original.end(), 0);
  for (const SetPromise& round : LevelsOf(promise)) {
    OgOptions rest = options;
    if (rest.limit_s) {
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      rest.limit_s = std::max(0.0, *options.limit_s - passed.count());
    }
    // What the round before promised holds of every cut that is left.
    SetAnswer answer = options.thesis ? FindOptimalCut(current, round, rest, parallel, progress)
                                      : SearchSets(current, {&round, 1}, rest, parallel, progress);
    ++sum.rounds;
    sum.threats += answer.threats;
    sum.nodes += answer.nodes;
    sum.cuts += answer.cuts;
    sum.best = std::move(answer.best);
    if (sum.best.cuts.empty()) return sum;
    std::vector<Item> labels;
    current = current.Generalized(sum.best.cuts.front().labels, labels);
    for (Item& item : sum.best.cuts.front().labels) item = original[item];
    for (Item& item : labels) item = original[item];
    original = std::move(labels);
  }
  return sum;
}

}  // namespace thicket
