// Records that no class took in cheaply are counted as if every class took in each of them.
#include "grouping/leftovers.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "grouping/clustree.h"
#include "testing/cases.h"
#include "testing/random_forest.h"

namespace thicket::leftovers_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

// From the definition, with every class grown by every suppressed record and nothing cut short.
size_t CountOneByOne(const EncodedDataset& data, const DiversityRule& rule,
                     const Publication& published) {
  const TreeModel model(data, rule);
  Merger merger(model, {});
  size_t count = 0;
  for (const RecordId record : published.suppressed()) {
    bool fits = false;
    bool is_cheap = false;
    for (const PublishedTree tree : published.trees()) {
      Representative group = Representative::From(model, tree);
      const int size = static_cast<int>(group.member_count()) + 1;
      group.SetClassSize(model, size);
      std::vector<VertexPair> pairs;
      merger.Pair(group, record, pairs);
      if (pairs.empty()) continue;
      const Representative grown = group.Absorb(model, record, pairs, size);
      fits = fits || grown.kept() > 0;
      is_cheap = is_cheap || grown.cost() - group.cost() < model.record_weight(record);
    }
    if (fits && !is_cheap) ++count;
  }
  return count;
}

TEST(CostlyLeftovers, AreThoseWhomEveryClassWouldPayForDearly) {
  size_t costly = 0;
  size_t others = 0;
  for (uint64_t seed = 0; seed < Cases(400); ++seed) {
    Random random = Random::Seeded(seed);
    ForestShape shape;
    shape.records = 5 + random.Below(25);
    shape.classes = 1 + random.Below(4);
    shape.plenty = random.Below(3) == 0;
    const EncodedDataset data = RandomForest(random.Next(), shape);
    ClusTreeOptions options;
    options.class_size = static_cast<int>(2 + random.Below(3));
    options.rule.l = static_cast<int>(random.Below(3));
    options.leftovers = static_cast<Leftovers>(random.Below(2));
    Parallel parallel(1);
    Progress progress;
    const Result<Grouping> grouping = ClusTree(data, options, parallel, progress);
    ASSERT_TRUE(grouping.ok());
    const Publication& published = grouping->published;
    const auto count = CountCostlyLeftovers(data, options.rule, options.merge, published);
    ASSERT_TRUE(count.has_value());
    EXPECT_EQ(*count, CountOneByOne(data, options.rule, published)) << "seed " << seed;
    costly += *count;
    others += published.suppressed().size() - *count;
  }
  EXPECT_GT(costly, 0U);
  EXPECT_GT(others, 0U);
}

}  // namespace
}  // namespace thicket::leftovers_test
