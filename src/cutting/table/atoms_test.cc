// In what order atoms stand, and how a table numbers what it has.
#include "cutting/table/atoms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace thicket::atoms_test {
namespace {

// Taxonomies of two levels, with two to four children each.
TableColumns DrawColumns(size_t quasi_count, size_t records, Random& random) {
  TableColumns columns;
  columns.record_count = records;
  for (size_t quasi = 0; quasi < quasi_count; ++quasi) {
    const auto root = static_cast<Item>(columns.parents.size());
    columns.parents.push_back(root);
    const uint64_t groups = 2 + random.Below(3);
    for (uint64_t i = 0; i < groups; ++i) columns.parents.push_back(root);
    std::vector<Item> leaves;
    for (uint64_t i = 0; i < groups; ++i) {
      for (uint64_t child = 2 + random.Below(3); child > 0; --child) {
        leaves.push_back(static_cast<Item>(columns.parents.size()));
        columns.parents.push_back(root + 1 + static_cast<Item>(i));
      }
    }
    TableColumns::Quasi column = {.first = root};
    for (size_t record = 0; record < records; ++record) {
      column.leaves.push_back(leaves[random.Below(leaves.size())]);
    }
    columns.quasi.push_back(std::move(column));
  }
  columns.sensitive.resize(1);
  columns.sensitive[0].value_count = 2;
  for (size_t record = 0; record < records; ++record) {
    columns.sensitive[0].values.push_back(static_cast<uint32_t>(random.Below(2)));
  }
  return columns;
}

// The labels of an atom: first those right below the roots, then those below these.
std::vector<Item> ByLevel(const Atoms& atoms, size_t atom, const SearchForest& items) {
  std::vector<Item> path;
  for (const Item label : atoms.labels(atom)) path.push_back(items.forest().parent(label));
  for (const Item label : atoms.labels(atom)) path.push_back(label);
  return path;
}

// Four bits for each attribute, at most: 5 attributes have room in 64 bits, and 40 have not.
TEST(Atoms, StandInTheOrderOfTheirAncestors) {
  Random random = Random::Seeded(1);
  for (const size_t quasi_count : {1U, 5U, 40U}) {
    const Table table(DrawColumns(quasi_count, 400, random));
    TableGoal goal;
    goal.promise = TablePromise::KAnonymity(table, 2);
    goal.suppression_cost = TableGoal::LeastCost(table, goal.suppression);
    const TableTask task(table, goal);
    const SearchForest items(task, false);
    const Atoms atoms = Atoms::Of(table, items);
    ASSERT_EQ(atoms.size(), table.cell_count());
    for (size_t atom = 1; atom < atoms.size(); ++atom) {
      EXPECT_LT(ByLevel(atoms, atom - 1, items), ByLevel(atoms, atom, items));
    }
  }
}

// Codes of more than sixteen bits are sorted in two steps.
TEST(Table, NumbersKindsAndCellsInTheOrderOfTheirCodes) {
  TableColumns columns;
  columns.parents.assign(200'001, 0);
  columns.quasi.resize(1);
  columns.sensitive.resize(1);
  columns.sensitive[0].value_count = 150'000;
  for (const auto& [leaf, value] : std::vector<std::pair<Item, uint32_t>>{
           {200'000, 70'000}, {3, 140'000}, {65'537, 4'464}, {3, 70'000}, {1, 0}, {3, 140'000}}) {
    columns.quasi[0].leaves.push_back(leaf);
    columns.sensitive[0].values.push_back(value);
  }
  columns.record_count = columns.quasi[0].leaves.size();
  const Table table(columns);
  const std::vector<uint32_t> cells = {3, 1, 2, 1, 0, 1};
  const std::vector<uint32_t> kinds = {2, 3, 1, 2, 0, 3};
  for (size_t record = 0; record < columns.record_count; ++record) {
    EXPECT_EQ(table.cell_of(record), cells[record]);
    EXPECT_EQ(table.kind_of(record), kinds[record]);
  }
  const std::vector<Table::KindCount> of_cell(table.kinds(1).begin(), table.kinds(1).end());
  EXPECT_EQ(of_cell, (std::vector<Table::KindCount>{{2, 1}, {3, 2}}));
  EXPECT_EQ(table.cell_size(1), 3U);
}

}  // namespace
}  // namespace thicket::atoms_test
