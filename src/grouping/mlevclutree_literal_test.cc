// MLevCluTree against a word-for-word implementation of the paper's algorithms (testing/literal_mlevclutree.h).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grouping/mlevclutree.h"
#include "privacy/levels_of_data.h"
#include "testing/literal_mlevclutree.h"
#include "testing/random_forest.h"

namespace thicket::mlevclutree_literal_test {
namespace {

using testing::ForestShape;
using testing::LiteralLevelClasses;
using testing::LiteralLevelOptions;
using testing::LiteralMLevCluTree;
using testing::LiteralNode;
using testing::RandomForest;

// Which vertices stand together, and under which labels, whatever the order.
using Group = std::map<std::vector<Vertex>, std::vector<Label>>;

void List(const LiteralNode& node, Group& group) {
  std::vector<Vertex> together = node.members;
  std::sort(together.begin(), together.end());
  group[together] = node.labels;
  for (const auto& child : node.children) List(*child, group);
}

std::vector<Group> GroupsOf(const LiteralLevelClasses& result) {
  std::vector<Group> groups;
  for (const auto& of_class : result.classes) List(*of_class.representative, groups.emplace_back());
  return groups;
}

std::vector<Group> GroupsOf(const Publication& published) {
  std::vector<Group> groups;
  for (const PublishedTree shown : published.trees()) {
    Group& group = groups.emplace_back();
    for (size_t p = 0; p < shown.size(); ++p) {
      std::vector<Vertex> together;
      for (size_t member = 0; member < shown.records.size(); ++member) {
        together.push_back(shown.vertex(member, p));
      }
      std::sort(together.begin(), together.end());
      group[together] = {shown.labels(p).begin(), shown.labels(p).end()};
    }
  }
  return groups;
}

EncodedDataset RandomLevels(uint64_t seed) {
  Random random = Random::Seeded(seed);
  ForestShape shape;
  shape.records = random.Below(18);
  shape.classes = 1 + random.Below(4);
  shape.secrets = 2 + random.Below(5);
  shape.plenty = random.Below(4) == 0;
  shape.once = false;
  EncodedDataset data = RandomForest(random.Next(), shape);
  auto schema = std::make_shared<Schema>(data.schema());
  for (VertexClass& type : schema->classes) {
    for (SensitiveAttribute& attribute : type.sensitive) {
      attribute.levels.kind = SensitivityLevels::Kind::kGiven;
      // Low levels more often, so that classes come about.
      for (size_t value = 0; value < shape.secrets; ++value) {
        const uint64_t level = std::min(random.Below(5), random.Below(5));
        attribute.levels.given[level].push_back(std::to_string(value));
      }
    }
  }
  data.data.schema = schema;
  RC_ASSERT(ApplyLevels(data).ok());
  return data;
}

LiteralLevelOptions RandomOptions(uint64_t seed) {
  Random random = Random::Seeded(seed);
  LiteralLevelOptions options;
  options.class_size = static_cast<int>(2 + random.Below(4));
  if (random.Below(3) > 0) {
    for (int& tenths : options.tenths) tenths = static_cast<int>(1 + random.Below(10));
  }
  options.candidates = random.Below(2) == 0 ? 50 : 1 + random.Below(4);
  options.weighted = random.Below(2) == 0;
  options.absorb = random.Below(2) == 0;
  options.random_seed = random.Next();
  return options;
}

RC_GTEST_PROP(MLevCluTreeLiteral, GivesTheClassesOfThePapersAlgorithms, (uint64_t seed)) {
  // A property's hundred cases are few for what can go wrong: each tries several.
  for (uint64_t i = 0; i < 5; ++i) {
    const EncodedDataset data = RandomLevels(seed * 5 + i);
    const LiteralLevelOptions given = RandomOptions(seed * 5 + i);
    MLevCluTreeOptions options;
    options.class_size = given.class_size;
    for (size_t level = 0; level < 5; ++level)
      options.rule.alpha[level] = given.tenths[level] / 10.0;
    options.candidates = given.candidates;
    options.merge.cost = given.weighted ? MergeCost::kWeighted : MergeCost::kFaithful;
    options.leftovers = given.absorb ? Leftovers::kAbsorb : Leftovers::kSuppress;
    options.random_seed = given.random_seed;
    Parallel parallel(1);
    Progress progress;
    const Result<Grouping> grouping = MLevCluTree(data, options, parallel, progress);
    RC_ASSERT(grouping.ok());
    const LiteralLevelClasses expected = LiteralMLevCluTree(data, given).Run();
    const auto& suppressed = grouping->published.suppressed();
    RC_CLASSIFY(!expected.classes.empty());
    RC_ASSERT(GroupsOf(grouping->published) == GroupsOf(expected));
    RC_ASSERT(std::set<RecordId>(suppressed.begin(), suppressed.end()) == expected.suppressed);
  }
}

}  // namespace
}  // namespace thicket::mlevclutree_literal_test
