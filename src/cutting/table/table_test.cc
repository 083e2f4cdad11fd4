// A table's cells and kinds against maps of its rows, where the codes of a row fit one number and where they do not.
#include "cutting/table/table.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/random.h"

namespace thicket::table_test {
namespace {

// A root above some leaves for each quasi-identifier.
TableColumns DrawColumns(Random& random, uint32_t value_count, size_t sensitive_count) {
  TableColumns columns;
  columns.record_count = random.Below(200);
  const size_t quasi_count = random.Below(4);
  for (size_t quasi = 0; quasi < quasi_count; ++quasi) {
    const auto root = static_cast<Item>(columns.parents.size());
    const auto leaves = static_cast<Item>(1 + random.Below(4));
    columns.parents.insert(columns.parents.end(), leaves + 1, root);
    columns.quasi.push_back({.first = root});
    for (size_t record = 0; record < columns.record_count; ++record) {
      columns.quasi.back().leaves.push_back(root + 1 + static_cast<Item>(random.Below(leaves)));
    }
  }
  for (size_t i = 0; i < sensitive_count; ++i) {
    columns.sensitive.push_back({.value_count = value_count});
    for (size_t record = 0; record < columns.record_count; ++record) {
      // Both ends of the codes, so that all their digits are needed.
      const auto value = static_cast<uint32_t>(random.Below(3));
      columns.sensitive.back().values.push_back(value == 0 ? value_count - 1 : value - 1);
    }
  }
  if (random.Below(2) == 0) {
    for (size_t record = 0; record < columns.record_count; ++record) {
      columns.labels.push_back(static_cast<uint32_t>(random.Below(3)));
    }
  }
  return columns;
}

void ExpectNumberedAsRows(const TableColumns& columns) {
  const Table table(columns);
  std::map<std::vector<uint32_t>, uint32_t> cells;
  std::map<std::vector<uint32_t>, uint32_t> kinds;
  std::vector<std::vector<uint32_t>> cell_of;
  std::vector<std::vector<uint32_t>> kind_of;
  for (size_t record = 0; record < columns.record_count; ++record) {
    std::vector<uint32_t>& cell = cell_of.emplace_back();
    for (const auto& quasi : columns.quasi) cell.push_back(quasi.leaves[record]);
    std::vector<uint32_t>& kind = kind_of.emplace_back();
    for (const auto& sensitive : columns.sensitive) kind.push_back(sensitive.values[record]);
    kind.push_back(columns.labels.empty() ? 0 : columns.labels[record]);
    ++cells[cell];
    ++kinds[kind];
  }
  ASSERT_EQ(table.cell_count(), cells.size());
  ASSERT_EQ(table.kind_count(), kinds.size());
  // Numbers follow the order of rows.
  std::map<std::vector<uint32_t>, uint32_t> kind_number;
  for (const auto& [kind, count] : kinds) {
    const auto number = static_cast<uint32_t>(kind_number.size());
    kind_number[kind] = number;
    EXPECT_EQ(table.label(number), kind.back());
    for (size_t i = 0; i + 1 < kind.size(); ++i) {
      EXPECT_EQ(table.values(number)[i], table.first_value(i) + kind[i]);
    }
  }
  uint32_t number = 0;
  for (const auto& [cell, count] : cells) {
    EXPECT_EQ(std::vector<uint32_t>(table.cell(number).begin(), table.cell(number).end()), cell);
    EXPECT_EQ(table.cell_size(number), count);
    ++number;
  }
  for (size_t record = 0; record < columns.record_count; ++record) {
    EXPECT_EQ(table.cell_of(record), std::distance(cells.begin(), cells.find(cell_of[record])));
    EXPECT_EQ(table.kind_of(record), kind_number[kind_of[record]]);
  }
}

TEST(Table, NumbersCellsAndKindsInTheOrderOfRows) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random = Random::Seeded(seed);
    ExpectNumberedAsRows(DrawColumns(random, 3, random.Below(3)));
  }
}

TEST(Table, NumbersRowsWhoseCodesHaveNoRoomInOneNumber) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Random random = Random::Seeded(seed);
    ExpectNumberedAsRows(DrawColumns(random, 1U << 20, 4));
  }
}

}  // namespace
}  // namespace thicket::table_test
