#include "matching/anywhere.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "testing/forest_text.h"
#include "testing/random_forest.h"

namespace thicket::anywhere_test {
namespace {

using testing::ForestShape;
using testing::ParseForest;
using testing::ParseSchema;
using testing::RandomForest;

// A class of records, as a test makes it up: each position a vertex of each member, of one class.
struct MadeUp {
  std::vector<Vertex> vertices;
  std::vector<uint32_t> subtree_size;
  std::vector<Units> worth;
  std::vector<size_t> parent;  // by position
  size_t members = 0;
  AnywherePruner::Tree tree() const { return {members, vertices, subtree_size, worth}; }
};

// The definition: for every class of vertices, attribute and bucket the records that have it at a kept position.
bool Holds(const EncodedDataset& data, const MadeUp& made, const std::vector<bool>& kept,
           const DiversityRule& rule) {
  std::map<std::tuple<ClassId, size_t, uint32_t>, std::set<size_t>> holders;
  for (size_t p = 0; p < made.parent.size(); ++p) {
    for (size_t member = 0; kept[p] && member < made.members; ++member) {
      const Vertex v = made.vertices[p * made.members + member];
      const ClassId id = data.forest().class_of(v);
      for (size_t i = 0; i < data.schema().classes[id].sensitive.size(); ++i) {
        const size_t slot = data.schema().classes[id].sensitive_slot(i);
        if (!data.schema().classes[id].sensitive[i].anywhere) continue;
        if (data.forest().value(v, slot) == kMissing) continue;
        holders[{id, i, data.Bucket(v, i)}].insert(member);
      }
    }
  }
  return std::all_of(holders.begin(), holders.end(), [&](const auto& entry) {
    return entry.second.size() * static_cast<size_t>(rule.l) <= made.members;
  });
}

// The same random tree in as many records, or as much of it as they all have.
void Append(const EncodedDataset& data, const std::vector<Vertex>& at, size_t parent,
            Random& random, MadeUp& made) {
  const size_t position = made.parent.size();
  made.parent.push_back(parent);
  made.subtree_size.push_back(1);
  made.worth.push_back(static_cast<Units>(1 + random.Below(9)));
  made.vertices.insert(made.vertices.end(), at.begin(), at.end());
  std::vector<std::vector<Vertex>> children(at.size());
  for (size_t member = 0; member < at.size(); ++member) {
    for (const Vertex child : data.forest().Children(at[member])) children[member].push_back(child);
  }
  for (size_t i = 0; i < children[0].size(); ++i) {
    std::vector<Vertex> below;
    for (const std::vector<Vertex>& of : children) {
      if (i < of.size() &&
          data.forest().class_of(of[i]) == data.forest().class_of(children[0][i])) {
        below.push_back(of[i]);
      }
    }
    if (below.size() == at.size()) Append(data, below, position, random, made);
  }
  made.subtree_size[position] = static_cast<uint32_t>(made.parent.size() - position);
}

RC_GTEST_PROP(AnywherePrunerTest, LeavesWhatKeepsThePromiseAndNothingOutThatCouldStay,
              (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  ForestShape shape;
  shape.records = 2 + random.Below(5);
  shape.anywhere = true;
  shape.secrets = 3 + random.Below(6);
  const EncodedDataset data = RandomForest(random.Next(), shape);
  MadeUp made;
  made.members = shape.records;
  std::vector<Vertex> roots;
  for (RecordId r = 0; r < shape.records; ++r) roots.push_back(data.forest().root(r));
  Append(data, roots, 0, random, made);
  DiversityRule rule;
  rule.l = 2;

  const AnywhereValues values(data);
  AnywherePruner pruner;
  const std::vector<bool> all(made.parent.size(), true);
  // What stands at the root is a matter of l alone.
  std::vector<bool> root_only(made.parent.size(), false);
  root_only[0] = true;
  if (!Holds(data, made, root_only, rule)) RC_DISCARD("roots that may not stand together");
  const bool whole = pruner.Prune(values, rule, static_cast<int>(made.members), made.tree());
  RC_TAG(whole ? "whole" : "pruned");
  RC_ASSERT(whole == Holds(data, made, all, rule));
  if (whole) return;
  std::vector<bool> kept = pruner.kept();
  RC_ASSERT(kept[0]);
  RC_ASSERT(Holds(data, made, kept, rule));
  for (size_t p = 1; p < kept.size(); ++p) {
    RC_ASSERT(!kept[p] || kept[made.parent[p]]);
    if (kept[p] || !kept[made.parent[p]]) continue;
    kept[p] = true;
    RC_ASSERT(!Holds(data, made, kept, rule));
    kept[p] = false;
  }
}

TEST(AnywherePrunerTest, SuppressesTheVertexThatHelpsMostForWhatItIsWorth) {
  const auto schema = ParseSchema("r(){c(|s)}");
  schema->classes[1].sensitive[0].anywhere = true;
  Result<EncodedDataset> data =
      Encode(ParseForest(schema, "r(){c(|H) c(|F) c(|G)} r(){c(|F) c(|H) c(|M)}"), {});
  ASSERT_TRUE(data.ok());
  const std::vector<Vertex> vertices = {0, 4, 1, 5, 2, 6, 3, 7};
  const std::vector<uint32_t> sizes = {4, 1, 1, 1};
  DiversityRule rule;
  rule.l = 2;
  AnywherePruner pruner;
  const AnywhereValues values(*data);
  std::vector<Units> worth = {1, 5, 4, 1};
  // H and F stand in both records; either of the two vertices takes one H and one F away.
  EXPECT_FALSE(pruner.Prune(values, rule, 2, {2, vertices, sizes, worth}));
  EXPECT_EQ(pruner.kept(), (std::vector<bool>{true, true, false, true}));
  worth = {1, 4, 5, 1};
  EXPECT_FALSE(pruner.Prune(values, rule, 2, {2, vertices, sizes, worth}));
  EXPECT_EQ(pruner.kept(), (std::vector<bool>{true, false, true, true}));
  // In a class that is to have four records there is room.
  EXPECT_TRUE(pruner.Prune(values, rule, 4, {2, vertices, sizes, worth}));
}

}  // namespace
}  // namespace thicket::anywhere_test
