#include "verify/row_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/random.h"

namespace thicket::row_counts_test {
namespace {

// Few different numbers, so that rows repeat, and many rows, so that the table grows.
TEST(RowCounts, CountsWhatAMapCounts) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Random random = Random::Seeded(seed);
    const size_t width = seed % 5;
    const uint64_t different = 1 + random.Below(12);
    RowCounts rows(width);
    std::map<std::vector<uint32_t>, std::pair<uint64_t, RecordId>> expected;
    std::vector<uint32_t> row(width);
    for (RecordId record = 0; record < 5000; ++record) {
      for (uint32_t& number : row) number = static_cast<uint32_t>(random.Below(different));
      rows.Add(row, record);
      ++expected.emplace(row, std::pair(uint64_t{0}, record)).first->second.first;
    }
    ASSERT_EQ(rows.size(), expected.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto found = expected.find({rows.row(i).begin(), rows.row(i).end()});
      ASSERT_NE(found, expected.end());
      EXPECT_EQ(found->second, std::pair(rows.count(i), rows.first(i)));
      EXPECT_TRUE(i == 0 || rows.first(i - 1) < rows.first(i));
    }
  }
}

}  // namespace
}  // namespace thicket::row_counts_test
