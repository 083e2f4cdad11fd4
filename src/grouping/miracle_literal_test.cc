// MiRaCle, MiRaCleX and bitmap CDGH against a word-for-word implementation of the paper's algorithms
// (testing/literal_miracle.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grouping/miracle.h"
#include "testing/cases.h"
#include "testing/literal_miracle.h"
#include "testing/random_forest.h"

namespace thicket::miracle_literal_test {
namespace {

using testing::ForestShape;
using testing::LiteralClusters;
using testing::LiteralMiracle;
using testing::LiteralNode;
using testing::LiteralPairing;
using testing::RandomForest;

// Which vertices stand together, and under which labels, whatever the order.
using Group = std::map<std::set<Vertex>, std::vector<Label>>;

void List(const LiteralNode& node, Group& group) {
  group[{node.members.begin(), node.members.end()}] = node.labels;
  for (const auto& child : node.children) List(*child, group);
}

std::set<Group> GroupsOf(const LiteralClusters& clusters) {
  std::set<Group> groups;
  for (const auto& cluster : clusters.classes) {
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
      std::set<Vertex> together;
      for (size_t i = 0; i < shown.records.size(); ++i) together.insert(shown.vertex(i, p));
      group[together] = {shown.labels(p).begin(), shown.labels(p).end()};
    }
    groups.insert(std::move(group));
  }
  return groups;
}

struct Variant {
  MiracleVariant variant;
  LiteralPairing pairing;
};

class MiracleLiteralTest : public ::testing::TestWithParam<Variant> {};

TEST_P(MiracleLiteralTest, GroupsAsTheAlgorithmsSay) {
  for (uint64_t seed = 0; seed < Cases(60); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random = Random::Seeded(seed);
    ForestShape shape;
    shape.records = random.Below(16);
    shape.children = 1 + random.Below(3);
    shape.plenty = random.Below(2) == 0;
    shape.depth = 3;
    shape.once = false;
    MiracleOptions options;
    options.variant = GetParam().variant;
    options.class_size = static_cast<int>(2 + random.Below(3));
    options.climit = static_cast<int>(1 + random.Below(6));
    options.th = static_cast<double>(random.Below(8)) / 10;
    const EncodedDataset data = RandomForest(random.Next(), shape);

    const LiteralClusters expected =
        LiteralMiracle(data, {GetParam().pairing, options.class_size, options.climit, options.th})
            .Run();
    Parallel parallel(1);
    Progress progress;
    const Result<Grouping> found = Miracle(data, options, parallel, progress);
    ASSERT_TRUE(found.ok()) << found.error().message;
    const Publication& published = found->published;
    EXPECT_EQ(std::set<RecordId>(published.suppressed().begin(), published.suppressed().end()),
              expected.suppressed);
    EXPECT_EQ(published.tree_count(), expected.classes.size());
    EXPECT_TRUE(GroupsOf(published) == GroupsOf(expected));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Variants, MiracleLiteralTest,
    ::testing::Values(Variant{MiracleVariant::kMiracle, LiteralPairing::kSubtrees},
                      Variant{MiracleVariant::kMiracleX, LiteralPairing::kLabels},
                      Variant{MiracleVariant::kBitmap, LiteralPairing::kBitmap}));

}  // namespace
}  // namespace thicket::miracle_literal_test
