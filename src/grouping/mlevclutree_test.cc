#include "grouping/mlevclutree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "grouping/refine.h"
#include "privacy/levels_of_data.h"
#include "testing/forest_text.h"
#include "testing/published_check.h"
#include "testing/random_forest.h"

namespace thicket::mlevclutree_test {
namespace {

using testing::FindFault;
using testing::ForestShape;
using testing::RandomForest;
using Kind = SensitivityLevels::Kind;

struct Case {
  EncodedDataset data;
  std::array<int, 5> tenths{};
  MLevCluTreeOptions options;
};

SensitivityLevels RandomLevels(Random& random, size_t secrets) {
  SensitivityLevels levels;
  const uint64_t kind = random.Below(3);
  if (kind == 0) {
    levels.kind = Kind::kFrequency;
  } else if (kind == 1) {
    levels.kind = Kind::kNumeric;
    levels.min = 0;
    levels.max = static_cast<double>(secrets - 1);
    levels.low_is_sensitive = random.Below(2) == 0;
  } else {
    levels.kind = Kind::kGiven;
    for (size_t value = 0; value < secrets; ++value) {
      levels.given[random.Below(5)].push_back(std::to_string(value));
    }
  }
  return levels;
}

Case MakeCase(uint64_t seed, size_t most_records) {
  Random random = Random::Seeded(seed);
  Case result;
  ForestShape shape;
  shape.records = random.Below(most_records + 1);
  shape.classes = 1 + random.Below(4);
  shape.secrets = 2 + random.Below(8);
  shape.plenty = random.Below(4) == 0;
  shape.once = false;
  result.data = RandomForest(random.Next(), shape);
  auto schema = std::make_shared<Schema>(result.data.schema());
  for (VertexClass& type : schema->classes) {
    for (SensitiveAttribute& attribute : type.sensitive) {
      attribute.levels = RandomLevels(random, shape.secrets);
    }
  }
  result.data.data.schema = schema;
  RC_ASSERT(ApplyLevels(result.data).ok());
  MLevCluTreeOptions& options = result.options;
  options.class_size = static_cast<int>(2 + random.Below(5));
  for (size_t i = 0; i < 5; ++i) {
    result.tenths[i] = static_cast<int>(1 + random.Below(10));
    options.rule.alpha[i] = result.tenths[i] / 10.0;
  }
  options.candidates = random.Below(2) == 0 ? 50 : 1 + random.Below(6);
  options.merge.mapping = static_cast<Mapping>(random.Below(3));
  options.merge.cost = static_cast<MergeCost>(random.Below(2));
  options.leftovers = static_cast<Leftovers>(random.Below(2));
  options.random_seed = random.Next();
  return result;
}

Publication Run(const Case& given, int threads) {
  Parallel parallel(threads);
  Progress progress;
  Result<Grouping> grouping = MLevCluTree(given.data, given.options, parallel, progress);
  RC_ASSERT(grouping.ok());
  return std::move(grouping->published);
}

// Definition 5 of Wang et al. 2018, in whole numbers.
bool SharesAreKept(const Case& given, const Publication& published) {
  for (const PublishedTree group : published.trees()) {
    const auto size = static_cast<int>(group.records.size());
    for (size_t p = 0; p < group.size(); ++p) {
      const size_t sensitive = given.data.schema().classes[group.vertex_class[p]].sensitive.size();
      for (size_t i = 0; i < sensitive; ++i) {
        std::map<uint32_t, int> count;
        for (size_t member = 0; member < group.records.size(); ++member) {
          ++count[given.data.Bucket(group.vertex(member, p), i)];
        }
        for (const auto& [level, times] : count) {
          if (times * 10 > size * given.tenths[level - 1]) return false;
        }
      }
    }
  }
  return true;
}

RC_GTEST_PROP(MLevCluTreeProperty, RefinedClassesKeepTheirShares, (uint64_t seed)) {
  const Case given = MakeCase(seed, 40);
  RefineOptions options;
  options.class_size = given.options.class_size;
  options.rule = given.options.rule;
  options.merge = given.options.merge;
  Parallel parallel(1);
  Progress progress;
  Grouping grouping;
  grouping.published = Run(given, 1);
  const Result<Grouping> refined =
      Refine(given.data, std::move(grouping), options, parallel, progress);
  RC_ASSERT(refined.ok());
  RC_ASSERT(FindFault(given.data, refined->published, given.options.class_size, 1) == "");
  RC_ASSERT(SharesAreKept(given, refined->published));
}

RC_GTEST_PROP(MLevCluTreeProperty, ClassesKeepThePromiseAndAreTrue, (uint64_t seed)) {
  const Case given = MakeCase(seed, 40);
  const Publication published = Run(given, 1);
  RC_ASSERT(FindFault(given.data, published, given.options.class_size, 1) == "");
  RC_ASSERT(SharesAreKept(given, published));
}

RC_GTEST_PROP(MLevCluTreeProperty, ThreadsChangeNothing, (uint64_t seed)) {
  const Case given = MakeCase(seed, 200);
  const Publication one = Run(given, 1);
  const Publication three = Run(given, 3);
  RC_ASSERT(one == three);
}

RC_GTEST_PROP(MLevCluTreeProperty, BoundsChangeNothing, (uint64_t seed)) {
  Case given = MakeCase(seed, 100);
  const Publication pruned = Run(given, 1);
  given.options.exhaustive = true;
  const Publication full = Run(given, 2);
  RC_ASSERT(pruned == full);
}

class MLevCluTreeTest : public ::testing::Test {
 protected:
  MLevCluTreeTest() {
    schema_->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
    schema_->classes[1].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
    for (size_t id = 0; id < 2; ++id) {
      SensitivityLevels& levels = schema_->classes[id].sensitive[0].levels;
      levels.kind = Kind::kGiven;
      levels.given = {{{"1"}, {"2"}, {"3"}, {"4"}, {"5"}}};
    }
    options_.rule.alpha = {0.8, 0.6, 0.4, 0.2, 0.1};
  }

