#include "matching/representative.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "matching/merge.h"
#include "testing/forest_text.h"
#include "testing/random_forest.h"

namespace thicket::representative_test {
namespace {

using ::testing::ElementsAre;
using testing::ParseForest;
using testing::ParseSchema;
using testing::RandomForest;

Taxonomy Letters() {
  TaxonomyBuilder builder;
  const auto ab = builder.Add(TaxonomyBuilder::root(), "ab");
  for (const char* leaf : {"a", "b"}) builder.Add(ab, leaf);
  const auto cd = builder.Add(TaxonomyBuilder::root(), "cd");
  for (const char* leaf : {"c", "d"}) builder.Add(cd, leaf);
  return std::move(builder).Build();
}

EncodedDataset Encoded(const char* schema_text, const char* text) {
  auto schema = ParseSchema(schema_text);
  for (VertexClass& vertex_class : schema->classes) {
    for (QuasiAttribute& attribute : vertex_class.quasi) attribute.recoding.file = "letters";
  }
  Result<EncodedDataset> encoded = Encode(ParseForest(schema, text), {{"letters", Letters()}});
  EXPECT_TRUE(encoded.ok()) << encoded.error().message;
  return std::move(*encoded);
}

// What an adversary sees of a class.
struct Shown {
  std::vector<ClassId> classes;
  std::vector<uint32_t> sizes;
  std::vector<Label> labels;
  friend bool operator==(const Shown&, const Shown&) = default;
};

Shown ShownBy(const PublishedTree& group) {
  return {{group.vertex_class.begin(), group.vertex_class.end()},
          {group.subtree_size.begin(), group.subtree_size.end()},
          {group.label_values.begin(), group.label_values.end()}};
}

Publication Published(const Representative& group) {
  Publication result;
  group.Publish(result);
  return result;
}

TEST(RepresentativeTest, OneRecordStandsForItself) {
  const EncodedDataset data = Encoded("r(q|s){c(q)}", "r(a|1){c(c) c(d)}");
  const TreeModel model(data, {2});
  const Representative group = Representative::Of(model, 0, 2);
  EXPECT_EQ(group.size(), 3U);
  EXPECT_EQ(group.member_count(), 1U);
  EXPECT_EQ(group.weight(), 3 * (kLabelUnits + 1));
  EXPECT_EQ(group.member_weight(), group.weight());
  EXPECT_EQ(group.cost(), 0);
  EXPECT_EQ(group.vertex(2, 0), 2U);
}

TEST(RepresentativeTest, KeepLeavesOutTheOtherPositions) {
  const EncodedDataset data = Encoded("r(q|s){c(q|s){d(q)}}", "r(a|1){c(c|2){d(a)} c(d|3){d(b)}}");
  const TreeModel model(data, {2});
  const Representative group = Representative::Of(model, 0, 2).Keep(model, {0, 3, 4}, 2);
  EXPECT_EQ(group.size(), 3U);
  EXPECT_EQ(group.subtree_size(0), 3U);
  EXPECT_EQ(group.subtree_size(1), 2U);
  EXPECT_EQ(group.vertex(1, 0), 3U);
  EXPECT_EQ(group.weight(), 3 * (kLabelUnits + 1));
  EXPECT_EQ(group.cost(), 2 * (kLabelUnits + 1));
  EXPECT_EQ(group.full_bits(1, 0), BucketBit(model.buckets(1, 3)[0]));
}

TEST(RepresentativeTest, AbsorbGeneralizesPairsAndDropsTheRest) {
  const EncodedDataset data = Encoded("r(q|s){c(q)}", "r(a|1){c(c) c(d) c(a)}r(b|2){c(d)}");
  const TreeModel model(data, {2});
  const Representative group =
      Representative::Of(model, 0, 2).Absorb(model, 1, {{0, 4}, {2, 5}}, 2);
  EXPECT_EQ(group.size(), 2U);
  EXPECT_THAT(group.records(), ElementsAre(0, 1));
  EXPECT_EQ(group.vertex(1, 0), 2U);
  EXPECT_EQ(group.vertex(1, 1), 5U);
  // Two roots at "ab" (1/3), one pair of equal courses, and two courses lost.
  EXPECT_EQ(group.cost(), 2 * ((kLabelUnits + 1) / 3) + 2 * (kLabelUnits + 1));
  EXPECT_EQ(group.member_weight(), 6 * (kLabelUnits + 1));
}

TEST(RepresentativeTest, NothingPairedLosesEverything) {
  const EncodedDataset data = Encoded("r(q|s){c(q)}", "r(a|1){c(c)}r(b|1){c(d)}");
  const TreeModel model(data, {2});
  const Representative group = Representative::Of(model, 0, 2).Absorb(model, 1, {}, 2);
  EXPECT_EQ(group.size(), 0U);
  EXPECT_EQ(group.weight(), 0);
  EXPECT_EQ(group.cost(), 4 * (kLabelUnits + 1));
  EXPECT_EQ(group.member_count(), 2U);
}

TEST(RepresentativeTest, AValueIsFullAsOftenAsTheFinalSizeAllows) {
  const EncodedDataset data = Encoded("r(q|s)", "r(a|1)r(a|1)r(a|1)r(a|2)");
  const TreeModel model(data, {2});
  Representative group = Representative::Of(model, 0, 2);
  EXPECT_FALSE(group.MayJoin(model, 0, 1));
  EXPECT_TRUE(group.MayJoin(model, 0, 3));
  group.SetClassSize(model, 4);  // twice each
  EXPECT_TRUE(group.MayJoin(model, 0, 1));
  group = group.Absorb(model, 1, {{0, 1}}, 4);
  EXPECT_FALSE(group.MayJoin(model, 0, 2));
  EXPECT_TRUE(group.MayJoin(model, 0, 3));
}

TEST(RepresentativeTest, WithoutLNothingIsEverFull) {
  const EncodedDataset data = Encoded("r(q|s)", "r(a|1)r(a|1)");
  const TreeModel model(data, {0});
  EXPECT_TRUE(Representative::Of(model, 0, 2).MayJoin(model, 0, 1));
}

TEST(RepresentativeTest, EverySensitiveAttributeMustHaveRoom) {
  const EncodedDataset data = Encoded("r(q|s,t)", "r(a|1,1)r(a|2,1)r(a|1,2)r(a|2,2)");
  const TreeModel model(data, {2});
  const Representative group = Representative::Of(model, 0, 2);
  EXPECT_FALSE(group.MayJoin(model, 0, 1));
  EXPECT_FALSE(group.MayJoin(model, 0, 2));
  EXPECT_TRUE(group.MayJoin(model, 0, 3));
}

TEST(RepresentativeTest, ValuesThatShareABitAreToldApart) {
  // 130 values: symbols 1, 65 and 129 have the same bit.
  std::string text;
  for (int i = 1; i <= 130; ++i) text += "r(a|" + std::to_string(i) + ")";
  text += "r(a|1)";
  const EncodedDataset data = Encoded("r(q|s)", text.c_str());
  const TreeModel model(data, {2});
  const Representative group = Representative::Of(model, 0, 2);
  for (Vertex v = 1; v < 130; ++v) EXPECT_TRUE(group.MayJoin(model, 0, v)) << v;
  EXPECT_FALSE(group.MayJoin(model, 0, 130));
}

TEST(RepresentativeTest, PublishesSiblingsByClassThenLabelsThenSubtree) {
  const EncodedDataset data =
      Encoded("r(q){c(q){e(q)} d(q)}", "r(a){d(a) c(d) c(b){e(c) e(a)} c(b){e(a)} c(b) d(c) c(a)}");
  const TreeModel model(data, {0});
  const Publication published = Published(Representative::Of(model, 0, 2));
  const PublishedTree group = published.tree(0);
  EXPECT_THAT(group.vertex_class, ElementsAre(0, 1, 1, 1, 2, 1, 2, 2, 1, 3, 3));
  std::vector<std::string> texts;
  for (const Label label : group.label_values) texts.push_back(Letters().label(label.low));
  EXPECT_EQ(texts.size(), 11U);
  EXPECT_TRUE(std::is_sorted(group.label_values.end() - 2, group.label_values.end()));
}

RC_GTEST_PROP(RepresentativeTest, IsomorphicTreesPublishTheSame, ()) {
  // Records 0 and 1 are one tree, with siblings in two orders.
  const EncodedDataset source =
      RandomForest(*rc::gen::arbitrary<uint64_t>(), {.records = 1, .children = 4, .once = false});
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  Dataset data = source.data;
  ForestBuilder builder(source.schema());
  const std::function<void(Vertex, bool)> copy = [&](Vertex v, bool shuffle) {
    for (size_t slot = 0; slot < source.schema().classes[source.forest().class_of(v)].value_count();
         ++slot) {
      builder.Set(slot, source.forest().value(v, slot));
    }
    std::vector<Vertex> children;
    for (const Vertex child : source.forest().Children(v)) children.push_back(child);
    if (shuffle) random.Shuffle(children);
    for (const Vertex child : children) {
      builder.Open(source.forest().class_of(child));
      copy(child, shuffle);
      builder.Close();
    }
  };
  for (const bool shuffle : {false, true}) {
    builder.BeginRecord(1);
    copy(0, shuffle);
    builder.EndRecord();
  }
  data.forest = std::move(builder).Build();
  EncodedDataset both{std::move(data), source.classes, {}};
  std::map<std::tuple<ClassId, size_t, Symbol>, Value> value_of;
  for (Vertex v = 0; v < source.forest().vertex_count(); ++v) {
    const ClassId id = source.forest().class_of(v);
    for (size_t slot = 0; slot < source.classes[id].domains.size(); ++slot) {
      value_of[{id, slot, source.forest().value(v, slot)}] = source.value(v, slot);
    }
  }
  both.codes.resize(both.forest().value_count());
  for (Vertex v = 0; v < both.forest().vertex_count(); ++v) {
    const ClassId id = both.forest().class_of(v);
    for (size_t slot = 0; slot < both.classes[id].domains.size(); ++slot) {
      both.codes[both.forest().first_value(v) + slot] =
          value_of.at({id, slot, both.forest().value(v, slot)});
    }
  }
  both.EncodeBuckets();
  const TreeModel model(both, {0});
  const Publication published_a = Published(Representative::Of(model, 0, 2));
  const Publication published_b = Published(Representative::Of(model, 1, 2));
  const PublishedTree a = published_a.tree(0);
  const PublishedTree b = published_b.tree(0);
  RC_ASSERT(ShownBy(a) == ShownBy(b));
  // And each position holds a vertex with that label.
  for (size_t p = 0; p < b.size(); ++p) {
    const ClassId id = both.forest().class_of(b.vertex(0, p));
    RC_ASSERT(id == b.vertex_class[p]);
    for (size_t slot = 0; slot < both.classes[id].domains.size(); ++slot) {
      const Value value = both.value(b.vertex(0, p), slot);
      RC_ASSERT(both.classes[id].domains[slot].Leaf(value) == b.labels(p)[slot]);
    }
  }
}

}  // namespace
}  // namespace thicket::representative_test
