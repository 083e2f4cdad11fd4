// Counts of kinds by item, against sums over all records below each item.
#include "cutting/table/place_counts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

#include "base/random.h"
#include "cutting/table/table_case_test.h"

namespace thicket::place_counts_test {
namespace {

using table_case_test::DrawTableCase;
using table_case_test::TableCase;

RC_GTEST_PROP(PlaceCounts, CountsWhatIsAtOrBelowEachItem, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const TableCase one = DrawTableCase(seed);
  const SearchForest items(one.task, *rc::gen::arbitrary<bool>());
  Random random = Random::Seeded(seed);
  PlaceCounts counts(items, one.table.kind_count());
  // What is left of one round would show in the next one.
  for (int round = 0; round < 3; ++round) {
    std::vector<std::map<Item, std::vector<uint32_t>>> wanted(items.quasi_count());
    for (size_t cell = 0; cell < one.table.cell_count(); ++cell) {
      if (random.Below(2) == 0) continue;
      for (size_t quasi = 0; quasi < items.quasi_count(); ++quasi) {
        const Item label = items.OfLeaf(one.table.cell(cell)[quasi]);
        counts.Add(label, one.table.cell_size(cell), one.table.kinds(cell));
        for (Item item = label;; item = items.forest().parent(item)) {
          std::vector<uint32_t>& of_kind = wanted[quasi][item];
          of_kind.resize(one.table.kind_count(), 0);
          for (const auto& [kind, count] : one.table.kinds(cell)) of_kind[kind] += count;
          if (items.forest().is_root(item)) break;
        }
      }
    }
    for (size_t quasi = 0; quasi < items.quasi_count(); ++quasi) {
      std::map<Item, std::vector<uint32_t>> found;
      uint32_t last = ~uint32_t{0};
      counts.Visit(items.first_item(quasi),
                   [&](Item item, std::span<const uint32_t> of_kind, uint64_t size) {
                     RC_ASSERT(items.place(item) < last);
                     last = items.place(item);
                     uint64_t sum = 0;
                     for (const uint32_t count : of_kind) sum += count;
                     RC_ASSERT(sum == size);
                     found[item].assign(of_kind.begin(), of_kind.end());
                   });
      RC_ASSERT(found == wanted[quasi]);
    }
  }
}

// Places of many words, most of them without records.
TEST(PlaceCounts, PassesOverItemsWithoutRecords) {
  TableColumns columns;
  columns.record_count = 300;
  columns.parents.assign(301, 0);
  columns.quasi.resize(1);
  columns.sensitive.resize(1);
  columns.sensitive[0].value_count = 1;
  for (uint32_t leaf = 1; leaf <= 300; ++leaf) {
    columns.quasi[0].leaves.push_back(leaf);
    columns.sensitive[0].values.push_back(0);
  }
  const Table table(columns);
  TableGoal goal;
  goal.promise = TablePromise::KAnonymity(table, 2);
  goal.suppression_cost = {1, 1};
  const TableTask task(table, goal);
  const SearchForest items(task, true);
  PlaceCounts counts(items, 1);
  const Table::KindCount kind = {0, 5};
  for (const Item leaf : {1U, 63U, 64U, 65U, 300U}) counts.Add(leaf, 5, {&kind, 1});
  std::vector<Item> visited;
  counts.Visit(0, [&](Item item, std::span<const uint32_t> of_kind, uint64_t size) {
    EXPECT_EQ(of_kind[0], size);
    EXPECT_EQ(size, item == 0 ? 25U : 5U);
    visited.push_back(item);
  });
  EXPECT_EQ(visited, (std::vector<Item>{300, 65, 64, 63, 1, 0}));
  counts.Visit(0, [&](Item, std::span<const uint32_t>, uint64_t) { FAIL(); });
}

}  // namespace
}  // namespace thicket::place_counts_test
