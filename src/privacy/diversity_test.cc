#include "privacy/diversity.h"

#include <gtest/gtest.h>

#include <vector>

namespace thicket {
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

}  // namespace
}  // namespace thicket
