#include "record/canonical_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "base/random.h"
#include "testing/forest_text.h"

namespace thicket::canonical_form_test {
namespace {

using ::testing::ElementsAre;
using testing::ParseForest;
using testing::ParseSchema;

RecordGroups Group(std::string_view text, CompareBy compare) {
  const auto schema = ParseSchema("r(q|s|k){c(q|s){d(q)} e(q)}");
  const Dataset data = ParseForest(schema, text);
  return GroupRecords(data.forest, Canonicalize(*schema, data.forest, compare));
}

TEST(CanonicalFormTest, IgnoresTheOrderOfSiblings) {
  EXPECT_EQ(Group("r(a){c(x) c(y){d(u) d(v)}}r(a){c(y){d(v) d(u)} c(x)}", CompareBy::kQuasi).size(),
            1U);
}

TEST(CanonicalFormTest, TellsStructuresApart) {
  EXPECT_EQ(Group("r(a){c(x){d(u)} c(x)}r(a){c(x) c(x)}r(a){c(x){d(u)} c(x){d(u)}}r(a){c(x)}r(a)",
                  CompareBy::kQuasi)
                .size(),
            5U);
}

TEST(CanonicalFormTest, TellsClassesApart) {
  EXPECT_EQ(Group("r(a){c(x)}r(a){e(x)}", CompareBy::kQuasi).size(), 2U);
}

TEST(CanonicalFormTest, ComparesSensitiveAndKeptValuesOnlyWhenAsked) {
  const std::string_view text =
      "r(a|1|p){c(x|1)}r(a|2|p){c(x|1)}r(a|1|q){c(x|1)}r(a|1|p){c(x|2)}r(a|1|p){c(x|1)}";
  EXPECT_EQ(Group(text, CompareBy::kQuasi).size(), 1U);
  const RecordGroups groups = Group(text, CompareBy::kAllValues);
  EXPECT_THAT(groups.group_of, ElementsAre(0, 1, 2, 3, 0));
  EXPECT_THAT(groups.members, ElementsAre(0, 4, 1, 2, 3));
}

TEST(CanonicalFormTest, KeepsTheOrderOfEqualSiblings) {
  const auto schema = ParseSchema("r(q){c(q|s)}");
  const Dataset data = ParseForest(schema, "r(a){c(x|1) c(y|2) c(x|3)}");
  std::vector<Vertex> order;
  AppendCanonicalOrder(data.forest, Canonicalize(*schema, data.forest, CompareBy::kQuasi), 0,
                       order);
  ASSERT_EQ(order.size(), 4U);
  EXPECT_LT(std::find(order.begin(), order.end(), 1U), std::find(order.begin(), order.end(), 3U));
}

TEST(CanonicalFormTest, AnOrderedClassIsASequence) {
  auto schema = ParseSchema("r(q){c(q){d(q)} e(q)}");
  const std::string_view text =
      "r(a){c(x) c(y) e(u) e(v)}r(a){c(y) c(x) e(u) e(v)}r(a){c(x) c(y) e(v) e(u)}";
  const Dataset data = ParseForest(schema, text);
  const auto groups = [&] {
    const CanonicalForm form = Canonicalize(*schema, data.forest, CompareBy::kQuasi);
    return GroupRecords(data.forest, form).group_of;
  };
  EXPECT_THAT(groups(), ElementsAre(0, 0, 0));
  schema->classes[1].ordered = true;
  EXPECT_THAT(groups(), ElementsAre(0, 1, 0));
  const CanonicalForm form = Canonicalize(*schema, data.forest, CompareBy::kQuasi);
  std::vector<Vertex> order;
  AppendCanonicalOrder(data.forest, form, 1, order);
  ASSERT_EQ(order.size(), 5U);
  const Vertex root = data.forest.root(1);
  EXPECT_LT(std::find(order.begin(), order.end(), root + 1),
            std::find(order.begin(), order.end(), root + 2));
}

struct Tree {
  std::string label;
  std::vector<Tree> children;
};

Tree RandomTree(Random& random, size_t level) {
  Tree tree{std::string(1, "ab"[random.Below(2)]), {}};
  if (level < 2) {
    for (size_t i = random.Below(4); i-- > 0;)
      tree.children.push_back(RandomTree(random, level + 1));
  }
  return tree;
}

std::string Write(const Tree& tree, size_t level) {
  std::string text = std::string(1, "rcd"[level]) + "(" + tree.label + "){";
  for (const Tree& child : tree.children) text += Write(child, level + 1);
  return text + "}";
}

void Shuffle(Tree& tree, Random& random) {
  random.Shuffle(tree.children);
  for (Tree& child : tree.children) Shuffle(child, random);
}

std::string Sorted(const Tree& tree) {
  std::vector<std::string> children;
  for (const Tree& child : tree.children) children.push_back(Sorted(child));
  std::sort(children.begin(), children.end());
  std::string text = tree.label + "{";
  for (const std::string& child : children) text += child;
  return text + "}";
}

RC_GTEST_PROP(CanonicalFormPropertyTest, AgreesWithSortedTextsAndAlignsEqualLabels,
              (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const auto schema = ParseSchema("r(q){c(q){d(q)}}");
  Tree a = RandomTree(random, 0);
  Tree b = random.Below(2) == 0 ? a : RandomTree(random, 0);
  Shuffle(b, random);
  const Dataset data = ParseForest(schema, Write(a, 0) + Write(b, 0));
  const CanonicalForm form = Canonicalize(*schema, data.forest, CompareBy::kQuasi);
  const bool equal = form.number[data.forest.root(0)] == form.number[data.forest.root(1)];
  RC_ASSERT(equal == (Sorted(a) == Sorted(b)));
  if (!equal) return;
  std::vector<Vertex> first;
  std::vector<Vertex> second;
  AppendCanonicalOrder(data.forest, form, 0, first);
  AppendCanonicalOrder(data.forest, form, 1, second);
  RC_ASSERT(first.size() == second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    RC_ASSERT(form.number[first[i]] == form.number[second[i]]);
    RC_ASSERT(data.forest.subtree_size(first[i]) == data.forest.subtree_size(second[i]));
  }
}

}  // namespace
}  // namespace thicket::canonical_form_test