  Publication Group(std::string_view text) {
    Result<EncodedDataset> data = Encode(testing::ParseForest(schema_, text), {});
    EXPECT_TRUE(data.ok()) << data.error().message;
    EXPECT_TRUE(ApplyLevels(*data).ok());
    Parallel parallel(1);
    Progress progress;
    Result<Grouping> grouping = MLevCluTree(*data, options_, parallel, progress);
    EXPECT_TRUE(grouping.ok());
    return std::move(grouping->published);
  }

  std::shared_ptr<Schema> schema_ = testing::ParseSchema("r(q|s){c(q|s)}");
  MLevCluTreeOptions options_;
};

// At k = 2 the paper's shares leave room for one value of level 1 and one of level 2, and for no others.
TEST_F(MLevCluTreeTest, RootsOfAFullLevelDoNotStandTogether) {
  const Publication published = Group("r(1|1) r(2|1) r(1|2) r(2|2)");
  ASSERT_EQ(published.tree_count(), 2U);
  for (const PublishedTree group : published.trees()) {
    // The nearest of the other level has the same label.
    EXPECT_EQ(group.labels(0)[0].low, group.labels(0)[0].high);
  }
  EXPECT_TRUE(published.suppressed().empty());
}

TEST_F(MLevCluTreeTest, ARootOfALevelWithoutRoomIsSuppressed) {
  const Publication published = Group("r(1|1) r(1|5) r(1|2)");
  ASSERT_EQ(published.tree_count(), 1U);
  EXPECT_EQ(published.suppressed(), (std::vector<RecordId>{1}));
}

TEST_F(MLevCluTreeTest, AVertexOfALevelWithoutRoomIsSuppressedWithWhatIsBelow) {
  const Publication published = Group("r(1|1){c(1|5) c(1|1)} r(1|2){c(1|4) c(1|2)}");
  ASSERT_EQ(published.tree_count(), 1U);
  EXPECT_EQ(published.tree(0).size(), 2U);
}

TEST_F(MLevCluTreeTest, NothingIsPublishedWhereNobodyMayStandTogether) {
  const Publication published = Group("r(1|1) r(1|1) r(1|1)");
  EXPECT_TRUE(published.empty());
  EXPECT_EQ(published.suppressed().size(), 3U);
}

TEST_F(MLevCluTreeTest, OneRecordTooManyIsAbsorbedOrSuppressed) {
  const char* text = "r(1|1) r(1|2) r(1|1)";
  options_.leftovers = Leftovers::kAbsorb;
  // A class of three has room for two of level 1.
  EXPECT_EQ(Group(text).record_count(), 3U);
  options_.leftovers = Leftovers::kSuppress;
  EXPECT_EQ(Group(text).record_count(), 2U);
}

TEST_F(MLevCluTreeTest, ClassesHaveExactlyKRecords) {
  options_.class_size = 3;
  options_.rule.alpha.fill(1);
  options_.leftovers = Leftovers::kSuppress;
  const Publication published = Group("r(1|1) r(1|1) r(1|1) r(9|1) r(9|1) r(9|1) r(5|1)");
  ASSERT_EQ(published.tree_count(), 2U);
  for (const PublishedTree group : published.trees()) EXPECT_EQ(group.records.size(), 3U);
  EXPECT_EQ(published.suppressed().size(), 1U);
}

}  // namespace
}  // namespace thicket::mlevclutree_test
