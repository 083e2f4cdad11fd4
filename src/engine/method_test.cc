// Whatever a policy's method publishes of random records, written and read back, keeps the promise; and the engine runs
// what the table of methods has.
#include "engine/method.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/random.h"
#include "engine/test_published_text.h"
#include "io/dataset_io.h"
#include "policy/method_table.h"
#include "testing/random_cut_data.h"
#include "testing/random_forest.h"
#include "verify/verify.h"

namespace thicket::method_test {
namespace {

using testing::ForestShape;
using testing::RandomForestMaker;

Dataset Reread(const Policy& policy, const EncodedDataset& data, const Publication& published) {
  Progress progress;
  auto read = ReadDatasetText(policy, PublishedText(policy, data, published), "published",
                              ReadAs::kPublished, progress);
  if (!read.ok()) RC_FAIL(read.error().message);
  return std::move(*read);
}

void CheckMethod(const std::string& name, bool diverse) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  const uint64_t seed = random.Next();
  ForestShape shape;
  shape.records = 6 + random.Below(20);
  RandomForestMaker maker(seed, shape);
  const EncodedDataset data = maker.Make();

  Policy policy;
  policy.schema = data.data.schema;
  policy.input.format = Format::kJsonl;
  policy.privacy.k = static_cast<int>(2 + random.Below(3));
  if (diverse) policy.privacy.l = static_cast<int>(2 + random.Below(2));
  policy.method.name = name;
  policy.method.refine = random.Below(2) == 0;
  policy.method.climit = static_cast<int>(1 + random.Below(8));
  policy.method.th = static_cast<double>(random.Below(11)) / 10;
  RC_LOG() << "seed " << seed << ", " << shape.records << " records, k " << *policy.privacy.k
           << (policy.method.refine ? ", refined" : "") << "\n";

