#include "grouping/unite.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grouping/clustree.h"
#include "testing/random_forest.h"

namespace thicket::unite_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

using Tree = std::tuple<std::vector<ClassId>, std::vector<uint32_t>, std::vector<Label>>;

Tree TreeOf(const PublishedTree& group) {
  return {{group.vertex_class.begin(), group.vertex_class.end()},
          {group.subtree_size.begin(), group.subtree_size.end()},
          {group.label_values.begin(), group.label_values.end()}};
}

// What is wrong with classes as readers see them: `once` values, equal trees, and whether each record is a pruning and a
// generalization of its original.
std::string FindFault(const EncodedDataset& data, const Publication& published) {
  std::set<Tree> trees;
  std::multiset<RecordId> seen(published.suppressed().begin(), published.suppressed().end());
  for (const PublishedTree group : published.trees()) {
    if (!trees.insert(TreeOf(group)).second) return "two classes are equal";
    seen.insert(group.records.begin(), group.records.end());
    std::map<std::tuple<ClassId, size_t, uint32_t>, int> times;
    for (size_t member = 0; member < group.records.size(); ++member) {
      for (size_t p = 0; p < group.size(); ++p) {
        const Vertex v = group.vertex(member, p);
        const ClassId id = group.vertex_class[p];
        if (data.forest().class_of(v) != id) return "classes differ";
        if (data.forest().record_of(v) != group.records[member]) return "of another record";
        for (size_t child = p + 1; child < p + group.subtree_size[p];
             child += group.subtree_size[child]) {
          const Vertex below = group.vertex(member, child);
          bool found = false;
          for (const Vertex original : data.forest().Children(v)) {
            found = found || original == below;
          }
          if (!found) return "not a pruning";
        }
        const auto& domains = data.classes[id].domains;
        for (size_t slot = 0; slot < domains.size(); ++slot) {
          const Label leaf = domains[slot].Leaf(data.value(v, slot));
          if (!domains[slot].Covers(group.labels(p)[slot], leaf)) return "not a generalization";
        }
        for (size_t i = 0; i < data.schema().classes[id].sensitive.size(); ++i) {
          const uint32_t bucket = data.Bucket(v, i);
          if (data.classes[id].once[i][bucket] && ++times[{id, i, bucket}] > 1) return "twice";
        }
      }
    }
  }
  for (RecordId r = 0; r < data.forest().record_count(); ++r) {
    if (seen.count(r) != 1) return "a record is lost or there twice";
  }
  return "";
}

RC_GTEST_PROP(UniteTest, ReadersSeeOnceValuesOnceAndClassesThatDiffer, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  ForestShape shape;
  shape.records = 4 + random.Below(30);
  shape.classes = 1 + random.Below(2);
  shape.secrets = 4;
  const EncodedDataset data = RandomForest(random.Next(), shape);
  ClusTreeOptions options;
  options.class_size = 2;
  options.passes = false;
  Parallel parallel(1);
  Progress progress;
  const auto grouping = ClusTree(data, options, parallel, progress);
  RC_ASSERT(grouping.ok());
  const Publication united = UniteEqualClasses(data, grouping->published);
  RC_TAG(united.tree_count() < grouping->published.tree_count() ? "united" : "as they were");
  RC_ASSERT(FindFault(data, united) == "");
  // Without a value that forbids it, classes are united as they are.
  const bool once = std::any_of(
      data.schema().classes.begin(), data.schema().classes.end(), [](const VertexClass& of) {
        return std::any_of(of.sensitive.begin(), of.sensitive.end(),
                           [](const SensitiveAttribute& one) { return !one.once.empty(); });
      });
  if (once) return;
  RC_ASSERT(united.suppressed() == grouping->published.suppressed());
  std::set<Tree> before;
  for (const PublishedTree group : grouping->published.trees()) {
    before.insert(TreeOf(group));
  }
  RC_ASSERT(before.size() == united.tree_count());
}

}  // namespace
}  // namespace thicket::unite_test
