// The same search on any number of threads, on tables large enough for threads to be used.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cutting/table/lplus.h"

namespace thicket::lplus_threads_test {
namespace {

constexpr size_t kRecords = 10000;

// Nine leaves below three values below a root.
void AddRandomQuasi(Random& random, TableColumns& columns) {
  TableColumns::Quasi quasi{.first = static_cast<Item>(columns.parents.size())};
  constexpr Item kParents[] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
  for (const Item parent : kParents) {
    columns.parents.push_back(quasi.first + parent);
  }
  for (size_t record = 0; record < kRecords; ++record) {
    // Some leaves are much more frequent than others.
    const uint64_t drawn = random.Below(9);
    const uint64_t leaf = 4 + (random.Below(2) == 0 ? drawn / 3 : drawn);
    quasi.leaves.push_back(quasi.first + static_cast<Item>(leaf));
  }
  columns.quasi.push_back(std::move(quasi));
}

Table RandomTable(uint64_t seed) {
  Random random = Random::Seeded(seed);
  TableColumns columns;
  columns.record_count = kRecords;
  for (int quasi = 0; quasi < 4; ++quasi) AddRandomQuasi(random, columns);
  TableColumns::Sensitive sensitive;
  sensitive.value_count = 6;
  for (size_t record = 0; record < kRecords; ++record) {
    sensitive.values.push_back(static_cast<uint32_t>(random.Below(6)));
    columns.labels.push_back(static_cast<uint32_t>(random.Below(2)));
  }
  columns.sensitive.push_back(std::move(sensitive));
  return Table(columns);
}

TableAnswer Search(const TableTask& task, int threads) {
  Parallel parallel(threads);
  Progress progress;
  return FindBestTableCuts(task, {.limit_cuts = 80, .top_h = 2}, parallel, progress);
}

TEST(LplusThreads, ChangeNothing) {
  const Table table = RandomTable(7);
  // Several threads find something to do when atoms are merged, too.
  ASSERT_GT(table.cell_count(), 2500U);
  for (const TableMetric metric : {TableMetric::kLm, TableMetric::kDm, TableMetric::kCm}) {
    for (const Suppression suppression :
         {Suppression::kNone, Suppression::kAllRecords, Suppression::kAllValues,
          Suppression::kViolatingValues, Suppression::kViolatingRecords}) {
      if (metric != TableMetric::kLm && SuppressesValues(suppression)) continue;
      TableGoal goal;
      goal.promise = TablePromise::Uniform(table, {1, 3}, 2);
      goal.metric = metric;
      goal.suppression = suppression;
      goal.suppression_cost = TableGoal::LeastCost(table, suppression);
      const TableTask task(table, goal);
      const TableAnswer one = Search(task, 1);
      const TableAnswer several = Search(task, 3);
      ASSERT_FALSE(one.best.cuts.empty());
      ASSERT_EQ(one.best.cuts.size(), several.best.cuts.size());
      for (size_t i = 0; i < one.best.cuts.size(); ++i) {
        EXPECT_EQ(one.best.cuts[i].labels, several.best.cuts[i].labels);
        EXPECT_EQ(one.best.cuts[i].cost, several.best.cuts[i].cost);
      }
      EXPECT_EQ(one.best.proof, several.best.proof);
      EXPECT_EQ(one.best.bound, several.best.bound);
      EXPECT_EQ(one.best.examined, several.best.examined);
      EXPECT_EQ(one.best.judged, several.best.judged);
    }
  }
}

}  // namespace
}  // namespace thicket::lplus_threads_test
