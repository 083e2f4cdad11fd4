// Records as the trees of single labels that k^(m,n)-anonymity speaks of (section II-A of Gkountouna et al. 2013).
//
// A vertex with several quasi-identifiers is a chain of nodes, one per label, in the policy's order; its children hang below
// the last of them. A missing value is no node, and a vertex without nodes is passed over. Equal siblings are one node, with
// what is below either. The root stands for the person and has no label.
//
//   const LabelSpace space(original);
//   THICKET_ASSIGN(const PathTrees trees, PathTrees::OfPublished(space, original, published));
//   PathTree tree;
//   trees.Read(record, tree);     // tree.nodes[0] is the root
//
// Reading a record takes O(nodes * siblings), with as many siblings as a node has different ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "record/label_chains.h"
#include "record/label_space.h"

namespace thicket {

struct PathTree {
  struct Node {
    LabelId label = LabelSpace::kNone;
    uint32_t parent = 0;
    // Nodes on the path from below the root: 1 for its children.
    uint32_t depth = 0;
    // 0: none.
    uint32_t first_child = 0;
    uint32_t next_sibling = 0;
  };
  // The root, then parents before children.
  std::vector<Node> nodes;

  // Of the walk that reads it.
  LabelChains<uint32_t> chains;

  // The child with the label, added if it is not there.
  uint32_t Child(uint32_t parent, LabelId label);
};

// The label trees of a data set. Keeps a reference to its forest.
class PathTrees {
 public:
  static PathTrees OfOriginal(const LabelSpace& space, const EncodedDataset& original);
  // `published` is the published data as it is read back. Fails with kData, saying where, if a text is no label; with kUsage if
  // a quasi-identifier has no taxonomy but free intervals.
  static Result<PathTrees> OfPublished(const LabelSpace& space, const EncodedDataset& original,
                                       const Dataset& published);

  size_t record_count() const { return forest_->record_count(); }
  // Replaces the tree.
  void Read(RecordId record, PathTree& tree) const;

 private:
  PathTrees(const Schema& schema, const Forest& forest, VertexValues values)
      : schema_(&schema), forest_(&forest), values_(values) {}

  const Schema* schema_;
  const Forest* forest_;
  VertexValues values_;
  // By class, quasi-identifier and value (or symbol).
  std::vector<std::vector<std::vector<LabelId>>> label_of_;
};

}  // namespace thicket
