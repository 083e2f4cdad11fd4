#include "cutting/table/lplus.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "cutting/table/descent.h"
#include "cutting/table/search_forest.h"
#include "cutting/table/table_problem.h"

namespace thicket {

namespace {

// A search of so many cuts takes longer than to look for a better cut from other cuts, if the table is not too large.
constexpr uint64_t kCutsBeforeDraws = 300;
constexpr size_t kMostCellsToDraw = 200'000;

}  // namespace

TableAnswer FindBestTableCuts(const TableTask& task, const LplusOptions& options,
                              Parallel& parallel, Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds_left = [&]() -> std::optional<double> {
    if (!options.limit_s) return std::nullopt;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return std::max(0.0, *options.limit_s - passed.count());
  };
  // Where several cuts are asked for, one that shows less than another is a cut of its own.
  const SearchForest items(task, options.top_h <= 1);
  BranchAndBoundOptions search = {.alpha = options.alpha,
                                  .best = options.top_h,
                                  .limit_cuts = options.limit_cuts,
                                  .by_weight = options.by_weight,
                                  .tighten = options.tighten};
  Atoms cells = Atoms::Of(task.table(), items);
  if (options.probe) search.known = Descend(task, items, cells, parallel);
  TableProblem problem(task, items, {.probe = options.probe, .joint = options.joint}, parallel,
                       std::move(cells));
  if (options.probe && task.goal().suppression != Suppression::kNone &&
      task.table().cell_count() <= kMostCellsToDraw) {
    search.cuts_before_asking = kCutsBeforeDraws;
    search.find_better = [&](const CutAnswer& best) {
      return DescendAgain(task, items, problem.cells(), parallel, best,
                          [&] { return seconds_left().value_or(1) <= 0; });
    };
  }
  search.limit_s = seconds_left();
  TableAnswer answer;
  answer.best = FindBestCuts(problem, search, progress);
  for (CutAnswer& cut : answer.best.cuts) cut.labels = items.Labels(cut.labels);
  answer.all_cuts = task.table().forest().CountCuts();
  return answer;
}

}  // namespace thicket
