#include "record/publication.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "base/random.h"

namespace thicket::publication_test {
namespace {

using ::testing::ElementsAre;

// The same as nested lists.
struct NaivePosition {
  ClassId id = 0;
  uint32_t size = 1;
  std::vector<Label> labels;
  friend bool operator==(const NaivePosition&, const NaivePosition&) = default;
};
struct NaiveRecord {
  RecordId record = 0;
  // By position.
  std::vector<std::vector<Vertex>> sources;
  friend bool operator==(const NaiveRecord&, const NaiveRecord&) = default;
};
struct NaiveTree {
  std::vector<NaivePosition> positions;
  std::vector<NaiveRecord> records;
  friend bool operator==(const NaiveTree&, const NaiveTree&) = default;
};

NaiveTree Expanded(const PublishedTree& tree) {
  NaiveTree result;
  for (size_t p = 0; p < tree.size(); ++p) {
    result.positions.push_back({tree.vertex_class[p],
                                tree.subtree_size[p],
                                {tree.labels(p).begin(), tree.labels(p).end()}});
  }
  for (size_t member = 0; member < tree.records.size(); ++member) {
    NaiveRecord& record = result.records.emplace_back();
    record.record = tree.records[member];
    for (size_t p = 0; p < tree.size(); ++p) {
      const std::span<const Vertex> sources = tree.sources(member, p);
      record.sources.emplace_back(sources.begin(), sources.end());
    }
  }
  return result;
}
std::vector<NaiveTree> Expanded(const Publication& published) {
  std::vector<NaiveTree> trees;
  for (const PublishedTree tree : published.trees()) trees.push_back(Expanded(tree));
  return trees;
}

// A root with children; children from the second on may have the labels of the first.
NaiveTree RandomTree(Random& random, bool lists) {
  NaiveTree tree;
  const size_t children = random.Below(5);
  for (size_t p = 0; p <= children; ++p) {
    NaivePosition& position = tree.positions.emplace_back();
    position.id = static_cast<ClassId>(p == 0 ? 0 : random.Below(3));
    position.size = p == 0 ? static_cast<uint32_t>(children) + 1 : 1;
    for (uint64_t i = random.Below(3); i > 0; --i) {
      position.labels.push_back({static_cast<uint32_t>(random.Below(9)), 9});
    }
  }
  for (uint64_t member = 1 + random.Below(3); member > 0; --member) {
    NaiveRecord& record = tree.records.emplace_back();
    record.record = static_cast<RecordId>(random.Below(100));
    for (size_t p = 0; p <= children; ++p) {
      std::vector<Vertex>& sources = record.sources.emplace_back();
      for (uint64_t i = lists ? random.Below(4) : 1; i > 0; --i) {
        sources.push_back(static_cast<Vertex>(random.Below(1000)));
      }
    }
  }
  return tree;
}

void Add(const NaiveTree& tree, Publication& published) {
  std::vector<uint32_t> numbers;
  for (const NaivePosition& position : tree.positions) {
    numbers.push_back(published.Open(position.id, position.labels));
    if (numbers.size() > 1) published.Close(numbers.back());
  }
  published.Close(numbers.front());
  for (const NaiveRecord& record : tree.records) {
    published.AddRecord(record.record);
    for (const std::vector<Vertex>& sources : record.sources) published.AddSources(sources);
  }
  published.EndTree();
}

std::vector<NaiveTree> RandomTrees(Random& random) {
  std::vector<NaiveTree> trees;
  // Lists may begin late.
  const uint64_t first_lists = random.Below(6);
  for (uint64_t i = 0, count = random.Below(5); i < count; ++i) {
    trees.push_back(RandomTree(random, i >= first_lists));
  }
  return trees;
}

RC_GTEST_PROP(PublicationTest, GivesBackWhatWasAdded, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const std::vector<NaiveTree> trees = RandomTrees(random);
  Publication published;
  for (const NaiveTree& tree : trees) Add(tree, published);
  RC_ASSERT(Expanded(published) == trees);
  size_t number = 0;
  for (uint32_t tree = 0; tree < trees.size(); ++tree) {
    for (uint32_t member = 0; member < trees[tree].records.size(); ++member, ++number) {
      const Publication::Place place = published.PlaceOf(number);
      RC_ASSERT(place.tree == tree && place.member == member);
      RC_ASSERT(published.record(number) == trees[tree].records[member].record);
    }
  }
  RC_ASSERT(number == published.record_count());
}

RC_GTEST_PROP(PublicationTest, ACopyOfItsTreesIsEqual, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  Publication published;
  for (const NaiveTree& tree : RandomTrees(random)) Add(tree, published);
  Publication copy;
  for (const PublishedTree tree : published.trees()) {
    copy.CopyPositions(tree);
    copy.CopyRecords(tree);
    copy.EndTree();
  }
  RC_ASSERT(copy == published);
}

RC_GTEST_PROP(PublicationTest, ReorderedSubtreesTakeTheirSourcesAlong, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  std::vector<NaiveTree> trees = RandomTrees(random);
  if (trees.empty()) return;
  Publication published;
  for (const NaiveTree& tree : trees) Add(tree, published);
  const size_t index = random.Below(trees.size());
  const size_t member = random.Below(trees[index].records.size());
  std::vector<std::vector<Vertex>>& sources = trees[index].records[member].sources;
  // Runs of subtrees of any size, as far as there are positions.
  const size_t size = 1 + random.Below(2);
  std::vector<size_t> order((sources.size() - 1) / size);
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  random.Shuffle(order);
  published.ReorderSubtrees(index, member, 1, size, order);
  const std::vector<std::vector<Vertex>> before = sources;
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = 0; j < size; ++j) sources[1 + i * size + j] = before[1 + order[i] * size + j];
  }
  RC_ASSERT(Expanded(published) == trees);
}

TEST(PublicationTest, KnowsWhatWasSuppressed) {
  Schema schema;
  schema.classes.resize(1);
  ForestBuilder builder(schema);
  for (uint32_t record = 0; record < 3; ++record) {
    builder.BeginRecord(record + 1);
    builder.EndRecord();
  }
  const Forest forest = std::move(builder).Build();
  Publication published;
  Add({{{}}, {{1, {{1}}}}}, published);
  published.Suppress({0, 2});
  EXPECT_THAT(published.suppressed(), ElementsAre(0, 2));
  EXPECT_EQ(published.SuppressedVertices(forest), 2U);
  published.SuppressValues({{1, 4}, {1, 2}});
  EXPECT_TRUE(published.IsSuppressed(1, 2));
  EXPECT_TRUE(published.IsSuppressed(1, 4));
  EXPECT_FALSE(published.IsSuppressed(1, 3));
  EXPECT_FALSE(published.IsSuppressed(0, 2));
  published.SetRearranged();
  EXPECT_EQ(published.SuppressedVertices(forest), 0U);
}

}  // namespace
}  // namespace thicket::publication_test
