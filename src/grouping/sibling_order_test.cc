#include "grouping/sibling_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grouping/clustree.h"
#include "testing/random_forest.h"

namespace thicket::sibling_order_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

// By position; the root is its own parent.
std::vector<size_t> Parents(const PublishedTree& group) {
  std::vector<size_t> parents(group.size(), 0);
  for (size_t p = 0; p < group.size(); ++p) {
    for (size_t child = p + 1; child < p + group.subtree_size[p];
         child += group.subtree_size[child]) {
      parents[child] = p;
    }
  }
  return parents;
}

std::vector<Label> LabelsAt(const PublishedTree& group, size_t position) {
  return {group.labels(position).begin(), group.labels(position).end()};
}
std::vector<Vertex> SourcesAt(const PublishedTree& group, size_t member, size_t position) {
  const std::span<const Vertex> sources = group.sources(member, position);
  return {sources.begin(), sources.end()};
}

// Every record shows what it showed, each vertex with the labels it had and below the same vertex.
void ExpectSameRecords(const PublishedTree& before, const PublishedTree& after) {
  RC_ASSERT(std::ranges::equal(before.vertex_class, after.vertex_class));
  RC_ASSERT(std::ranges::equal(before.subtree_size, after.subtree_size));
  RC_ASSERT(std::ranges::equal(before.label_values, after.label_values));
  RC_ASSERT(std::ranges::equal(before.records, after.records));
  const std::vector<size_t> parents = Parents(before);
  for (size_t member = 0; member < before.records.size(); ++member) {
    std::map<Vertex, std::pair<std::vector<Label>, Vertex>> was;
    std::map<Vertex, std::pair<std::vector<Label>, Vertex>> is;
    for (size_t p = 0; p < before.size(); ++p) {
      was[before.vertex(member, p)] = {LabelsAt(before, p), before.vertex(member, parents[p])};
      is[after.vertex(member, p)] = {LabelsAt(after, p), after.vertex(member, parents[p])};
    }
    RC_ASSERT(is.size() == before.size());
    RC_ASSERT(was == is);
  }
}

void ExpectDiverse(const EncodedDataset& data, int l, const PublishedTree& group) {
  for (size_t p = 0; p < group.size(); ++p) {
    const size_t attributes = data.schema().classes[group.vertex_class[p]].sensitive.size();
    for (size_t attribute = 0; attribute < attributes; ++attribute) {
      std::map<uint32_t, size_t> count;
      for (size_t member = 0; member < group.records.size(); ++member) {
        const size_t times = ++count[data.Bucket(group.vertex(member, p), attribute)];
        RC_ASSERT(times * static_cast<size_t>(l) <= group.records.size());
      }
    }
  }
}

RC_GTEST_PROP(SiblingOrder, KeepsRecordsAndDiversity, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  ForestShape shape;
  shape.records = 4 + random.Below(30);
  shape.children = 1 + random.Below(4);
  shape.secrets = 2 + random.Below(6);
  ClusTreeOptions options;
  options.class_size = static_cast<int>(2 + random.Below(4));
  options.rule.l = static_cast<int>(random.Below(static_cast<uint64_t>(options.class_size) + 1));
  const EncodedDataset data = RandomForest(random.Next(), shape);
  Parallel parallel(1);
  Progress progress;
  Result<Grouping> grouping = ClusTree(data, options, parallel, progress);
  RC_ASSERT(grouping.ok());
  Publication mixed = grouping->published;
  for (size_t tree = 0; tree < mixed.tree_count(); ++tree) {
    MixEqualSiblings(data, options.rule, random, mixed, tree);
    ExpectSameRecords(grouping->published.tree(tree), mixed.tree(tree));
    ExpectDiverse(data, options.rule.l, mixed.tree(tree));
  }
}

// Siblings with lists of sources, or with none, are siblings like others: each list stays whole and with its record.
RC_GTEST_PROP(SiblingOrder, KeepsListsOfSources, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const EncodedDataset data = RandomForest(random.Next(), {.records = 20, .secrets = 3});
  Publication publication;
  const size_t children = 1 + random.Below(5);
  publication.Open(0, {}, static_cast<uint32_t>(children + 1));
  for (size_t i = 0; i < children; ++i) publication.Open(0, {});
  const size_t members = 1 + random.Below(4);
  for (RecordId record = 0; record < members; ++record) {
    publication.AddRecord(record);
    for (size_t p = 0; p <= children; ++p) {
      std::vector<Vertex> sources;
      for (uint64_t i = random.Below(4); i > 0; --i) {
        sources.push_back(data.forest().root(static_cast<RecordId>(random.Below(20))));
      }
      publication.AddSources(sources);
    }
  }
  publication.EndTree();
  DiversityRule rule;
  rule.l = static_cast<int>(random.Below(3));
  Publication mixed = publication;
  MixEqualSiblings(data, rule, random, mixed, 0);
  for (size_t member = 0; member < members; ++member) {
    std::multiset<std::vector<Vertex>> was;
    std::multiset<std::vector<Vertex>> is;
    for (size_t p = 1; p <= children; ++p) {
      was.insert(SourcesAt(publication.tree(0), member, p));
      is.insert(SourcesAt(mixed.tree(0), member, p));
    }
    RC_ASSERT(was == is);
    RC_ASSERT(SourcesAt(publication.tree(0), member, 0) == SourcesAt(mixed.tree(0), member, 0));
  }
}

// Records with four children that only their sensitive values tell apart, all in one class.
struct EqualSiblings {
  static constexpr size_t kChildren = 4;
  static constexpr size_t kRecords = 500;

