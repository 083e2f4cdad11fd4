#include "matching/merge.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testing/forest_text.h"
#include "testing/literal_clustree.h"
#include "testing/random_forest.h"
#include "testing/taxonomies.h"

namespace thicket::merge_test {
namespace {

using testing::ForestShape;
using testing::LiteralClusTree;
using testing::LiteralMapping;
using testing::LiteralNode;
using testing::LiteralOptions;
using testing::LiteralTree;
using testing::ParseForest;
using testing::ParseSchema;
using testing::RandomForest;

LiteralTree ToLiteral(const TreeModel& model, const Representative& group, uint32_t position) {
  auto node = std::make_unique<LiteralNode>();
  node->id = group.class_of(position);
  const size_t labels = model.schema().classes[node->id].quasi.size();
  node->labels.assign(group.labels(position), group.labels(position) + labels);
  for (size_t member = 0; member < group.member_count(); ++member) {
    node->members.push_back(group.vertex(position, member));
  }
  for (const uint32_t child : group.Children(position)) {
    node->children.push_back(ToLiteral(model, group, child));
  }
  return node;
}

struct Case {
  EncodedDataset data;
  MergeOptions merge;
  LiteralOptions literal;
  DiversityRule rule;
  int class_size;
};

Case MakeCase(uint64_t seed) {
  Random random = Random::Seeded(seed);
  const auto in_range = [&](uint64_t low, uint64_t high) {
    return low + random.Below(high - low + 1);
  };
  ForestShape shape;
  shape.classes = in_range(1, 5);
  shape.children = in_range(0, 4);
  shape.records = in_range(2, 6);
  shape.secrets = in_range(2, 6);
  shape.plenty = in_range(0, 1) == 1;
  if (shape.children == 4) shape.depth = 3;
  Case result;
  result.merge.mapping = static_cast<Mapping>(in_range(0, 2));
  result.merge.cost = static_cast<MergeCost>(in_range(0, 1));
  result.class_size = static_cast<int>(in_range(2, 5));
  result.rule.l = static_cast<int>(in_range(0, static_cast<uint64_t>(result.class_size)));
  result.data = RandomForest(random.Next(), shape);
  result.literal.mapping = result.merge.mapping == Mapping::kLsap     ? LiteralMapping::kLsap
                           : result.merge.mapping == Mapping::kGreedy ? LiteralMapping::kGreedy
                                                                      : LiteralMapping::kLabels;
  result.literal.weighted = result.merge.cost == MergeCost::kWeighted;
  result.literal.class_size = result.class_size;
  result.literal.l = result.rule.l;
  return result;
}

// A property's hundred cases are cheap: each tries ten data sets.
template <typename Check>
void ForSomeSeeds(const Check& check) {
  const auto first = *rc::gen::arbitrary<uint64_t>();
  for (uint64_t i = 0; i < 10; ++i) check(first * 10 + i);
}

// Calls use(representative, record) for the representatives that grow by one record after the other.
template <typename Use>
void ForEachMerge(const Case& given, const TreeModel& model, Merger& merger, const Use& use) {
  Representative group = Representative::Of(model, 0, given.class_size);
  std::vector<VertexPair> pairs;
  for (RecordId record = 1; record < model.forest().record_count(); ++record) {
    for (RecordId other = record; other < model.forest().record_count(); ++other) {
      use(group, other);
    }
    if (static_cast<int>(group.member_count()) == given.class_size) break;
    if (merger.Similarity(group, record, 0) == 0) continue;
    merger.Pair(group, record, pairs);
    group = group.Absorb(model, record, pairs, given.class_size);
  }
}

RC_GTEST_PROP(MergerTest, SimilarityIsWhatLiteralDiversifySaves, ()) {
  ForSomeSeeds([](uint64_t seed) {
    const Case given = MakeCase(seed);
    const TreeModel model(given.data, given.rule);
    Merger merger(model, given.merge);
    ForEachMerge(given, model, merger, [&](const Representative& group, RecordId record) {
      LiteralClusTree literal(given.data, given.literal);
      const LiteralTree a = ToLiteral(model, group, 0);
      const LiteralTree b = literal.Record(record);
      const Units copies = given.literal.weighted ? static_cast<Units>(group.member_count()) : 1;
      const Units apart = copies * literal.Weight(*a) + literal.Weight(*b);
      const Units cost = literal.Diversify(a.get(), *b);
      if (given.merge.mapping == Mapping::kLabels && literal.ambiguous()) return;
      const Units similarity = merger.Similarity(group, record, 0);
      RC_ASSERT(apart - (copies + 1) * similarity == cost);
    });
  });
}

RC_GTEST_PROP(MergerTest, CostLineOfTheFaithfulKindIsWhatDiversifyReturns, ()) {
  ForSomeSeeds([](uint64_t seed) {
    Case given = MakeCase(seed);
    given.merge = {Mapping::kLsap, MergeCost::kFaithful};
    given.literal.mapping = LiteralMapping::kLsap;
    given.literal.weighted = false;
    const TreeModel model(given.data, given.rule);
    Merger merger(model, given.merge);
    ForEachMerge(given, model, merger, [&](const Representative& group, RecordId record) {
      LiteralClusTree literal(given.data, given.literal);
      const LiteralTree a = ToLiteral(model, group, 0);
      const LiteralTree b = literal.Record(record);
      const CostLine line = CostLine::Of(MergeCost::kFaithful, group, model.record_weight(record));
      RC_ASSERT(line.At(merger.Similarity(group, record, 0)) == literal.Diversify(a.get(), *b));
    });
  });
}

RC_GTEST_PROP(MergerTest, NeverGivesUpOnASimilarityThatIsReached, ()) {
  ForSomeSeeds([](uint64_t seed) {
    const Case given = MakeCase(seed);
    const TreeModel model(given.data, given.rule);
    Merger merger(model, given.merge);
    ForEachMerge(given, model, merger, [&](const Representative& group, RecordId record) {
      const Units exact = merger.Similarity(group, record, 0);
      RC_ASSERT(exact >= 0);
      for (const Units need : {exact, exact - 1, exact / 2, Units{1}}) {
        if (need <= exact) RC_ASSERT(merger.Similarity(group, record, need) == exact);
      }
      for (const Units need : {exact + 1, exact * 2 + 1}) {
        const Units found = merger.Similarity(group, record, need);
        RC_ASSERT(found < 0 || found == exact);
      }
    });
  });
}

RC_GTEST_PROP(MergerTest, PairsSaveAsMuchAsTheSimilaritySays, ()) {
  ForSomeSeeds([](uint64_t seed) {
    const Case given = MakeCase(seed);
    const TreeModel model(given.data, given.rule);
    Merger merger(model, given.merge);
    std::vector<VertexPair> pairs;
    ForEachMerge(given, model, merger, [&](const Representative& group, RecordId record) {
      const Units similarity = merger.Similarity(group, record, 0);
      merger.Pair(group, record, pairs);
      RC_ASSERT(pairs.empty() == (similarity == 0));
      for (size_t i = 1; i < pairs.size(); ++i) {
        RC_ASSERT(pairs[i - 1].position < pairs[i].position);
      }
      const Representative merged = group.Absorb(model, record, pairs, given.class_size);
      const CostLine line = CostLine::Of(MergeCost::kWeighted, group, model.record_weight(record));
      RC_ASSERT(merged.cost() == line.At(similarity));
      RC_ASSERT(merged.cost() >= group.cost());
      // The same, counted vertex by vertex.
      const LiteralClusTree literal(given.data, given.literal);
      testing::LiteralCluster cluster{pairs.empty() ? nullptr : ToLiteral(model, merged, 0),
                                      merged.records()};
      RC_ASSERT(merged.cost() == literal.ClassCost(cluster));
      RC_ASSERT(merged.size() == pairs.size());
    });
  });
}

RC_GTEST_PROP(MergerTest, AMergerKeepsNothingFromOneCallToTheNext, ()) {
  ForSomeSeeds([](uint64_t seed) {
    const Case given = MakeCase(seed);
    const TreeModel model(given.data, given.rule);
    Merger used(model, given.merge);
    ForEachMerge(given, model, used, [&](const Representative& group, RecordId record) {
      Merger fresh(model, given.merge);
      RC_ASSERT(used.Similarity(group, record, 0) == fresh.Similarity(group, record, 0));
      std::vector<VertexPair> a;
      std::vector<VertexPair> b;
      used.Pair(group, record, a);
      fresh.Pair(group, record, b);
      RC_ASSERT(a.size() == b.size());
      for (size_t i = 0; i < a.size(); ++i) {
        RC_ASSERT(a[i].position == b[i].position);
        RC_ASSERT(a[i].vertex == b[i].vertex);
      }
    });
  });
}

TEST(CostLineTest, NeedIsTheLeastSimilarityThatIsCheapEnough) {
  for (const Units factor : {2, 3, 7}) {
    const CostLine line{100, factor};
    for (Units most = -20; most < 120; ++most) {
      Units least = 0;
      while (line.At(least) > most) ++least;
      EXPECT_EQ(line.Need(most), least) << "factor " << factor << ", at most " << most;
    }
  }
}

// A taxonomy of the course numbers of Fig. 3 of Ozalp et al. 2016: seven leaves, five of them under CS.
Taxonomy Courses() {
  TaxonomyBuilder builder;
  const auto cs = builder.Add(TaxonomyBuilder::root(), "CS");
  const auto cs2 = builder.Add(cs, "CS2**");
  for (const char* leaf : {"CS201", "CS204"}) builder.Add(cs2, leaf);
  const auto cs3 = builder.Add(cs, "CS3**");
  for (const char* leaf : {"CS301", "CS303", "CS305"}) builder.Add(cs3, leaf);
  const auto ee = builder.Add(TaxonomyBuilder::root(), "EE");
  for (const char* leaf : {"EE200", "EE202"}) builder.Add(ee, leaf);
  return std::move(builder).Build();
}

EncodedDataset Students(const char* text) {
  auto schema = ParseSchema("student(|gpa){course(code|grade)}");
  schema->classes[1].quasi[0].recoding.file = "course";
  return std::move(*Encode(ParseForest(schema, text), {{"course", Courses()}}));
}

Units Similarity(const EncodedDataset& data, Mapping mapping, int l) {
  const TreeModel model(data, {l});
  Merger merger(model, {mapping, MergeCost::kFaithful});
  return merger.Similarity(Representative::Of(model, 0, 2), 1, 0);
}

TEST(MergerTest, LsapAvoidsTheTrapThatGreedyFallsInto) {
  const EncodedDataset data = Students(
      "student(|1){course(CS301|A) course(CS303|A)}student(|2){course(CS303|B) course(EE200|B)}");
  // Greedy: CS301-CS303 (2/6), CS303-EE200 (1). LSAP: CS303-CS303 (0), CS301-EE200 (1).
  EXPECT_EQ(Similarity(data, Mapping::kLsap, 2), 1 + 2 * (kLabelUnits + 1) - kLabelUnits);
  EXPECT_EQ(Similarity(data, Mapping::kGreedy, 2),
            1 + 2 * (kLabelUnits + 1) - kLabelUnits - (kLabelUnits * 2 + 3) / 6);
}

TEST(MergerTest, VerticesWithOneSensitiveValueNeverMeet) {
  const EncodedDataset data =
      Students("student(|1){course(CS301|A)}student(|2){course(CS301|A)}student(|1)");
  EXPECT_EQ(Similarity(data, Mapping::kLsap, 2), 1);
  EXPECT_EQ(Similarity(data, Mapping::kLsap, 0), 1 + kLabelUnits + 1);
  const TreeModel model(data, {2});
  Merger merger(model, {});
  EXPECT_EQ(merger.Similarity(Representative::Of(model, 0, 2), 2, 0), 0);
  std::vector<VertexPair> pairs = {{0, 0}};
  merger.Pair(Representative::Of(model, 0, 2), 2, pairs);
  EXPECT_TRUE(pairs.empty());
}

TEST(MergerTest, LabelsLookOnlyAtTheVerticesThemselves) {
  auto schema = ParseSchema("r{c(code){d(code)}}");
  schema->classes[1].quasi[0].recoding.file = "course";
  schema->classes[2].quasi[0].recoding.file = "course";
  const EncodedDataset data =
      std::move(*Encode(ParseForest(schema,
                                    "r{c(CS301){d(EE200) d(EE202) d(EE200)}}"
                                    "r{c(CS301) c(CS303){d(EE200) d(EE202) d(EE200)}}"),
                        {{"course", Courses()}}));
  // By subtrees CS301 meets CS303 with its three children; by labels it meets CS301, which has none.
  EXPECT_EQ(Similarity(data, Mapping::kLabels, 0), 1 + kLabelUnits + 1);
  EXPECT_EQ(Similarity(data, Mapping::kLsap, 0),
            1 + (kLabelUnits + 1) * 4 - (kLabelUnits * 2 + 3) / 6);
}

TEST(MergerTest, MakesTwoRecordsLikeThoseOfFigure4DiverseAtTheCostOfSection32) {
  // LM(F*) = ((1/10 + 1/3 + 2/7 + 1/2) * 2 + 7) / 19 = 0.497: the courses with equal grades are suppressed.
  auto schema = ParseSchema(
      "student(major,year|gpa){course(course|grade){teacher(teacher|score) assistant(assistant)}}");
  for (VertexClass& vertex_class : schema->classes) {
    for (QuasiAttribute& attribute : vertex_class.quasi) attribute.recoding.file = attribute.name;
  }
  const EncodedDataset data = std::move(*Encode(
      ParseForest(
          schema,
          "student(inside0,inside0|3.1){"
          "  course(inside0|A){teacher(inside0|9) assistant(inside0)}"
          "  course(outside1|B)"
          "  course(outside0|A-){teacher(outside0|8) assistant(outside0) assistant(inside1)}}"
          "student(inside0,inside1|2.5){"
          "  course(inside1|B){teacher(inside1|7) assistant(inside1)}"
          "  course(outside1|C)"
          "  course(outside0|A-){teacher(outside0|8) assistant(outside0)}}"),
      {{"major", testing::WithInner(3, 1)},
       {"year", testing::WithInner(11, 2)},
       {"course", testing::WithInner(7, 3)},
       {"teacher", testing::WithInner(8, 3)},
       {"assistant", testing::WithInner(3, 2)}}));
  const TreeModel model(data, {2});
  for (const Mapping mapping : {Mapping::kLsap, Mapping::kGreedy}) {
    Merger merger(model, {mapping, MergeCost::kFaithful});
    std::vector<VertexPair> pairs;
    const Representative first = Representative::Of(model, 0, 2);
    merger.Pair(first, 1, pairs);
    const Units cost = first.Absorb(model, 1, pairs, 2).cost();
    EXPECT_NEAR(static_cast<double>(cost) / kLabelUnits / 19, 0.497, 5e-4);
    const auto units = [](double loss) { return std::llround(loss * kLabelUnits); };
    EXPECT_EQ(cost, 2 * (units(1.0 / 10) + units(1.0 / 3) + units(2.0 / 7) + units(1.0 / 2)) +
                        7 * (kLabelUnits + 1));
  }
}

}  // namespace
}  // namespace thicket::merge_test
