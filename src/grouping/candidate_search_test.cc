#include "grouping/candidate_search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "testing/forest_text.h"
#include "testing/random_forest.h"

namespace thicket::candidate_search_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

// The record that costs least, by looking at all of them.
std::optional<CandidateSearch::Found> Naive(const TreeModel& model, const SearchOptions& options,
                                            const Representative& group, const CandidatePool& pool,
                                            Units limit) {
  Merger merger(model, options.merge);
  std::optional<CandidateSearch::Found> best;
  for (RecordId record = 0; record < model.forest().record_count(); ++record) {
    if (!pool.Contains(record) || record == group.records().front()) continue;
    const Units similarity = merger.Similarity(group, record, 0);
    if (options.joinable_only && similarity == 0) continue;
    const Units cost =
        CostLine::Of(options.merge.cost, group, model.record_weight(record)).At(similarity);
    if (cost <= limit && (!best || cost < best->cost)) best = {record, cost};
  }
  return best;
}

RC_GTEST_PROP(CandidateSearchTest, FindsWhatAFullScanFinds, ()) {
  const auto first = *rc::gen::arbitrary<uint64_t>();
  for (uint64_t i = 0; i < 5; ++i) {
    Random random = Random::Seeded(first * 5 + i);
    ForestShape shape;
    shape.records = 1 + random.Below(60);
    shape.classes = 1 + random.Below(6);
    shape.secrets = 2 + random.Below(6);
    shape.plenty = random.Below(3) == 0;
    const EncodedDataset data = RandomForest(random.Next(), shape);
    const TreeModel model(data, {static_cast<int>(random.Below(3))});
    SearchOptions options;
    options.merge = {static_cast<Mapping>(random.Below(3)),
                     static_cast<MergeCost>(random.Below(2))};
    options.joinable_only = random.Below(2) == 0;
    options.exhaustive = random.Below(4) == 0;
    Parallel parallel(static_cast<int>(1 + random.Below(2)));
    CandidateSearch search(model, options, parallel);
    CandidatePool pool(model);
    for (RecordId seed = 0; seed < std::min<size_t>(shape.records, 8); ++seed) {
      for (int left = 0; left < 3; ++left) {
        const auto leaving = static_cast<RecordId>(random.Below(shape.records));
        if (leaving != seed && pool.Contains(leaving)) pool.Remove(leaving);
      }
      if (!pool.Contains(seed) || pool.size() < 2) continue;
      const Representative group = Representative::Of(model, seed, 2);
      Units limit = CandidateSearch::kNoLimit;
      for (int round = 0; round < 3; ++round) {
        const auto expected = Naive(model, options, group, pool, limit);
        const auto found = search.Nearest(group, pool, limit);
        RC_ASSERT(found.has_value() == expected.has_value());
        if (!found) break;
        RC_ASSERT(found->record == expected->record);
        RC_ASSERT(found->cost == expected->cost);
        limit = round == 0 ? found->cost : found->cost - 1;
      }
    }
  }
}

TEST(CandidateSearchTest, NobodyIsNearestWhereOnlyMembersAreLeft) {
  auto schema = testing::ParseSchema("r(|s)");
  const EncodedDataset data = std::move(*Encode(testing::ParseForest(schema, "r(|1)"), {}));
  const TreeModel model(data, {2});
  Parallel parallel(1);
  CandidateSearch search(model, {}, parallel);
  CandidatePool pool(model);
  EXPECT_FALSE(search.Nearest(Representative::Of(model, 0, 2), pool).has_value());
}

TEST(CandidateSearchTest, CountsWhatItCompares) {
  const EncodedDataset data = RandomForest(5, {.records = 40, .once = false});
  const TreeModel model(data, {0});
  CandidatePool pool(model);
  Parallel parallel(1);
  SearchOptions exhaustive;
  exhaustive.exhaustive = true;
  CandidateSearch full(model, exhaustive, parallel);
  CandidateSearch pruned(model, {}, parallel);
  const Representative group = Representative::Of(model, 0, 2);
  full.Nearest(group, pool, CandidateSearch::kNoLimit);
  pruned.Nearest(group, pool, CandidateSearch::kNoLimit);
  EXPECT_EQ(full.statistics().candidates, 39U);
  EXPECT_EQ(full.statistics().compared, 39U);
  EXPECT_EQ(pruned.statistics().candidates, 39U);
  EXPECT_LE(pruned.statistics().compared, 39U);
}

}  // namespace
}  // namespace thicket::candidate_search_test
