#include "grouping/child_bound.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "matching/merge.h"
#include "testing/random_forest.h"

namespace thicket::child_bound_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

RC_GTEST_PROP(ChildBoundTest, NoPairingSavesMore, ()) {
  ForestShape shape;
  shape.records = 8;
  shape.classes = 6;
  shape.plenty = *rc::gen::arbitrary<bool>();
  const EncodedDataset data = RandomForest(*rc::gen::arbitrary<uint64_t>(), shape);
  const TreeModel model(data, {.l = 2});
  const ChildBound bound(model);
  if (!bound.active()) RC_DISCARD("too few levels");
  ChildBound::Loaded loaded;
  for (const Mapping mapping : {Mapping::kLsap, Mapping::kGreedy, Mapping::kLabels,
                                Mapping::kGreedyLabels, Mapping::kEqual}) {
    Merger merger(model, {.mapping = mapping});
    Representative group = Representative::Of(model, 0, 4);
    std::vector<VertexPair> pairs;
    for (RecordId next = 1; next < 4; ++next) {
      bound.Load(group, loaded);
      for (RecordId record = 0; record < shape.records; ++record) {
        RC_ASSERT(bound.Most(loaded, record) >= merger.Similarity(group, record, 0));
      }
      merger.Pair(group, next, pairs);
      if (!pairs.empty()) group = group.Absorb(model, next, pairs, 4);
    }
  }
}

}  // namespace
}  // namespace thicket::child_bound_test
