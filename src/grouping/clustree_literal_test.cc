// ClusTree against a word-for-word implementation of the paper's algorithms (testing/literal_clustree.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grouping/clustree.h"
#include "testing/cases.h"
#include "testing/literal_clustree.h"
#include "testing/random_forest.h"

namespace thicket::clustree_literal_test {
namespace {

using testing::ForestShape;
using testing::LiteralClusTree;
using testing::LiteralGrouping;
using testing::LiteralMapping;
using testing::LiteralNode;
using testing::LiteralOptions;
using testing::RandomForest;

struct Variant {
  Mapping mapping = Mapping::kLsap;
  MergeCost cost = MergeCost::kWeighted;
  bool passes = true;
  Leftovers leftovers = Leftovers::kAbsorb;
};

std::vector<Variant> AllVariants() {
  std::vector<Variant> variants;
  for (const Mapping mapping : {Mapping::kLsap, Mapping::kGreedy, Mapping::kLabels}) {
    for (const MergeCost cost : {MergeCost::kWeighted, MergeCost::kFaithful}) {
      for (const bool passes : {true, false}) {
        for (const Leftovers leftovers : {Leftovers::kAbsorb, Leftovers::kSuppress}) {
          variants.push_back({mapping, cost, passes, leftovers});
        }
      }
    }
  }
  return variants;
}

LiteralOptions ToLiteral(const ClusTreeOptions& options) {
  LiteralOptions literal;
  literal.mapping = options.merge.mapping == Mapping::kLsap     ? LiteralMapping::kLsap
                    : options.merge.mapping == Mapping::kGreedy ? LiteralMapping::kGreedy
                                                                : LiteralMapping::kLabels;
  literal.weighted = options.merge.cost == MergeCost::kWeighted;
  literal.class_size = options.class_size;
  literal.l = options.rule.l;
  literal.passes = options.passes;
  literal.s = options.s;
  literal.m = options.m;
  literal.absorb = options.leftovers == Leftovers::kAbsorb;
  return literal;
}

// Which vertices stand together, and under which labels, whatever the order.
using Group = std::map<std::vector<Vertex>, std::vector<Label>>;

void List(const LiteralNode& node, Group& group) {
  std::vector<Vertex> together = node.members;
  std::sort(together.begin(), together.end());
  group[together] = node.labels;
  for (const auto& child : node.children) List(*child, group);
}

std::set<Group> GroupsOf(const LiteralGrouping& grouping) {
  std::set<Group> groups;
  for (const auto& cluster : grouping.classes) {
    Group group;
    List(*cluster.representative, group);
    groups.insert(std::move(group));
  }
  return groups;
}

std::set<Group> GroupsOf(const Publication& published) {
  std::set<Group> groups;
  for (const PublishedTree shown : published.trees()) {
    Group group;
    for (size_t p = 0; p < shown.size(); ++p) {
      std::vector<Vertex> together;
      for (size_t member = 0; member < shown.records.size(); ++member) {
        together.push_back(shown.vertex(member, p));
      }
      std::sort(together.begin(), together.end());
      group[together] = {shown.labels(p).begin(), shown.labels(p).end()};
    }
    groups.insert(std::move(group));
  }
  return groups;
}

struct Tally {
  int compared = 0;
  int ambiguous = 0;
};

void Compare(const EncodedDataset& data, const ClusTreeOptions& options, Tally& tally) {
  const LiteralGrouping expected = LiteralClusTree(data, ToLiteral(options)).Run();
  if (expected.ambiguous) {
    ++tally.ambiguous;
    return;
  }
  ++tally.compared;
  Parallel parallel(1);
  Progress progress;
  const Result<Grouping> found = ClusTree(data, options, parallel, progress);
  ASSERT_TRUE(found.ok()) << found.error().message;
  const Publication& published = found->published;
  EXPECT_EQ(std::set<RecordId>(published.suppressed().begin(), published.suppressed().end()),
            expected.suppressed);
  EXPECT_EQ(published.tree_count(), expected.classes.size());
  EXPECT_TRUE(GroupsOf(published) == GroupsOf(expected));
}

class ClusTreeLiteralTest : public ::testing::TestWithParam<int> {};

TEST_P(ClusTreeLiteralTest, GroupsAsTheAlgorithmsSay) {
  const Variant variant = AllVariants()[static_cast<size_t>(GetParam())];
  Tally tally;
  for (uint64_t seed = 0; seed < Cases(24); ++seed) {
    Random random = Random::Seeded(seed * 24 + static_cast<uint64_t>(GetParam()));
    ForestShape shape;
    shape.records = 2 + random.Below(11);
    shape.children = 1 + random.Below(3);
    shape.secrets = 3 + random.Below(6);
    shape.plenty = true;
    // Many clusters, so that the limit on their cost decides.
    if (seed % 4 == 0) {
      shape.records = 20 + random.Below(20);
      shape.classes = 1 + random.Below(2);
      shape.children = 1;
    }
    ClusTreeOptions options;
    options.class_size = static_cast<int>(2 + random.Below(3));
    options.rule.l = static_cast<int>(random.Below(static_cast<uint64_t>(options.class_size) + 1));
    options.merge = {variant.mapping, variant.cost};
    options.passes = variant.passes;
    options.leftovers = variant.leftovers;
    if (random.Below(3) == 0) options.s = 0.2;
    if (random.Below(3) == 0) options.m = 1;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Compare(RandomForest(random.Next(), shape), options, tally);
    if (HasFailure()) return;
  }
  // Most cases must be decided; mapping by labels leaves the most open, a third at worst.
  EXPECT_GT(tally.compared, tally.ambiguous);
}

INSTANTIATE_TEST_SUITE_P(AllVariants, ClusTreeLiteralTest,
                         ::testing::Range(0, static_cast<int>(AllVariants().size())));

}  // namespace
}  // namespace thicket::clustree_literal_test
