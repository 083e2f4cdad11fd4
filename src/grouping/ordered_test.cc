// Classes that are ordered: what stands together is the i-th with the i-th, and nothing of it is a matter of chance or bounds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "grouping/clustree.h"
#include "grouping/refine.h"
#include "grouping/sibling_order.h"
#include "grouping/unite.h"
#include "testing/published_check.h"
#include "testing/random_forest.h"

namespace thicket::ordered_test {
namespace {

using testing::FindFault;
using testing::FindFaultOfMixed;
using testing::ForestShape;
using testing::RandomForest;

// Random data in which about half of the classes below the root are ordered.
EncodedDataset OrderedForest(Random& random) {
  ForestShape shape;
  shape.records = 4 + random.Below(20);
  shape.children = 1 + random.Below(4);
  shape.secrets = 2 + random.Below(6);
  shape.plenty = random.Below(3) == 0;
  shape.once = false;
  EncodedDataset data = RandomForest(random.Next(), shape);
  auto schema = std::make_shared<Schema>(*data.data.schema);
  for (size_t id = 1; id < schema->classes.size(); ++id) {
    schema->classes[id].ordered = random.Below(2) == 0;
  }
  data.data.schema = std::move(schema);
  return data;
}

// The vertex's children of a class, as they stood in the source.
std::vector<Vertex> ChildrenOf(const Forest& forest, Vertex vertex, ClassId id) {
  std::vector<Vertex> found;
  for (const Vertex child : forest.Children(vertex)) {
    if (forest.class_of(child) == id) found.push_back(child);
  }
  return found;
}

// Where a published sequence is not the beginning of a member's own; empty if nowhere.
std::string FindDisorder(const EncodedDataset& data, const Publication& published) {
  for (const PublishedTree tree : published.trees()) {
    for (size_t parent = 0; parent < tree.size(); ++parent) {
      for (size_t number = 0; number < data.schema().classes.size(); ++number) {
        const auto id = static_cast<ClassId>(number);
        if (!data.schema().classes[id].ordered) continue;
        std::vector<size_t> shown;
        const size_t end = parent + tree.subtree_size[parent];
        for (size_t p = parent + 1; p < end; p += tree.subtree_size[p]) {
          if (tree.vertex_class[p] == id) shown.push_back(p);
        }
        for (size_t member = 0; member < tree.records.size(); ++member) {
          const std::vector<Vertex> own =
              ChildrenOf(data.forest(), tree.vertex(member, parent), id);
          if (shown.size() > own.size()) return "more than there are";
          for (size_t i = 0; i < shown.size(); ++i) {
            if (tree.vertex(member, shown[i]) != own[i]) return "not the i-th";
          }
        }
      }
    }
  }
  return "";
}

struct Case {
  EncodedDataset data;
  ClusTreeOptions options;

  explicit Case(uint64_t seed) {
    Random random = Random::Seeded(seed);
    data = OrderedForest(random);
    options.class_size = static_cast<int>(2 + random.Below(3));
    options.rule.l = static_cast<int>(random.Below(static_cast<uint64_t>(options.class_size) + 1));
    options.merge.mapping = static_cast<Mapping>(random.Below(3));
    options.leftovers = static_cast<Leftovers>(random.Below(2));
  }

  Grouping Group(bool exhaustive) const {
    ClusTreeOptions how = options;
    how.exhaustive = exhaustive;
    Parallel parallel(1);
    Progress progress;
    Result<Grouping> grouping = ClusTree(data, how, parallel, progress);
    RC_ASSERT(grouping.ok());
    return std::move(*grouping);
  }
};

RC_GTEST_PROP(OrderedTest, ASequenceIsTheBeginningOfEveryMembersOwn, (uint64_t seed)) {
  const Case given(seed);
  Publication published = UniteEqualClasses(given.data, given.Group(false).published);
  RC_ASSERT(FindFault(given.data, published, given.options.class_size, given.options.rule.l) == "");
  Random random = Random::Seeded(seed);
  for (size_t tree = 0; tree < published.tree_count(); ++tree) {
    MixEqualSiblings(given.data, given.options.rule, random, published, tree);
  }
  RC_ASSERT(FindDisorder(given.data, published) == "");
  RC_ASSERT(FindFaultOfMixed(given.data, published, given.options.class_size,
                             given.options.rule.l) == "");
}

RC_GTEST_PROP(OrderedTest, BoundsChangeNothing, (uint64_t seed)) {
  const Case given(seed);
  RC_ASSERT(given.Group(false).published == given.Group(true).published);
}

RC_GTEST_PROP(OrderedTest, RefiningKeepsTheOrder, (uint64_t seed)) {
  const Case given(seed);
  Parallel parallel(1);
  Progress progress;
  RefineOptions options;
  options.class_size = given.options.class_size;
  options.rule = given.options.rule;
  const Result<Grouping> refined =
      Refine(given.data, given.Group(false), options, parallel, progress);
  RC_ASSERT(refined.ok());
  RC_ASSERT(FindDisorder(given.data, refined->published) == "");
}

}  // namespace
}  // namespace thicket::ordered_test
