#include "cutting/table/lplus.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "cutting/table/descent.h"
#include "cutting/table/search_forest.h"
#include "cutting/table/table_problem.h"

namespace thicket {

TableAnswer FindBestTableCuts(const TableTask& task, const LplusOptions& options,
                              Parallel& parallel, Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  // Where several cuts are asked for, one that shows less than another is a cut of its own.
  const SearchForest items(task, options.top_h <= 1);
  std::vector<CutAnswer> known;
  if (options.probe) known = Descend(task, items);
  TableProblem problem(task, items, {.probe = options.probe}, parallel);
  std::optional<double> limit_s = options.limit_s;
  if (limit_s) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    limit_s = std::max(0.0, *limit_s - passed.count());
  }
  TableAnswer answer;
  answer.best = FindBestCuts(problem,
                             {.alpha = options.alpha,
                              .best = options.top_h,
                              .limit_s = limit_s,
                              .limit_cuts = options.limit_cuts,
                              .by_weight = options.by_weight,
                              .tighten = options.tighten,
                              .known = std::move(known)},
                             progress);
  for (CutAnswer& cut : answer.best.cuts) cut.labels = items.Labels(cut.labels);
  answer.all_cuts = task.table().forest().CountCuts();
  return answer;
}

}  // namespace thicket
