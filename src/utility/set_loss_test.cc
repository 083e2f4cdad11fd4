// NCP and LM of published sets against their definitions (tests/testing/literal_sets.h).

#include "utility/set_loss.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "testing/forest_text.h"
#include "testing/literal_sets.h"
#include "testing/random_sets.h"

namespace thicket::set_loss_test {
namespace {

using testing::LiteralNodes;
using testing::LiteralSetData;

std::string TextOf(const LiteralSetData& sets, const std::vector<LiteralNodes>& records) {
  std::string text;
  for (size_t record = 0; record < records.size(); ++record) {
    text += "basket{";
    for (const int node : records[record]) text += fmt::format("item(n{})", node);
    for (const int item : sets.sensitive[record]) text += fmt::format("item(s{})", item);
    text += "} ";
  }
  return text;
}

double ToDouble(const testing::LiteralFraction& fraction) {
  return static_cast<double>(fraction.above()) / static_cast<double>(fraction.below());
}

RC_GTEST_PROP(SetLossPropertyTest, IsTheMeanOfAllOccurrences, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets = testing::RandomLiteralSets(random);
  TaxonomyBuilder builder("n0");
  for (size_t node = 1; node < sets.taxonomy.parents.size(); ++node) {
    builder.Add(static_cast<uint32_t>(sets.taxonomy.parents[node]), fmt::format("n{}", node));
  }
  TaxonomyFiles files;
  files.emplace("t.csv", std::move(builder).Build());
  const std::shared_ptr<Schema> schema = testing::ParseSchema("basket{item(name)}");
  schema->classes[1].quasi[0].recoding.file = "t.csv";
  schema->classes[1].quasi[0].sensitive_items = {"s0", "s1", "s2", "s3"};
  std::vector<RecordId> own(sets.size());
  std::iota(own.begin(), own.end(), RecordId{0});
  for (const LiteralNodes& cut : testing::LiteralSetCuts(sets.taxonomy)) {
    auto original = Encode(testing::ParseForest(schema, TextOf(sets, sets.items)), files);
    RC_ASSERT(original.ok());
    const std::vector<LiteralNodes> published = testing::GeneralizeSets(sets, cut);
    const auto loss =
        MeasureSetLoss(*original, testing::ParseForest(schema, TextOf(sets, published)), own);
    RC_ASSERT(loss.ok());
    const double ncp = ToDouble(testing::MeanLoss(sets, published, testing::NcpOf));
    const double lm = ToDouble(testing::MeanLoss(sets, published, testing::LmOf));
    RC_ASSERT(std::abs(loss->ncp() - ncp) < 1e-9);
    RC_ASSERT(std::abs(loss->lm.lm() - lm) < 1e-9);
  }
}

TEST(SetLoss, WhatIsLeftOutCostsOne) {
  TaxonomyBuilder builder("*");
  const auto group = builder.Add(TaxonomyBuilder::root(), "g");
  for (const char* leaf : {"a", "b", "c"}) builder.Add(group, leaf);
  builder.Add(TaxonomyBuilder::root(), "d");
  TaxonomyFiles files;
  files.emplace("t.csv", std::move(builder).Build());
  const std::shared_ptr<Schema> schema = testing::ParseSchema("basket{item(name)}");
  schema->classes[1].quasi[0].recoding.file = "t.csv";
  auto original =
      Encode(testing::ParseForest(schema, "basket{item(a)item(a)item(d)} basket{item(b)}"), files);
  ASSERT_TRUE(original.ok());
  const std::vector<RecordId> first = {0};
  const auto loss =
      MeasureSetLoss(*original, testing::ParseForest(schema, "basket{item(g)}"), first);
  ASSERT_TRUE(loss.ok());
  EXPECT_EQ(loss->lm.labels, 3U);
  EXPECT_EQ(loss->lm.suppressed, 2U);
  EXPECT_EQ(loss->lm.generalized, 1U);
  EXPECT_DOUBLE_EQ(loss->ncp(), (0.75 + 2) / 3);
  EXPECT_DOUBLE_EQ(loss->lm.lm(), (2.0 / 3 + 2) / 3);
}

}  // namespace
}  // namespace thicket::set_loss_test
