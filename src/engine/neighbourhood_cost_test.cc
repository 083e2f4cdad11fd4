#include "engine/neighbourhood_cost.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/parallel.h"
#include "base/progress.h"
#include "grouping/clustree.h"
#include "testing/random_forest.h"

namespace thicket::neighbourhood_cost_test {
namespace {

class NeighbourhoodCostTest : public ::testing::Test {
 protected:
  // Everybody with everybody.
  GroupData Whole() {
    return [this](const EncodedDataset& data) {
      ClusTreeOptions options;
      options.class_size = 2;
      return ClusTree(data, options, parallel_, progress_);
    };
  }

  EncodedDataset data_ =
      testing::RandomForest(7, {.records = 120, .plenty = true, .missing = false});
  Parallel parallel_{2};
  Progress progress_;
};

TEST_F(NeighbourhoodCostTest, IsNothingForWhatIsNoApproximation) {
  const auto cost = NeighbourhoodCost(data_, 60, Whole(), Whole());
  ASSERT_TRUE(cost.ok());
  ASSERT_TRUE(cost->has_value());
  EXPECT_EQ(**cost, 0);
}

TEST_F(NeighbourhoodCostTest, ShowsABadApproximation) {
  size_t seen = 0;
  const auto bad = [&](const EncodedDataset& data) {
    seen = data.forest().record_count();
    ClusTreeOptions options;
    options.class_size = 12;
    return ClusTree(data, options, parallel_, progress_);
  };
  const auto cost = NeighbourhoodCost(data_, 60, bad, Whole());
  ASSERT_TRUE(cost.ok());
  ASSERT_TRUE(cost->has_value());
  EXPECT_GT(**cost, 0.1);
  EXPECT_EQ(seen, 60U);
}

TEST_F(NeighbourhoodCostTest, IsLeftOutWhereNobodyCanBePublishedAndEndsWithTheRun) {
  const auto fails = [](ErrorCode code) -> GroupData {
    return [code](const EncodedDataset&) -> Result<Grouping> { return Error{code, "no", "", ""}; };
  };
  const auto none = NeighbourhoodCost(data_, 60, fails(ErrorCode::kPromise), Whole());
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
  const auto stopped = NeighbourhoodCost(data_, 60, Whole(), fails(ErrorCode::kInterrupted));
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
}

TEST_F(NeighbourhoodCostTest, IsEstimatedOnlyWhereThatTakesAPartOfTheRun) {
  EXPECT_EQ(NeighbourhoodSample(1'000'000, 0, 0), 0U);
  EXPECT_EQ(NeighbourhoodSample(10'000, 100'000, 1), 0U);
  EXPECT_EQ(NeighbourhoodSample(30'000, 100'000, 1), 1'500U);
  EXPECT_EQ(NeighbourhoodSample(1'000'000, 100'000, 16), 4'000U);
  EXPECT_EQ(NeighbourhoodSample(100'000, 4'000, 25), 0U);
  EXPECT_EQ(NeighbourhoodSample(200'000, 4'000, 50), 8'000U);
}

}  // namespace
}  // namespace thicket::neighbourhood_cost_test
