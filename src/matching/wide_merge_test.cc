// Wide siblings, matched by kinds: as well as one by one, and in blocks never better and not much worse.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <vector>

#include "matching/merge.h"
#include "testing/cases.h"
#include "testing/random_forest.h"

namespace thicket::wide_merge_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

constexpr WideSiblings kOneByOne = {.entries = std::numeric_limits<size_t>::max()};
constexpr WideSiblings kByKinds = {.entries = 0};
constexpr WideSiblings kInBlocks = {.entries = 0, .most_entries = 400};

struct Case {
  EncodedDataset data;
  DiversityRule rule;
  int class_size = 0;
};

Case MakeCase(uint64_t seed, bool deep) {
  Random random = Random::Seeded(seed);
  ForestShape shape;
  shape.records = 4;
  shape.classes = 3;
  shape.depth = deep ? 3 : 2;
  shape.children = deep ? 70 : 120;
  shape.grandchildren = 3;
  shape.plenty = random.Below(2) == 0;
  shape.secrets = 2 + random.Below(80);
  Case result;
  result.class_size = static_cast<int>(2 + random.Below(3));
  result.rule.l = static_cast<int>(random.Below(static_cast<uint64_t>(result.class_size) + 1));
  result.data = RandomForest(random.Next(), shape);
  return result;
}

// Calls use(representative, record) for representatives that grow by one record after the other.
template <typename Use>
void ForEachMerge(const Case& given, const TreeModel& model, const Use& use) {
  Representative group = Representative::Of(model, 0, given.class_size);
  Merger merger(model, {.wide = kOneByOne});
  std::vector<VertexPair> pairs;
  for (RecordId record = 1; record < model.forest().record_count(); ++record) {
    use(group, record);
    if (merger.Similarity(group, record, 0) == 0) continue;
    merger.Pair(group, record, pairs);
    group = group.Absorb(model, record, pairs, given.class_size);
  }
}

// What the class really costs once the record is in it is what its similarity promised.
void ExpectCostAsPromised(const TreeModel& model, const Case& given, Merger& merger,
                          const Representative& group, RecordId record, Units similarity) {
  if (similarity == 0) return;
  std::vector<VertexPair> pairs;
  merger.Pair(group, record, pairs);
  const Representative both = group.Absorb(model, record, pairs, given.class_size);
  const CostLine line = CostLine::Of(MergeCost::kWeighted, group, model.record_weight(record));
  RC_ASSERT(both.cost() == line.At(similarity));
  for (uint32_t p = 0; p < both.size(); ++p) {
    const ClassId id = both.class_of(p);
    for (size_t a = 0; a < model.sensitive_count(id); ++a) {
      std::vector<uint32_t> buckets;
      for (size_t member = 0; member < both.member_count(); ++member) {
        buckets.push_back(model.buckets(id, both.vertex(p, member))[a]);
      }
      for (const uint32_t bucket : buckets) {
        RC_ASSERT(CountBucket(buckets.data(), buckets.size(), bucket) <=
                  model.rule().MostRepeats(given.class_size));
      }
    }
  }
}

RC_GTEST_PROP(WideMergeTest, KindsAreAsSimilarAsEachOfTheirMembers, ()) {
  for (const bool deep : {false, true}) {
    const Case given = MakeCase(*rc::gen::arbitrary<uint64_t>(), deep);
    const TreeModel model(given.data, given.rule);
    Merger one_by_one(model, {.wide = kOneByOne});
    Merger by_kinds(model, {.wide = kByKinds});
    ForEachMerge(given, model, [&](const Representative& group, RecordId record) {
      const Units best = one_by_one.Similarity(group, record, 0);
      RC_ASSERT(by_kinds.Similarity(group, record, 0) == best);
      RC_ASSERT(by_kinds.Similarity(group, record, best) == best);
      RC_ASSERT(by_kinds.Similarity(group, record, best + 1) < 0);
      ExpectCostAsPromised(model, given, by_kinds, group, record, best);
    });
  }
}

// One attribute with a taxonomy, nothing sensitive: the best matching goes up the taxonomy.
bool GoesUpTheTaxonomy(const Case& given) {
  for (const VertexClass& of : given.data.schema().classes) {
    const auto& domains =
        given.data.classes[static_cast<size_t>(&of - given.data.schema().classes.data())].domains;
    if (domains.size() > 1 || (domains.size() == 1 && domains.front().is_numeric())) return false;
    if (!of.sensitive.empty() && given.rule.Constrains()) return false;
  }
  return true;
}

RC_GTEST_PROP(WideMergeTest, BlocksAreNeverBetterThanTheBestNorHalfAsGood, ()) {
  for (const bool deep : {false, true}) {
    const Case given = MakeCase(*rc::gen::arbitrary<uint64_t>(), deep);
    const TreeModel model(given.data, given.rule);
    Merger one_by_one(model, {.wide = kOneByOne});
    Merger in_blocks(model, {.wide = kInBlocks});
    ForEachMerge(given, model, [&](const Representative& group, RecordId record) {
      const Units best = one_by_one.Similarity(group, record, 0);
      const Units found = in_blocks.Similarity(group, record, 0);
      RC_ASSERT(found <= best);
      RC_ASSERT(2 * found >= best);
      if (!deep && GoesUpTheTaxonomy(given)) RC_ASSERT(found == best);
      ExpectCostAsPromised(model, given, in_blocks, group, record, found);
    });
  }
}

RC_GTEST_PROP(WideMergeTest, LabelsAloneAreMatchedByKinds, ()) {
  const Case given = MakeCase(*rc::gen::arbitrary<uint64_t>(), false);
  const TreeModel model(given.data, given.rule);
  Merger one_by_one(model, {.mapping = Mapping::kLabels, .wide = kOneByOne});
  Merger by_kinds(model, {.mapping = Mapping::kLabels, .wide = kByKinds});
  ForEachMerge(given, model, [&](const Representative& group, RecordId record) {
    const Units best = one_by_one.Similarity(group, record, 0);
    RC_ASSERT(by_kinds.Similarity(group, record, 0) == best);
    ExpectCostAsPromised(model, given, by_kinds, group, record, best);
  });
}

}  // namespace
}  // namespace thicket::wide_merge_test
