#include "record/label_chains.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tuple>
#include <vector>

#include "testing/random_forest.h"

namespace thicket::label_chains_test {
namespace {

using testing::RandomForest;

// A node's parent, its vertex and its slot.
using Nodes = std::vector<std::tuple<size_t, Vertex, size_t>>;

// The definition, vertex by vertex from the root down.
void Chain(const EncodedDataset& data, Vertex vertex, size_t above, Nodes& nodes) {
  const ClassId id = data.forest().class_of(vertex);
  for (size_t slot = 0; slot < data.schema().classes[id].quasi.size(); ++slot) {
    if (data.forest().value(vertex, slot) == kMissing) continue;
    nodes.emplace_back(above, vertex, slot);
    above = nodes.size();
  }
  for (const Vertex child : data.forest().Children(vertex)) Chain(data, child, above, nodes);
}

RC_GTEST_PROP(LabelChainsPropertyTest, ChildrenHangBelowTheLastLabelOfTheirParent, ()) {
  const EncodedDataset data =
      RandomForest(*rc::gen::arbitrary<uint64_t>(), {.records = 4, .classes = 6});
  LabelChains<size_t> chains;
  LabelChains<Vertex> vertices;
  for (RecordId record = 0; record < data.forest().record_count(); ++record) {
    const Vertex root = data.forest().root(record);
    Nodes expected;
    Chain(data, root, 0, expected);
    Nodes nodes;
    chains.Walk(data.schema(), data.forest(), record, 0, [&](size_t above, Vertex v, size_t slot) {
      if (data.forest().value(v, slot) == kMissing) return above;
      nodes.emplace_back(above, v, slot);
      return nodes.size();
    });
    RC_ASSERT(nodes == expected);
    // A chain at a time: here a node is a vertex, so the node above is the parent.
    std::vector<Vertex> parent_of(data.forest().record_size(record), root);
    for (Vertex v = root; v < data.forest().root(record + 1); ++v) {
      for (const Vertex child : data.forest().Children(v)) parent_of[child - root] = v;
    }
    size_t seen = 0;
    vertices.WalkVertices(data.forest(), record, root, [&](Vertex above, Vertex v) {
      RC_ASSERT(above == parent_of[v - root]);
      ++seen;
      return v;
    });
    RC_ASSERT(seen == data.forest().record_size(record));
  }
}

}  // namespace
}  // namespace thicket::label_chains_test