  Parallel parallel(1);
  Progress progress;
  MethodOptions options;
  // As if the records were a sample of very many: neighbourhoods are looked at.
  if (random.Below(2) == 0) options.drawn_from = 1'000'000;
  const auto result = RunMethod(policy, options, data, parallel, progress);
  if (!result.ok() && result.error().code == ErrorCode::kPromise) {
    RC_DISCARD("nothing can be published");
  }
  RC_ASSERT(result.ok());
  const Dataset published = Reread(policy, data, result->published);
  const auto verdict =
      VerifyPublished(*policy.schema, policy.privacy, maker.taxonomies(), published);
  if (!verdict.ok()) RC_FAIL(verdict.error().message);
  for (const Violation& violation : verdict->violations.shown()) RC_LOG() << violation.message;
  RC_ASSERT(verdict->holds);
}

TEST(MethodTest, EveryMethodOfTheTableCanBeRun) {
  std::map<std::string_view, MethodFamily> runnable;
  for (const RunnableMethod& method : RunnableMethods()) {
    EXPECT_TRUE(runnable.emplace(method.name, method.family).second) << method.name;
  }
  std::map<std::string_view, MethodFamily> table;
  for (const MethodRow& row : Methods()) table.emplace(row.name, row.family);
  EXPECT_EQ(runnable, table);
}

TEST(MethodTest, TimeGrowsWithTheSquareOnlyWhereEverybodyIsCompared) {
  const EncodedDataset trees = testing::RandomForest(1, {.records = 20, .classes = 3});
  Policy policy;
  policy.method.name = "clustree";
  EXPECT_FALSE(GrowthOf(policy, trees, 1000).proposes);
  EXPECT_EQ(GrowthOf(policy, trees, 1000).part, 0U);
  EXPECT_TRUE(GrowthOf(policy, trees, 100'000).proposes);
  policy.method.neighbourhood = "off";
  EXPECT_FALSE(GrowthOf(policy, trees, 100'000).proposes);
  policy.method.neighbourhood = "500";
  EXPECT_FALSE(GrowthOf(policy, trees, 100'000).proposes);
  EXPECT_EQ(GrowthOf(policy, trees, 100'000).part, 500U);
  policy.method.neighbourhood = "auto";
  policy.method.name = "agglomerate";
  EXPECT_TRUE(GrowthOf(policy, trees, 100'000).proposes);
  policy.method.name = "miracle";
  EXPECT_FALSE(GrowthOf(policy, trees, 100'000).proposes);
}

// A word that the policy lets through and the engine does not know would be an error here.
TEST(MethodTest, EveryWordOfTheTableMeansSomething) {
  Random random = Random::Seeded(1);
  const EncodedDataset data = testing::RandomCutData(random, 100, 8).Make();
  Parallel parallel(1);
  Progress progress;
  for (const MethodRow& row : Methods()) {
    for (const MethodParameter* parameter : row.Parameters()) {
      const auto* type = std::get_if<MethodParameter::Word>(&parameter->type);
      if (type == nullptr) continue;
      for (const std::string_view word : type->words) {
        Policy policy;
        policy.schema = data.data.schema;
        policy.privacy.k = 2;
        if (row.family == MethodFamily::kCutting) {
          policy.privacy.m = 2;
          policy.privacy.n = 1;
        }
        policy.method.name = row.name;
        policy.method.*(type->field) = word;
        const std::string what = fmt::format("{}, {}: {}", row.name, parameter->key, word);
        const auto found = RunMethod(policy, {}, data, parallel, progress);
        EXPECT_TRUE(found.ok() || found.error().code == ErrorCode::kPromise)
            << what << ": " << found.error().message;
      }
    }
  }
}

TEST(MethodTest, RefusesNamesAndWordsThatNobodyKnows) {
  Random random = Random::Seeded(1);
  const EncodedDataset data = testing::RandomCutData(random, 100, 8).Make();
  Parallel parallel(1);
  Progress progress;
  Policy policy;
  policy.schema = data.data.schema;
  policy.privacy.k = 2;
  policy.method.name = "clustre";
  EXPECT_EQ(RunMethod(policy, {}, data, parallel, progress).error().message,
            "method.name must be that of a method, but is clustre");
  policy.method.name = "clustree";
  policy.method.mapping = "lasp";
  EXPECT_EQ(RunMethod(policy, {}, data, parallel, progress).error().message,
            "method.mapping must be a word that its method knows, but is lasp");
}

TEST(MethodTest, ReportsWhatMattersToTheMethod) {
  const auto described = [](const MethodPolicy& method) {
    std::string text;
    for (const Report::Method::Parameter& one : DescribeMethod(method).parameters) {
      text += fmt::format("{}={}{} ", one.name, one.text, one.is_word ? "!" : "");
    }
    return text;
  };
  MethodPolicy method;
  EXPECT_EQ(described(method), "mapping=lsap! passes=true cost=weighted! leftovers=absorb! ");
  method.name = "cdgh";
  method.refine = true;
  method.limit_s = 1.5;
  EXPECT_EQ(described(method), "climit=150 th=0.1 refine=true limit_s=1.5 ");
  method.name = "acs";
  method.refine = false;
  EXPECT_EQ(described(method), "cost=lm! limit_s=1.5 ");
  method.name = "ocs";
  method.limit_s.reset();
  EXPECT_EQ(described(method), "g=2 cost=lm! ");
}

RC_GTEST_PROP(MethodTest, MiracleKeepsThePromise, ()) { CheckMethod("miracle", false); }
RC_GTEST_PROP(MethodTest, MiracleXKeepsThePromise, ()) { CheckMethod("miraclex", false); }
RC_GTEST_PROP(MethodTest, CdghKeepsThePromise, ()) { CheckMethod("cdgh", false); }
RC_GTEST_PROP(MethodTest, DMiracleKeepsThePromise, ()) { CheckMethod("dmiracle", true); }
RC_GTEST_PROP(MethodTest, ClusTreeKeepsThePromise, ()) {
  CheckMethod("clustree", *rc::gen::arbitrary<bool>());
}

}  // namespace
}  // namespace thicket::method_test
