// Refining never raises the loss and never breaks the promise, whatever grouping it is given.
#include "grouping/refine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "grouping/clustree.h"
#include "grouping/part_refiner.h"
#include "testing/cases.h"
#include "testing/forest_text.h"
#include "testing/published_check.h"
#include "testing/random_forest.h"

namespace thicket::refine_test {
namespace {

using testing::FindFault;
using testing::ForestShape;
using testing::ParseForest;
using testing::ParseSchema;
using testing::RandomForest;

// What everything that is not published as it was costs, from the definition: all that the vertices weigh, less what the
// published ones save in each record.
Units LossOf(const EncodedDataset& data, const Publication& published) {
  const TreeModel model(data, {});
  Units loss = 0;
  for (RecordId r = 0; r < data.forest().record_count(); ++r) loss += model.record_weight(r);
  for (const PublishedTree group : published.trees()) {
    for (size_t p = 0; p < group.size(); ++p) {
      const ClassId id = group.vertex_class[p];
      Units saved = model.vertex_weight(id);
      const auto& domains = data.classes[id].domains;
      for (size_t slot = 0; slot < domains.size(); ++slot) {
        saved -= domains[slot].Loss(group.labels(p)[slot]);
      }
      loss -= saved * static_cast<Units>(group.records.size());
    }
  }
  return loss;
}

struct Case {
  EncodedDataset data;
  RefineOptions options;
  Publication given;
};

Publication Refined(const Case& given, int threads) {
  Parallel parallel(threads);
  Progress progress;
  Grouping grouping;
  grouping.published = given.given;
  Result<Grouping> refined =
      Refine(given.data, std::move(grouping), given.options, parallel, progress);
  EXPECT_TRUE(refined.ok());
  return std::move(refined->published);
}

// Grouped by ClusTree, or any records together whose roots may stand together.
Publication Group(const Case& given, Random& random) {
  Publication result;
  std::vector<RecordId> suppressed;
  const int class_size = given.options.class_size;
  if (random.Below(2) == 0) {
    ClusTreeOptions options;
    options.class_size = class_size + static_cast<int>(random.Below(3));
    options.rule = given.options.rule;
    options.merge = given.options.merge;
    options.leftovers = static_cast<Leftovers>(random.Below(2));
    Parallel parallel(1);
    Progress progress;
    return std::move(ClusTree(given.data, options, parallel, progress)->published);
  }
  const TreeModel model(given.data, given.options.rule);
  Merger merger(model, given.options.merge);
  std::vector<RecordId> left(given.data.forest().record_count());
  for (RecordId r = 0; r < left.size(); ++r) left[r] = r;
  random.Shuffle(left);
  while (left.size() >= static_cast<size_t>(class_size)) {
    size_t size = static_cast<size_t>(class_size) * (1 + random.Below(3)) + random.Below(2);
    size = std::min(size, left.size());
    const std::vector<RecordId> members(left.end() - static_cast<std::ptrdiff_t>(size), left.end());
    left.resize(left.size() - size);
    const auto built = BuildClass(model, merger, members, static_cast<int>(size));
    if (built) {
      built->Publish(result);
    } else {
      suppressed.insert(suppressed.end(), members.begin(), members.end());
    }
  }
  suppressed.insert(suppressed.end(), left.begin(), left.end());
  std::sort(suppressed.begin(), suppressed.end());
  result.Suppress(std::move(suppressed));
  return result;
}

Case MakeCase(uint64_t seed, size_t most_records) {
  Random random = Random::Seeded(seed);
  Case result;
  ForestShape shape;
  shape.records = random.Below(most_records + 1);
  shape.classes = 1 + random.Below(6);
  shape.children = random.Below(4);
  shape.secrets = 2 + random.Below(6);
  shape.plenty = random.Below(4) == 0;
  shape.missing = random.Below(4) != 0;
  shape.once = random.Below(2) == 0;
  RefineOptions& options = result.options;
  options.class_size = static_cast<int>(2 + random.Below(4));
  options.rule.l = static_cast<int>(random.Below(static_cast<uint64_t>(options.class_size) + 1));
  options.merge.mapping = static_cast<Mapping>(random.Below(3));
  options.merge.cost = static_cast<MergeCost>(random.Below(2));
  options.one_part = random.Below(3) == 0 ? 0 : 2000;
  options.part_size = 1 + random.Below(20);
  options.warm_rounds = static_cast<int>(random.Below(30));
  result.data = RandomForest(random.Next(), shape);
  result.given = Group(result, random);
  return result;
}

template <typename Check>
void ForSomeCases(uint64_t count, size_t most_records, const Check& check) {
  const auto first = *rc::gen::arbitrary<uint64_t>();
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = first * count + i;
    RC_LOG() << "MakeCase(" << seed << ", " << most_records << ") ";
    check(MakeCase(seed, most_records));
  }
}

std::string Fault(const Case& given, const Publication& published) {
  return FindFault(given.data, published, given.options.class_size, given.options.rule.l);
}

RC_GTEST_PROP(RefineTest, KeepsThePromiseAndNeverRaisesTheLoss, ()) {
  ForSomeCases(5, 40, [](const Case& given) {
    RC_ASSERT(Fault(given, given.given) == "");
    const Publication refined = Refined(given, 1);
    RC_ASSERT(Fault(given, refined) == "");
    RC_ASSERT(LossOf(given.data, refined) <= LossOf(given.data, given.given));
  });
}

RC_GTEST_PROP(RefineTest, RefiningAgainNeverRaisesTheLoss, ()) {
  ForSomeCases(2, 30, [](Case given) {
    const Units before = LossOf(given.data, Refined(given, 1));
    given.given = Refined(given, 1);
    const Publication again = Refined(given, 1);
    RC_ASSERT(Fault(given, again) == "");
    RC_ASSERT(LossOf(given.data, again) <= before);
  });
}

TEST(RefineTest, ThreadsChangeNothing) {
  // Enough classes for several blocks.
  for (uint64_t seed = 0; seed < Cases(3); ++seed) {
    Case given;
    given.data = RandomForest(seed, {.records = 600, .classes = 2, .plenty = true});
    given.options.rule.l = 2;
    Random random = Random::Seeded(seed);
    given.given = Group(given, random);
    const Publication one = Refined(given, 1);
    EXPECT_TRUE(one == Refined(given, 4));
    EXPECT_EQ(Fault(given, one), "");
  }
}

RC_GTEST_PROP(RefineTest, WhatHolesRememberChangesNothing, ()) {
  ForSomeCases(3, 40, [](Case given) {
    const Publication remembered = Refined(given, 1);
    given.options.forgetful = true;
    RC_ASSERT(remembered == Refined(given, 1));
  });
}

RC_GTEST_PROP(RefineTest, WhoIsListedOnceChangesNothing, ()) {
  ForSomeCases(3, 40, [](Case given) {
    given.options.warm_rounds = 0;
    given.options.chances = 1000;
    given.options.part_size = 1000;
    given.options.one_part = 0;
    const Publication looked_for = Refined(given, 1);
    given.options.one_part = 1000;
    RC_ASSERT(looked_for == Refined(given, 1));
  });
}

RC_GTEST_PROP(RefineTest, StopsEarlyWithAGroupingThatHolds, ()) {
  ForSomeCases(3, 40, [](Case given) {
    given.options.limit_s = 1e-9;
    const Publication at_once = Refined(given, 2);
    RC_ASSERT(Fault(given, at_once) == "");
    RC_ASSERT(LossOf(given.data, at_once) == LossOf(given.data, given.given));
    given.options.limit_s = 1e-4;
    const Publication soon = Refined(given, 2);
    RC_ASSERT(Fault(given, soon) == "");
    RC_ASSERT(LossOf(given.data, soon) <= LossOf(given.data, given.given));
  });
}

TEST(RefineTest, AVeryLongLimitIsNoLimit) {
  Case given = MakeCase(5, 40);
  const Publication without = Refined(given, 1);
  given.options.limit_s = 1e300;
  EXPECT_TRUE(without == Refined(given, 1));
}

TEST(RefineTest, CancellingIsInterrupted) {
  const Case given = MakeCase(1, 40);
  Parallel parallel(2);
  Progress progress;
  progress.Cancel();
  Grouping grouping;
  grouping.published = given.given;
  const Result<Grouping> refined =
      Refine(given.data, std::move(grouping), given.options, parallel, progress);
  ASSERT_FALSE(refined.ok());
  EXPECT_EQ(refined.error().code, ErrorCode::kInterrupted);
}

// Rows of one letter each, grouped as the test says; a and b are near each other if there are pairs, and so are c and d.
Case Letters(const char* text, const std::vector<std::vector<RecordId>>& classes, int l = 0,
             bool pairs = false) {
  TaxonomyBuilder letters;
  TaxonomyBuilder::Handle ab = TaxonomyBuilder::root();
  TaxonomyBuilder::Handle cd = TaxonomyBuilder::root();
  if (pairs) {
    ab = letters.Add(TaxonomyBuilder::root(), "ab");
    cd = letters.Add(TaxonomyBuilder::root(), "cd");
  }
  for (const char* leaf : {"a", "b"}) letters.Add(ab, leaf);
  for (const char* leaf : {"c", "d"}) letters.Add(cd, leaf);
  auto schema = ParseSchema("r(q|s)");
  schema->classes[0].quasi[0].recoding.file = "letters";
  Case result;
  TaxonomyFiles files;
  files.emplace("letters", std::move(letters).Build());
  result.data = std::move(*Encode(ParseForest(schema, text), files));
  result.options.rule.l = l;
  const TreeModel model(result.data, result.options.rule);
  Merger merger(model, {});
  for (const std::vector<RecordId>& members : classes) {
    BuildClass(model, merger, members, static_cast<int>(members.size()))->Publish(result.given);
  }
  return result;
}

TEST(RefineTest, FindsASwap) {
  const Case given = Letters("r(a) r(b) r(a) r(b)", {{0, 1}, {2, 3}});
  EXPECT_EQ(LossOf(given.data, given.given), 4 * kLabelUnits);
  EXPECT_EQ(LossOf(given.data, Refined(given, 1)), 0);
}

TEST(RefineTest, MendsThreeMixedClasses) {
  const Case given = Letters("r(a) r(b) r(b) r(c) r(c) r(a)", {{0, 1}, {2, 3}, {4, 5}});
  EXPECT_EQ(LossOf(given.data, given.given), 6 * kLabelUnits);
  EXPECT_EQ(LossOf(given.data, Refined(given, 1)), 0);
}

TEST(RefineTest, DoesNotSwapWhereTheSensitiveValuesWouldBeEqual) {
  const Case given = Letters("r(a|1) r(b|2) r(a|1) r(b|2)", {{0, 1}, {2, 3}}, 2);
  const Publication refined = Refined(given, 1);
  EXPECT_EQ(Fault(given, refined), "");
  EXPECT_EQ(LossOf(given.data, refined), 4 * kLabelUnits);
}

TEST(RefineTest, MovesARecordOutOfAClassThatCanSpareOne) {
  const Case given = Letters("r(a) r(a) r(b) r(b) r(b)", {{0, 1, 2}, {3, 4}});
  EXPECT_EQ(LossOf(given.data, given.given), 3 * kLabelUnits);
  EXPECT_EQ(LossOf(given.data, Refined(given, 1)), 0);
}

TEST(RefineTest, SplitsAClassThatIsLargeEnoughForTwo) {
  const Case given = Letters("r(a) r(b) r(a) r(b)", {{0, 1, 2, 3}});
  const Publication refined = Refined(given, 1);
  EXPECT_EQ(refined.tree_count(), 2U);
  EXPECT_EQ(LossOf(given.data, refined), 0);
}

std::vector<RefinedClass> ClassesOf(const Case& given, const TreeModel& model) {
  std::vector<RefinedClass> classes;
  for (const PublishedTree group : given.given.trees()) {
    classes.emplace_back(Representative::From(model, group));
  }
  return classes;
}

// The records of classes that have lost nothing, ascending.
std::vector<std::vector<RecordId>> MembersOfExact(const std::vector<RefinedClass>& classes) {
  std::vector<std::vector<RecordId>> members;
  for (const RefinedClass& group : classes) {
    EXPECT_EQ(group.tree().cost(), 0);
    members.push_back(group.tree().records());
    std::sort(members.back().begin(), members.back().end());
  }
  return members;
}

// Exchanges of all classes of the case.
std::vector<std::vector<RecordId>> Exchanged(const Case& given, const TreeModel& model,
                                             const PartRefinerOptions& options, int threads = 1) {
  std::vector<RefinedClass> classes = ClassesOf(given, model);
  std::vector<RecordId> suppressed = given.given.suppressed();
  PartRefiner refiner(model, options);
  Random random = Random::Seeded(1);
  Parallel parallel(threads);
  for (int round = 0; round < 4; ++round) {
    refiner.Exchange(classes, suppressed, random, parallel, round < 2 ? 4'000 : 0);
  }
  std::vector<std::vector<RecordId>> members = {suppressed};
  for (const RefinedClass& group : classes) members.push_back(group.tree().records());
  return members;
}

TEST(PartRefinerTest, TheCloserBoundOfDeepTreesChangesNothing) {
  size_t active = 0;
  for (uint64_t seed = 0; seed < Cases(1000); ++seed) {
    const Case given = MakeCase(seed, 30);
    const TreeModel model(given.data, given.options.rule);
    const ChildBound bound(model);
    if (!bound.active()) continue;
    ++active;
    PartRefinerOptions options = {.class_size = given.options.class_size, .chances = 1000};
    const auto without = Exchanged(given, model, options);
    options.child_bound = &bound;
    EXPECT_EQ(Exchanged(given, model, options), without) << seed;
  }
  EXPECT_GT(active, 5U);
}

TEST(PartRefinerTest, ThreadsOfAnExchangeChangeNothing) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Case given;
    given.data = RandomForest(seed, {.records = 300, .classes = 3, .plenty = true});
    Random random = Random::Seeded(seed);
    given.given = Group(given, random);
    const TreeModel model(given.data, given.options.rule);
    EXPECT_EQ(Exchanged(given, model, {}), Exchanged(given, model, {}, 4)) << seed;
  }
}

