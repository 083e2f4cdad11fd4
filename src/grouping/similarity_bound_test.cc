#include "grouping/similarity_bound.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "matching/merge.h"
#include "testing/forest_text.h"
#include "testing/random_forest.h"

namespace thicket::similarity_bound_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

struct Case {
  EncodedDataset data;
  DiversityRule rule;
  int class_size = 2;
};

Case MakeCase(uint64_t seed) {
  Random random = Random::Seeded(seed);
  ForestShape shape;
  shape.records = 2 + random.Below(10);
  shape.classes = 1 + random.Below(5);
  shape.children = random.Below(6);
  shape.depth = shape.children > 3 ? 3 : 4;
  shape.secrets = random.Below(4) == 0 ? 200 : 2 + random.Below(5);
  shape.plenty = random.Below(3) == 0;
  Case result;
  result.class_size = static_cast<int>(2 + random.Below(4));
  result.rule.l = static_cast<int>(random.Below(static_cast<uint64_t>(result.class_size) + 1));
  result.data = RandomForest(random.Next(), shape);
  return result;
}

bool HasManyBuckets(const EncodedDataset& data) {
  for (const uint32_t count : data.classes[0].bucket_count) {
    if (count > 64) return true;
  }
  return false;
}

void CheckBounds(const TreeModel& model, SimilarityBound& bound, const CandidatePool& pool,
                 const Representative& group, Mapping mapping) {
  std::vector<Units> bounds(pool.places());
  bound.Load(group, pool);
  const size_t middle = pool.places() / 3;
  bound.Bound(pool, middle, pool.places(), bounds.data() + middle);
  bound.Bound(pool, 0, middle, bounds.data());
  Merger merger(model, {mapping, MergeCost::kWeighted});
  const bool sure = !model.has_once() && !HasManyBuckets(model.data());
  for (size_t place = 0; place < pool.places(); ++place) {
    const auto& members = group.records();
    const bool is_member =
        std::find(members.begin(), members.end(), pool.record(place)) != members.end();
    if (!pool.Contains(pool.record(place)) || is_member) continue;
    const Units exact = merger.Similarity(group, pool.record(place), 0);
    RC_ASSERT(bounds[place] >= exact);
    if (bound.exact() && sure) RC_ASSERT(bounds[place] == exact);
    if (sure) RC_ASSERT((bounds[place] == 0) == (exact == 0));
  }
}

RC_GTEST_PROP(SimilarityBoundTest, IsNeverBelowTheSimilarity, ()) {
  const auto first = *rc::gen::arbitrary<uint64_t>();
  for (uint64_t i = 0; i < 10; ++i) {
    const Case given = MakeCase(first * 10 + i);
    const TreeModel model(given.data, given.rule);
    CandidatePool pool(model);
    SimilarityBound bound(model);
    Merger merger(model, {});
    std::vector<VertexPair> pairs;
    Representative group = Representative::Of(model, 0, given.class_size);
    for (RecordId record = 1; record < model.forest().record_count(); ++record) {
      for (const Mapping mapping : {Mapping::kLsap, Mapping::kGreedy, Mapping::kLabels}) {
        CheckBounds(model, bound, pool, group, mapping);
      }
      if (static_cast<int>(group.member_count()) == given.class_size) break;
      if (record % 3 == 2) pool.Remove(record);
      merger.Pair(group, record, pairs);
      if (pairs.empty()) continue;
      group = group.Absorb(model, record, pairs, given.class_size);
    }
  }
}

TEST(SimilarityBoundTest, IsExactForTreesOfOneVertex) {
  const EncodedDataset flat = RandomForest(3, {.records = 5, .classes = 1});
  const TreeModel flat_model(flat, {2});
  EXPECT_TRUE(SimilarityBound(flat_model).exact());
  auto schema = testing::ParseSchema("r(|s){c(|s)}");
  const EncodedDataset deep =
      std::move(*Encode(testing::ParseForest(schema, "r(|1){c(|1)}r(|2)"), {}));
  const TreeModel deep_model(deep, {2});
  EXPECT_FALSE(SimilarityBound(deep_model).exact());
}

}  // namespace
}  // namespace thicket::similarity_bound_test
