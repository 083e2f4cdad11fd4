// Agglomerate keeps the promise on any data, with everybody or neighbours to look at, and loses nothing where nothing need be lost.
#include "grouping/agglomerate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "grouping/class_columns.h"
#include "grouping/clustree.h"
#include "grouping/neighbourhoods.h"
#include "grouping/parts.h"
#include "matching/representative_merge.h"
#include "privacy/levels_of_data.h"
#include "testing/forest_text.h"
#include "testing/published_check.h"
#include "testing/random_forest.h"

namespace thicket::agglomerate_test {
namespace {

using testing::FindFault;
using testing::ForestShape;
using testing::ParseForest;
using testing::ParseSchema;
using testing::RandomForest;

Publication Agglomerated(const EncodedDataset& data, const AgglomerateOptions& options,
                         int threads = 1) {
  Parallel parallel(threads);
  Progress progress;
  Result<Grouping> grouping = Agglomerate(data, options, parallel, progress);
  EXPECT_TRUE(grouping.ok());
  return std::move(grouping->published);
}

struct Case {
  EncodedDataset data;
  AgglomerateOptions options;
};

Case MakeCase(uint64_t seed, size_t most_records) {
  Random random = Random::Seeded(seed);
  Case result;
  ForestShape shape;
  shape.records = random.Below(most_records + 1);
  shape.classes = 1 + random.Below(5);
  shape.children = random.Below(4);
  shape.secrets = 2 + random.Below(6);
  shape.plenty = random.Below(4) == 0;
  shape.once = random.Below(2) == 0;
  shape.levels = random.Below(4) == 0;
  if (shape.levels) shape.secrets = std::min<size_t>(shape.secrets, 5);
  AgglomerateOptions& options = result.options;
  if (shape.levels) {
    for (double& share : options.rule.alpha) share = static_cast<double>(1 + random.Below(10)) / 10;
  } else {
    options.rule.l = static_cast<int>(random.Below(4));
  }
  options.least_size = std::max(static_cast<int>(2 + random.Below(3)), options.rule.l);
  const int l = std::max(options.rule.l, 1);
  options.class_size = (options.least_size + l - 1) / l * l;
  options.merge.mapping = static_cast<Mapping>(random.Below(3));
  options.rounds = static_cast<int>(random.Below(3));
  options.neighbourhood = random.Below(2) == 0 ? 0 : 2 + random.Below(60);
  options.proposals = 1 + random.Below(8);
  options.comparisons = 1 + random.Below(8);
  options.remembered = 1 + random.Below(4);
  result.data = RandomForest(random.Next(), shape);
  if (shape.levels) RC_ASSERT(ApplyLevels(result.data).ok());
  return result;
}

RC_GTEST_PROP(AgglomerateTest, KeepsThePromise, ()) {
  const auto first = *rc::gen::arbitrary<uint64_t>();
  for (uint64_t i = 0; i < 5; ++i) {
    RC_LOG() << "MakeCase(" << first * 5 + i << ", 40) ";
    const Case given = MakeCase(first * 5 + i, 40);
    const Publication published = Agglomerated(given.data, given.options);
    RC_ASSERT(FindFault(given.data, published, given.options.least_size, given.options.rule.l) ==
              "");
  }
}

RC_GTEST_PROP(AgglomerateTest, BoundsChangeNothing, ()) {
  const auto first = *rc::gen::arbitrary<uint64_t>();
  for (uint64_t i = 0; i < 3; ++i) {
    RC_LOG() << "MakeCase(" << first * 3 + i << ", 30) ";
    Case given = MakeCase(first * 3 + i, 30);
    given.options.neighbourhood = 0;
    const Publication pruned = Agglomerated(given.data, given.options);
    given.options.exhaustive = true;
    RC_ASSERT(Agglomerated(given.data, given.options) == pruned);
  }
}

TEST(AgglomerateTest, ThreadsChangeNothing) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    AgglomerateOptions options;
    options.class_size = options.least_size = 3;
    options.rule.l = seed % 2 == 0 ? 0 : 3;
    options.neighbourhood = std::vector<size_t>{0, 0, 20, 1000}[seed];
    const EncodedDataset data = RandomForest(seed, {.records = 400, .classes = 3, .plenty = true});
    EXPECT_TRUE(Agglomerated(data, options, 1) == Agglomerated(data, options, 4));
  }
}

EncodedDataset Letters(const char* text) {
  TaxonomyBuilder letters;
  for (const char* leaf : {"a", "b", "c", "d"}) letters.Add(TaxonomyBuilder::root(), leaf);
  auto schema = ParseSchema("r(q|s)");
  schema->classes[0].quasi[0].recoding.file = "letters";
  TaxonomyFiles files;
  files.emplace("letters", std::move(letters).Build());
  return std::move(*Encode(ParseForest(schema, text), files));
}

TEST(AgglomerateTest, EqualRecordsAreNotTornApart) {
  // ClusTree with classes of five would take five of the seven, and spend two of them with others.
  const EncodedDataset data =
      Letters("r(a) r(a) r(a) r(a) r(a) r(a) r(a) r(b) r(b) r(b) r(b) r(b)");
  AgglomerateOptions options;
  options.class_size = options.least_size = 5;
  const Publication published = Agglomerated(data, options);
  EXPECT_TRUE(published.suppressed().empty());
  const Domain& domain = data.classes[0].domains[0];
  for (const PublishedTree tree : published.trees()) {
    EXPECT_TRUE(domain.IsLeaf(tree.labels(0)[0]));
  }
}