  explicit EqualSiblings(size_t secrets) {
    auto schema = std::make_shared<Schema>();
    VertexClass& root = schema->classes.emplace_back();
    root.name = "person";
    root.children = {1};
    VertexClass& child = schema->classes.emplace_back();
    child.name = "visit";
    child.at = "visits";
    child.parent = 0;
    child.sensitive.emplace_back().name = "diagnosis";
    Dataset source = Dataset::Empty(schema, "people.jsonl");
    ForestBuilder builder(*schema);
    for (uint32_t record = 0; record < kRecords; ++record) {
      builder.BeginRecord(record + 1);
      for (uint32_t i = 0; i < kChildren; ++i) {
        builder.Open(1);
        const std::string text = std::to_string((record + i * 7) % secrets);
        builder.Set(0, source.dictionaries[1][0].Intern(ValueKind::kString, text));
        builder.Close();
      }
      builder.EndRecord();
    }
    source.forest = std::move(builder).Build();
    data = *Encode(std::move(source), {});
    std::vector<RecordId> records(kRecords);
    std::iota(records.begin(), records.end(), RecordId{0});
    published = Published(records, kChildren);
  }

  // One class of the records, each with its first children.
  Publication Published(const std::vector<RecordId>& records, uint32_t children) const {
    Publication result;
    result.Open(0, {}, children + 1);
    for (uint32_t i = 0; i < children; ++i) result.Open(1, {});
    for (const RecordId record : records) {
      result.AddRecord(record);
      for (uint32_t i = 0; i <= children; ++i) {
        const Vertex source = data.forest().root(record) + i;
        result.AddSources({&source, 1});
      }
    }
    result.EndTree();
    return result;
  }

  // The share of pairs of siblings that stand as in the source.
  double InSourceOrder() const {
    const PublishedTree group = published.tree(0);
    size_t in_order = 0;
    size_t pairs = 0;
    for (size_t member = 0; member < kRecords; ++member) {
      for (size_t a = 1; a <= kChildren; ++a) {
        for (size_t b = a + 1; b <= kChildren; ++b) {
          in_order += group.vertex(member, a) < group.vertex(member, b) ? 1 : 0;
          ++pairs;
        }
      }
    }
    return static_cast<double>(in_order) / static_cast<double>(pairs);
  }

  EncodedDataset data;
  Publication published;
};

TEST(SiblingOrder, IsRandomWhereNothingHasToBeDiverse) {
  EqualSiblings given(3);
  ASSERT_EQ(given.InSourceOrder(), 1);
  Random random = Random::Seeded(1);
  MixEqualSiblings(given.data, DiversityRule{}, random, given.published, 0);
  EXPECT_NEAR(given.InSourceOrder(), 0.5, 0.05);
}

// Records of one class are turned apart from each other as far as their values allow.
TEST(SiblingOrder, IsRandomWhereValuesLeaveRoom) {
  EqualSiblings given(40);
  DiversityRule rule;
  rule.l = 2;
  Random random = Random::Seeded(1);
  MixEqualSiblings(given.data, rule, random, given.published, 0);
  EXPECT_NEAR(given.InSourceOrder(), 0.5, 0.05);
}

// Two records with [0, 1] and [1, 0] have one diverse alignment, and both orders of it are equally likely.
TEST(SiblingOrder, TurnsAClassAsAWholeWhereValuesLeaveNoRoom) {
  EqualSiblings given(14);
  const Publication two = given.Published({0, 7}, 2);
  const Vertex a = given.data.forest().root(0);
  const Vertex b = given.data.forest().root(7);
  ASSERT_EQ(given.data.Bucket(a + 1, 0), given.data.Bucket(b + 2, 0));
  ASSERT_EQ(given.data.Bucket(a + 2, 0), given.data.Bucket(b + 1, 0));
  DiversityRule rule;
  rule.l = 2;
  std::map<std::vector<Vertex>, int> seen;
  Random random = Random::Seeded(1);
  for (int i = 0; i < 1000; ++i) {
    Publication mixed = two;
    MixEqualSiblings(given.data, rule, random, mixed, 0);
    std::vector<Vertex> vertices;
    for (size_t member = 0; member < 2; ++member) {
      for (size_t p = 0; p < 3; ++p) vertices.push_back(mixed.tree(0).vertex(member, p));
    }
    ++seen[vertices];
  }
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NEAR((seen[{a, a + 1, a + 2, b, b + 1, b + 2}]), 500, 60);
}

TEST(SiblingOrder, KeepsSharesOfLevels) {
  EqualSiblings given(5);
  // Buckets as levels of sensitivity.
  for (uint32_t& level : given.data.classes[1].bucket_of_symbol[0]) level = std::max(level, 1U);
  given.data.EncodeBuckets();
  DiversityRule rule;
  rule.alpha = {0.25, 0.25, 0.25, 0.25, 0.25};
  Random random = Random::Seeded(1);
  MixEqualSiblings(given.data, rule, random, given.published, 0);
  for (size_t p = 1; p <= EqualSiblings::kChildren; ++p) {
    std::map<uint32_t, size_t> count;
    for (size_t member = 0; member < EqualSiblings::kRecords; ++member) {
      ++count[given.data.Bucket(given.published.tree(0).vertex(member, p), 0)];
    }
    for (const auto& [level, times] : count) EXPECT_LE(times, EqualSiblings::kRecords / 4) << level;
  }
  EXPECT_NEAR(given.InSourceOrder(), 0.5, 0.25);
}

}  // namespace
}  // namespace thicket::sibling_order_test
