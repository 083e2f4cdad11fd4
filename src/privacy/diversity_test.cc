#include "privacy/diversity.h"

#include <gtest/gtest.h>

#include <vector>

namespace thicket::diversity_test {
namespace {

TEST(DiversityRuleTest, AClassOfSizeLNeedsDistinctValues) {
  for (int l = 1; l < 10; ++l) EXPECT_EQ(DiversityRule{l}.MostRepeats(l), 1) << l;
}

TEST(DiversityRuleTest, NoValueIsMoreFrequentThanOneInL) {
  // Definition 3.7: f(s) <= 1/l.
  for (int l = 1; l <= 6; ++l) {
    for (int size = l; size < 40; ++size) {
      const int most = DiversityRule{l}.MostRepeats(size);
      EXPECT_LE(most * l, size);
      EXPECT_GT((most + 1) * l, size);
    }
  }
}

TEST(DiversityRuleTest, WithoutLNothingIsFull) {
  const std::vector<uint32_t> buckets(1000, 7);
  EXPECT_EQ(FullBuckets(buckets.data(), buckets.size(), DiversityRule{0}.MostRepeats(1000)), 0U);
}

TEST(DiversityRuleTest, CountsBucketsNotBits) {
  const std::vector<uint32_t> buckets = {1, 65, 1, 129, 2};
  EXPECT_EQ(CountBucket(buckets.data(), buckets.size(), 1), 2);
  EXPECT_EQ(CountBucket(buckets.data(), buckets.size(), 65), 1);
  EXPECT_EQ(CountBucket(buckets.data(), buckets.size(), 3), 0);
  EXPECT_EQ(BucketBit(1), BucketBit(65));
}

TEST(DiversityRuleTest, FullIsWhatStandsThereOftenEnough) {
  const std::vector<uint32_t> buckets = {1, 65, 1, 3, 63};
  EXPECT_EQ(FullBuckets(buckets.data(), buckets.size(), 2), BucketBit(1));
  EXPECT_EQ(FullBuckets(buckets.data(), buckets.size(), 1),
            BucketBit(1) | BucketBit(3) | BucketBit(63));
  EXPECT_EQ(FullBuckets(buckets.data(), buckets.size(), 3), 0U);
  EXPECT_EQ(FullBuckets(buckets.data(), 0, 1), 0U);
}

DiversityRule PaperRule() {
  DiversityRule rule;
  rule.alpha = {0.8, 0.6, 0.4, 0.2, 0.1};
  return rule;
}

// Definition 5 of Wang et al. 2018, with the paper's shares.
TEST(LevelCapacityTest, IsTheShareOfTheClassRoundedDown) {
  const DiversityRule rule = PaperRule();
  EXPECT_EQ(rule.Capacities(10), (std::array<int, 6>{0, 8, 6, 4, 2, 1}));
  EXPECT_EQ(rule.Capacities(5), (std::array<int, 6>{0, 4, 3, 2, 1, 0}));
  EXPECT_EQ(rule.Capacities(2), (std::array<int, 6>{0, 1, 1, 0, 0, 0}));
}

TEST(LevelCapacityTest, IsExactForDecimalShares) {
  for (int hundredths = 1; hundredths <= 100; ++hundredths) {
    DiversityRule rule;
    rule.alpha.fill(hundredths / 100.0);
    for (int size = 1; size <= 1000; ++size) {
      EXPECT_EQ(rule.Capacity(3, size), size * hundredths / 100) << hundredths << " " << size;
    }
  }
}

TEST(LevelCapacityTest, TheLeastClassIsTheFirstWithRoom) {
  const DiversityRule rule = PaperRule();
  const int least[5] = {2, 2, 3, 5, 10};
  for (uint32_t level = 1; level <= 5; ++level) {
    EXPECT_EQ(rule.LeastClassSize(level), least[level - 1]);
    EXPECT_EQ(rule.Capacity(level, least[level - 1] - 1), 0);
  }
  DiversityRule all;
  all.alpha.fill(1);
  EXPECT_EQ(all.LeastClassSize(1), 1);
}

TEST(LevelCapacityTest, LevelsWithoutRoomAreFullFromTheStart) {
  const std::vector<uint32_t> levels = {1, 1, 1, 1, 3};
  const DiversityRule rule = PaperRule();
  EXPECT_EQ(FullLevels(levels.data(), levels.size(), rule.Capacities(5)),
            BucketBit(1) | BucketBit(5));
  EXPECT_EQ(FullLevels(levels.data(), 0, rule.Capacities(2)),
            BucketBit(3) | BucketBit(4) | BucketBit(5));
}

}  // namespace
}  // namespace thicket::diversity_test
