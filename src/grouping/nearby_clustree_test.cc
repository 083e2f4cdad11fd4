// ClusTree with proposals keeps the promise on any data, and is ClusTree where everybody is proposed and classes grow one by one.
#include "grouping/nearby_clustree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "grouping/clustree.h"
#include "testing/published_check.h"
#include "testing/random_forest.h"

namespace thicket::nearby_clustree_test {
namespace {

using testing::FindFault;
using testing::ForestShape;
using testing::RandomForest;

Publication Grouped(const EncodedDataset& data, const NearbyClusTreeOptions& options, int threads) {
  Parallel parallel(threads);
  Progress progress;
  Result<Grouping> grouping = NearbyClusTree(data, options, parallel, progress);
  EXPECT_TRUE(grouping.ok());
  return std::move(grouping->published);
}

RC_GTEST_PROP(NearbyClusTreeTest, KeepsThePromise, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  ForestShape shape;
  shape.records = random.Below(40);
  shape.classes = 1 + random.Below(5);
  shape.children = random.Below(4);
  shape.secrets = 2 + random.Below(6);
  shape.plenty = random.Below(4) == 0;
  shape.once = random.Below(2) == 0;
  NearbyClusTreeOptions options;
  options.rule.l = static_cast<int>(random.Below(4));
  options.class_size = std::max(2, options.rule.l) * static_cast<int>(1 + random.Below(2));
  options.merge.mapping = static_cast<Mapping>(random.Below(3));
  options.proposals = 1 + random.Below(12);
  options.comparisons = 1 + random.Below(12);
  const EncodedDataset data = RandomForest(random.Next(), shape);
  const Publication published = Grouped(data, options, 1);
  RC_ASSERT(FindFault(data, published, options.class_size, options.rule.l) == "");
  RC_ASSERT(Grouped(data, options, 3) == published);
}

TEST(NearbyClusTreeTest, IsClusTreeWhereEverybodyIsProposed) {
  // Less than 128 classes of two: one class grows at a time, as in the paper.
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const EncodedDataset data =
        RandomForest(seed, {.records = 90, .classes = 3, .plenty = true, .once = false});
    NearbyClusTreeOptions nearby;
    nearby.rule.l = seed % 2 == 0 ? 0 : 2;
    nearby.proposals = nearby.comparisons = 1000;
    ClusTreeOptions whole;
    whole.rule = nearby.rule;
    whole.passes = false;
    whole.leftovers = Leftovers::kSuppress;
    Parallel parallel(1);
    Progress progress;
    const Result<Grouping> expected = ClusTree(data, whole, parallel, progress);
    ASSERT_TRUE(expected.ok());
    EXPECT_TRUE(Grouped(data, nearby, 2) == expected->published);
  }
}

TEST(NearbyClusTreeTest, CancellingIsInterrupted) {
  Parallel parallel(1);
  Progress progress;
  progress.Cancel();
  const Result<Grouping> grouping =
      NearbyClusTree(RandomForest(1, {.records = 9}), {}, parallel, progress);
  ASSERT_FALSE(grouping.ok());
  EXPECT_EQ(grouping.error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace thicket::nearby_clustree_test