TEST(AgglomerateTest, NoRecordsAreNoClasses) {
  const Publication published = Agglomerated(Letters(""), {});
  EXPECT_TRUE(published.empty());
}

TEST(AgglomerateTest, TooFewRecordsAreLeftOut) {
  AgglomerateOptions options;
  options.class_size = options.least_size = 3;
  const Publication published = Agglomerated(Letters("r(a) r(a)"), options);
  EXPECT_EQ(published.tree_count(), 0U);
  EXPECT_EQ(published.suppressed(), (std::vector<RecordId>{0, 1}));
}

TEST(AgglomerateTest, CancellingIsInterrupted) {
  Parallel parallel(1);
  Progress progress;
  progress.Cancel();
  const Result<Grouping> grouping = Agglomerate(Letters("r(a) r(b) r(c)"), {}, parallel, progress);
  ASSERT_FALSE(grouping.ok());
  EXPECT_EQ(grouping.error().code, ErrorCode::kInterrupted);
}

RC_GTEST_PROP(ClassColumnsTest, NoClassesAreMoreAlikeThanTheBound, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  ForestShape shape;
  shape.records = 8;
  shape.classes = 1 + random.Below(4);
  shape.once = random.Below(2) == 0;
  const EncodedDataset data = RandomForest(random.Next(), shape);
  DiversityRule rule;
  rule.l = static_cast<int>(random.Below(3));
  const TreeModel model(data, rule);
  const int class_size = 4;
  RepresentativeMerger merger(model, {});
  ClassColumns columns(model, class_size);
  std::vector<Representative> classes;
  for (RecordId record = 0; record < shape.records; ++record) {
    classes.push_back(Representative::Of(model, record, class_size));
    columns.Add(classes.back());
  }
  // Some of them grow.
  for (int i = 0; i < 4; ++i) {
    const Place a = static_cast<Place>(random.Below(shape.records));
    const Place b = static_cast<Place>(random.Below(shape.records));
    if (a == b || !columns.Contains(a) || !columns.Contains(b)) continue;
    const int size = std::max<int>(
        class_size, static_cast<int>(classes[a].member_count() + classes[b].member_count()));
    Representative united = merger.Unite(classes[a], classes[b], size);
    if (united.size() == 0) continue;
    classes[a] = std::move(united);
    columns.Replace(a, classes[a]);
    columns.Remove(b);
  }
  ClassProbe probe(columns);
  for (Place a = 0; a < shape.records; ++a) {
    if (!columns.Contains(a)) continue;
    probe.Load(classes[a]);
    for (Place b = 0; b < shape.records; ++b) {
      if (a == b || !columns.Contains(b)) continue;
      const auto together = static_cast<int>(classes[a].member_count() + classes[b].member_count());
      const Units similarity =
          merger.Similarity(classes[a], classes[b], std::max(class_size, together));
      RC_ASSERT(probe.Most(b) >= similarity);
      if (columns.exact() && together <= class_size && similarity > 0) {
        RC_ASSERT(probe.Most(b) == similarity);
      }
    }
  }
}

TEST(NeighbourhoodsTest, EveryClassIsInOnePart) {
  const EncodedDataset data = RandomForest(3, {.records = 300, .classes = 2, .plenty = true});
  const TreeModel model(data, {});
  ClassColumns columns(model, 2);
  std::vector<Place> places;
  for (RecordId record = 0; record < 300; ++record) {
    places.push_back(columns.Add(Representative::Of(model, record, 2)));
  }
  const auto tree = [&](Place place, const std::function<void(const Representative&)>& visit) {
    visit(Representative::Of(model, place, 2));
  };
  for (const uint64_t seed : {1, 2}) {
    std::vector<Place> seen;
    for (const auto& part : Neighbourhoods(columns, tree, {.size = 20, .seed = seed})) {
      EXPECT_LE(part.size(), 20U);
      seen.insert(seen.end(), part.begin(), part.end());
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, places);
  }
}

RC_GTEST_PROP(PartsTest, KeepThePromiseAndLoseNobody, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  Case given = MakeCase(seed, 60);
  RC_LOG() << "MakeCase(" << seed << ", 60) ";
  ClusTreeOptions options;
  options.class_size = given.options.class_size;
  options.rule = given.options.rule;
  const auto group = [&](const EncodedDataset& part, Parallel& threads, Progress& quiet) {
    return ClusTree(part, options, threads, quiet);
  };
  Parallel one(1);
  Parallel three(3);
  Progress progress;
  const Publication parts =
      std::move(GroupByParts(given.data, 20, group, one, progress)->published);
  RC_ASSERT(FindFault(given.data, parts, given.options.least_size, given.options.rule.l) == "");
  RC_ASSERT(GroupByParts(given.data, 20, group, three, progress)->published == parts);
  // One part is the whole.
  RC_ASSERT(GroupByParts(given.data, 1000, group, one, progress)->published ==
            group(given.data, one, progress)->published);
}

}  // namespace
}  // namespace thicket::agglomerate_test
