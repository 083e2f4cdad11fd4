#include "record/forest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "testing/forest_text.h"

namespace thicket::forest_test {
namespace {

using ::testing::ElementsAre;
using testing::ParseSchema;

std::vector<Vertex> ChildrenOf(const Forest& forest, Vertex vertex) {
  std::vector<Vertex> children;
  for (const Vertex child : forest.Children(vertex)) children.push_back(child);
  return children;
}

std::vector<uint32_t> FirstValues(const Forest& forest) {
  std::vector<uint32_t> values;
  for (Vertex v = 0; v < forest.vertex_count(); ++v) values.push_back(forest.value(v, 0));
  return values;
}

// Opens a vertex and sets its first value.
void Open(ForestBuilder& builder, ClassId id, uint32_t value) {
  builder.Open(id);
  builder.Set(0, value);
}

TEST(ForestTest, AnEmptyForestHasNoRecords) {
  const Forest forest;
  EXPECT_EQ(forest.record_count(), 0U);
  EXPECT_EQ(forest.vertex_count(), 0U);
}

TEST(ForestBuilderTest, LaysRecordsOutInPreorder) {
  const auto schema = ParseSchema("r(q){c(q){d(q)}}");
  ForestBuilder builder(*schema);
  builder.BeginRecord(3);
  builder.Set(0, 10);
  Open(builder, 1, 11);
  Open(builder, 2, 12);
  builder.Close();
  builder.Close();
  Open(builder, 1, 13);
  builder.Close();
  builder.EndRecord();
  builder.BeginRecord(9);
  builder.EndRecord();
  const Forest forest = std::move(builder).Build();
  EXPECT_EQ(forest.record_count(), 2U);
  EXPECT_THAT(FirstValues(forest), ElementsAre(10, 11, 12, 13, 0));
  EXPECT_THAT(ChildrenOf(forest, 0), ElementsAre(1, 3));
  EXPECT_THAT(ChildrenOf(forest, 1), ElementsAre(2));
  EXPECT_TRUE(forest.Children(4).empty());
  EXPECT_TRUE(forest.is_leaf(3));
  EXPECT_FALSE(forest.is_leaf(0));
  EXPECT_EQ(forest.subtree_size(0), 4U);
  EXPECT_EQ(forest.root(1), 4U);
  EXPECT_EQ(forest.record_size(0), 4U);
  EXPECT_EQ(forest.line(0), 3U);
  EXPECT_EQ(forest.line(1), 9U);
  for (Vertex v = 0; v < 4; ++v) EXPECT_EQ(forest.record_of(v), 0U);
  EXPECT_EQ(forest.record_of(4), 1U);
}

TEST(ForestBuilderTest, GroupsSiblingsByClassAndKeepsTheirOrderWithin) {
  const auto schema = ParseSchema("r(q){c(q,p){d(q) e(q)} f(q)}");
  ForestBuilder builder(*schema);
  builder.BeginRecord(1);
  Open(builder, 4, 1);
  builder.Close();
  Open(builder, 1, 2);
  Open(builder, 3, 3);
  builder.Close();
  Open(builder, 2, 4);
  builder.Close();
  Open(builder, 3, 5);
  builder.Close();
  builder.Set(1, 77);
  builder.Close();
  Open(builder, 4, 6);
  builder.Close();
  Open(builder, 1, 7);
  builder.Close();
  builder.EndRecord();
  const Forest forest = std::move(builder).Build();
  EXPECT_THAT(FirstValues(forest), ElementsAre(0, 2, 4, 3, 5, 7, 1, 6));
  EXPECT_THAT(ChildrenOf(forest, 0), ElementsAre(1, 5, 6, 7));
  EXPECT_THAT(ChildrenOf(forest, 1), ElementsAre(2, 3, 4));
  EXPECT_EQ(forest.value(1, 1), 77U);
}

TEST(ForestBuilderTest, DropsAnUnfinishedRecordWithoutATrace) {
  const auto schema = ParseSchema("r(q){c(q) d(q)}");
  ForestBuilder builder(*schema);
  builder.BeginRecord(1);
  builder.Set(0, 1);
  builder.EndRecord();
  builder.BeginRecord(2);
  Open(builder, 2, 5);
  builder.Close();
  Open(builder, 1, 6);
  builder.DropRecord();
  EXPECT_EQ(builder.forest().record_count(), 1U);
  builder.BeginRecord(3);
  builder.Set(0, 3);
  Open(builder, 1, 4);
  builder.Close();
  builder.EndRecord();
  const Forest forest = std::move(builder).Build();
  EXPECT_EQ(forest.record_count(), 2U);
  EXPECT_THAT(FirstValues(forest), ElementsAre(1, 3, 4));
  EXPECT_EQ(forest.line(1), 3U);
}

TEST(ForestBuilderTest, DroppingNothingIsHarmless) {
  const auto schema = ParseSchema("r(q)");
  ForestBuilder builder(*schema);
  builder.DropRecord();
  builder.BeginRecord(1);
  builder.EndRecord();
  builder.DropRecord();
  const Forest forest = std::move(builder).Build();
  EXPECT_EQ(forest.record_count(), 1U);
  EXPECT_EQ(forest.vertex_count(), 1U);
}

// A tree as a test would write it.
struct Tree {
  ClassId id = 0;
  uint32_t value = 0;
  std::vector<Tree> children;
};

Tree RandomTree(const Schema& schema, ClassId id, Random& random, uint32_t& next) {
  Tree tree{id, ++next, {}};
  std::vector<ClassId> order;
  for (const ClassId child : schema.classes[id].children) {
    order.insert(order.end(), random.Below(4), child);
  }
  random.Shuffle(order);
  for (const ClassId child : order)
    tree.children.push_back(RandomTree(schema, child, random, next));
  return tree;
}

void Build(const Tree& tree, ForestBuilder& builder) {
  builder.Set(0, tree.value);
  for (const Tree& child : tree.children) {
    builder.Open(child.id);
    Build(child, builder);
    builder.Close();
  }
}

void ExpectEqual(const Tree& tree, const Forest& forest, Vertex v) {
  RC_ASSERT(forest.value(v, 0) == tree.value);
  RC_ASSERT(forest.class_of(v) == tree.id);
  std::vector<Tree> expected = tree.children;
  std::stable_sort(expected.begin(), expected.end(),
                   [](const Tree& a, const Tree& b) { return a.id < b.id; });
  const std::vector<Vertex> children = ChildrenOf(forest, v);
  RC_ASSERT(children.size() == expected.size());
  for (size_t i = 0; i < children.size(); ++i) ExpectEqual(expected[i], forest, children[i]);
}

RC_GTEST_PROP(ForestBuilderTest, HoldsTheTreesThatWereBuilt, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const auto schema = ParseSchema("r(q){c(q,p){d(q) e(q|s){f(q)}} g(q|s|k)}");
  ForestBuilder builder(*schema);
  std::vector<Tree> trees;
  uint32_t next = 0;
  for (uint32_t r = 0; r < 4; ++r) {
    const Tree tree = RandomTree(*schema, 0, random, next);
    builder.BeginRecord(r);
    Build(tree, builder);
    if (random.Below(4) == 0) {
      builder.DropRecord();
    } else {
      builder.EndRecord();
      trees.push_back(tree);
    }
  }
  const Forest forest = std::move(builder).Build();
  RC_ASSERT(forest.record_count() == trees.size());
  for (RecordId r = 0; r < trees.size(); ++r) ExpectEqual(trees[r], forest, forest.root(r));
}

}  // namespace
}  // namespace thicket::forest_test