TEST(PartRefinerTest, OnlyAWarmExchangeMayLoseSomething) {
  size_t lost = 0;
  for (uint64_t seed = 0; seed < Cases(100); ++seed) {
    const Case given = MakeCase(seed, 30);
    const TreeModel model(given.data, given.options.rule);
    PartRefiner refiner(model, {.class_size = given.options.class_size});
    Parallel parallel(1);
    for (const Units warmth : {Units{0}, Units{65'536}}) {
      std::vector<RefinedClass> classes = ClassesOf(given, model);
      std::vector<RecordId> suppressed = given.given.suppressed();
      Random random = Random::Seeded(seed);
      refiner.Exchange(classes, suppressed, random, parallel, warmth);
      Publication published;
      for (const RefinedClass& group : classes) group.tree().Publish(published);
      published.Suppress(suppressed);
      EXPECT_EQ(Fault(given, published), "");
      const bool loses = LossOf(given.data, published) > LossOf(given.data, given.given);
      EXPECT_FALSE(loses && warmth == 0);
      if (loses) ++lost;
    }
  }
  EXPECT_GT(lost, 1U);
}

TEST(PartRefinerTest, RedividesAClassAndTheNearestOne) {
  const Case given = Letters("r(a) r(b) r(a) r(b) r(c) r(c)", {{0, 1}, {2, 3}, {4, 5}});
  const TreeModel model(given.data, given.options.rule);
  std::vector<RefinedClass> classes = ClassesOf(given, model);
  PartRefiner refiner(model, {.class_size = 2});
  Random random = Random::Seeded(1);
  refiner.Redivide(classes, random);
  const std::vector<std::vector<RecordId>> members = MembersOfExact(classes);
  EXPECT_THAT(members, ::testing::UnorderedElementsAre(std::vector<RecordId>{0, 2},
                                                       std::vector<RecordId>{1, 3},
                                                       std::vector<RecordId>{4, 5}));
}

TEST(PartRefinerTest, TheNearestClassMayHaveTheSameSecrets) {
  // With room for each secret once, no two classes seem to have anything in common. Only those of a and b gain by each other.
  const Case given =
      Letters("r(c|1) r(d|2) r(a|1) r(b|2) r(a|2) r(b|1)", {{0, 1}, {2, 3}, {4, 5}}, 2, true);
  const TreeModel model(given.data, given.options.rule);
  std::vector<RefinedClass> classes = ClassesOf(given, model);
  PartRefiner refiner(model, {.class_size = 2});
  Random random = Random::Seeded(1);
  refiner.Redivide(classes, random);
  size_t exact = 0;
  for (const RefinedClass& group : classes) exact += group.tree().cost() == 0 ? 1 : 0;
  EXPECT_EQ(exact, 2U);
}

TEST(PartRefinerTest, GathersANewClassFromRecordsThatOthersCanSpare) {
  const Case given = Letters("r(a) r(b) r(a) r(c) r(c) r(b)", {{0, 1, 2}, {3, 4, 5}});
  const TreeModel model(given.data, given.options.rule);
  PartRefiner refiner(model, {.class_size = 2});
  // Around records of a and c nothing is gained.
  bool gathered = false;
  for (uint64_t seed = 0; seed < 20 && !gathered; ++seed) {
    std::vector<RefinedClass> classes = ClassesOf(given, model);
    Random random = Random::Seeded(seed);
    refiner.Gather(classes, random);
    if (classes.size() == 2) continue;
    gathered = true;
    const std::vector<std::vector<RecordId>> members = MembersOfExact(classes);
    EXPECT_THAT(members, ::testing::UnorderedElementsAre(std::vector<RecordId>{0, 2},
                                                         std::vector<RecordId>{3, 4},
                                                         std::vector<RecordId>{1, 5}));
  }
  EXPECT_TRUE(gathered);
}

TEST(PartRefinerTest, GatheringKeepsWhatIsLeftDiverse) {
  // Without its b, the class of three would show 1 twice among two.
  const Case given = Letters("r(a|1) r(b|2) r(a|1) r(a|3) r(c|1) r(b|1) r(c|2) r(c|3)",
                             {{0, 1, 2, 3}, {4, 5, 6, 7}}, 2);
  const TreeModel model(given.data, given.options.rule);
  PartRefiner refiner(model, {.class_size = 2});
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::vector<RefinedClass> classes = ClassesOf(given, model);
    Random random = Random::Seeded(seed);
    refiner.Gather(classes, random);
    Publication published;
    for (const RefinedClass& group : classes) group.tree().Publish(published);
    EXPECT_EQ(Fault(given, published), "");
  }
}

TEST(RefineTest, PublishesASuppressedRecordWhereItFits) {
  Case given = Letters("r(a) r(a) r(a)", {{0, 1}});
  given.given.Suppress({2});
  const Publication refined = Refined(given, 1);
  EXPECT_TRUE(refined.suppressed().empty());
  EXPECT_EQ(LossOf(given.data, refined), 0);
}

TEST(RefineTest, LeavesNoRecordsAsTheyAre) {
  const Case given = Letters("", {});
  EXPECT_TRUE(Refined(given, 1).empty());
}

}  // namespace
}  // namespace thicket::refine_test
