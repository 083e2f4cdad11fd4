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
  // Whether the cut has changed since it was tried against the whole promise.
  bool is_to_be_tried = true;
  const std::vector<SetPromise> levels = LevelsOf(promise);
  for (size_t level = 0; level < levels.size(); ++level) {
    const SetPromise& round = levels[level];
    OgOptions rest = options;
    if (rest.limit_s) {
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      rest.limit_s = std::max(0.0, *options.limit_s - passed.count());
    }
    // What the round before promised holds of every cut that is left.
    SetAnswer answer = options.thesis ? FindOptimalCut(current, round, rest, parallel, progress)
                                      : SearchSets(current, {&round, 1}, rest, parallel, progress);
    sum.rounds = static_cast<uint32_t>(level + 1);
    sum.threats += answer.threats;
    sum.nodes += answer.nodes;
    sum.cuts += answer.cuts;
    sum.best = std::move(answer.best);
    if (sum.best.cuts.empty()) return sum;
    const bool has_changed =
        std::any_of(sum.best.cuts.front().labels.begin(), sum.best.cuts.front().labels.end(),
                    [&](Item item) { return !current.forest().is_leaf(item); });
    std::vector<Item> labels;
    current = current.Generalized(sum.best.cuts.front().labels, labels);
    for (Item& item : sum.best.cuts.front().labels) item = original[item];
    for (Item& item : labels) item = original[item];
    original = std::move(labels);
    if (has_changed) is_to_be_tried = true;
    // A cut that keeps the whole promise is where all rounds end that are left.
    if (has_changed || !is_to_be_tried || options.thesis || level == 0) continue;
    is_to_be_tried = false;
    if (level + 1 < levels.size() && HoldsAsItIs(current, promise, parallel)) {
      sum.rounds = static_cast<uint32_t>(levels.size());
      break;
    }
  }
  return sum;
}

}  // namespace thicket
