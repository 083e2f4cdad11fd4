#include "grouping/cluster_bound.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <vector>

#include "matching/merge.h"
#include "testing/random_forest.h"

namespace thicket::cluster_bound_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

// A cluster of the first records of the data.
Representative ClusterOf(const TreeModel& model, Merger& merger, size_t members) {
  Representative cluster = Representative::Of(model, 0, static_cast<int>(members));
  std::vector<VertexPair> pairs;
  for (RecordId record = 1; record < members; ++record) {
    merger.Pair(cluster, record, pairs);
    if (pairs.empty()) continue;
    cluster = cluster.Absorb(model, record, pairs, static_cast<int>(members));
  }
  return cluster;
}

RC_GTEST_PROP(ClusterBoundTest, NoPairingSavesMore, ()) {
  ForestShape shape;
  shape.records = 8;
  shape.plenty = *rc::gen::arbitrary<bool>();
  const EncodedDataset data = RandomForest(*rc::gen::arbitrary<uint64_t>(), shape);
  const TreeModel model(data, DiversityRule{});
  for (const Mapping mapping : {Mapping::kLsap, Mapping::kGreedy, Mapping::kLabels,
                                Mapping::kGreedyLabels, Mapping::kEqual}) {
    const ClusterBound bound(model, mapping == Mapping::kEqual);
    Merger merger(model, {.mapping = mapping});
    const Representative cluster = ClusterOf(model, merger, *rc::gen::inRange<size_t>(1, 5));
    const ClusterBound::Profile profile = bound.ProfileOf(cluster);
    for (RecordId record = 0; record < shape.records; ++record) {
      RC_ASSERT(bound.Most(cluster, profile, record) >= merger.Similarity(cluster, record, 0));
    }
  }
}

RC_GTEST_PROP(ClusterBoundTest, NoUnionSavesMore, ()) {
  ForestShape shape;
  shape.records = 8;
  shape.once = false;
  shape.plenty = *rc::gen::arbitrary<bool>();
  const EncodedDataset data = RandomForest(*rc::gen::arbitrary<uint64_t>(), shape);
  const TreeModel model(data, DiversityRule{});
  Merger merger(model, {.mapping = Mapping::kLsap});
  const ClusterBound bound(model, false);
  const Representative cluster = ClusterOf(model, merger, 3);
  std::vector<RecordId> others;
  Representative united = cluster;
  std::vector<VertexPair> pairs;
  for (RecordId record = 3; record < shape.records; ++record) {
    others.push_back(record);
    merger.Pair(united, record, pairs);
    united = united.Absorb(model, record, pairs, static_cast<int>(shape.records));
    const Units most =
        bound.Most(cluster, bound.ProfileOf(cluster), others, bound.CommonOf(others));
    const auto members = static_cast<Units>(united.member_count());
    RC_ASSERT(united.cost() >= united.member_weight() - members * most);
  }
}

}  // namespace
}  // namespace thicket::cluster_bound_test
