// Records as the trees of single labels that k^(m,n)-anonymity speaks of (section II-A of Gkountouna et al. 2013).
//
// A vertex with several quasi-identifiers is a chain of nodes, one per label, in the policy's order; its children hang below
// the last of them. A missing value is no node, and a vertex without nodes is passed over. Equal siblings are one node, with
// what is below either. The root stands for the person and has no label.
//
//   THICKET_ASSIGN(const LabelSpace space, LabelSpace::Of(original));
//   THICKET_ASSIGN(const PathTrees trees, PathTrees::OfPublished(space, original, published));
//   PathTree tree;
//   trees.Read(record, tree);     // tree.nodes[0] is the root
//
// All hierarchies together are one: below a common "*" stand the roots of the attributes' taxonomies, which differ even where
// their texts are equal. The level of a label is its depth in its own taxonomy, so the roots are level 0; in taxonomies of
// unequal depth leaves stand at several levels. The leaf for missing values is none.
//
// Reading a record takes O(nodes * siblings), with as many siblings as a node has different ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"

namespace thicket {

// The nodes of all taxonomies, numbered through: by class, by quasi-identifier, by node.
class LabelSpace {
 public:
  using LabelId = uint32_t;
  static constexpr LabelId kNone = ~uint32_t{0};

  // Fails with kUsage if a quasi-identifier has no taxonomy but free intervals.
  static Result<LabelSpace> Of(const EncodedDataset& data);

  size_t size() const { return parent_.size(); }
  LabelId Id(ClassId vertex_class, size_t quasi, Node node) const {
    return first_[vertex_class][quasi] + node;
  }
  // kNone for the root of a taxonomy.
  LabelId parent(LabelId label) const { return parent_[label]; }
  uint32_t level(LabelId label) const { return level_[label]; }
  bool is_leaf(LabelId label) const { return is_leaf_[label]; }
  // Whether one of them could stand above the other: they are of different attributes, and of one class or of classes one of
  // which is above the other in the schema.
  bool MayRelate(LabelId a, LabelId b) const {
    return may_relate_[attribute_[a] * attribute_count_ + attribute_[b]];
  }
  // How many labels of all taxonomies are at this level; 0 beyond the deepest.
  uint64_t at_level(uint32_t level) const {
    return level < at_level_.size() ? at_level_[level] : 0;
  }
  size_t level_count() const { return at_level_.size(); }

 private:
  void RelateAttributes(const Schema& schema);

  std::vector<std::vector<uint32_t>> first_;
  std::vector<LabelId> parent_;
  std::vector<uint32_t> level_;
  std::vector<bool> is_leaf_;
  std::vector<uint32_t> attribute_;
  std::vector<uint64_t> at_level_;
  size_t attribute_count_ = 0;
  std::vector<bool> may_relate_;
};

struct PathTree {
  struct Node {
    LabelSpace::LabelId label = LabelSpace::kNone;
    uint32_t parent = 0;
    // Nodes on the path from below the root: 1 for its children.
    uint32_t depth = 0;
    // 0: none.
    uint32_t first_child = 0;
    uint32_t next_sibling = 0;
  };
  // The root, then parents before children.
  std::vector<Node> nodes;

  // While it is read: the vertices around the next one, where each ends and the last node of its chain.
  struct Open {
    Vertex end;
    uint32_t last;
  };
  std::vector<Open> open;

  // The child with the label, added if it is not there.
  uint32_t Child(uint32_t parent, LabelSpace::LabelId label);
};

// The label trees of a data set. Keeps a reference to its forest.
class PathTrees {
 public:
  static PathTrees OfOriginal(const LabelSpace& space, const EncodedDataset& original);
  // `published` is the published data as it is read back. Fails with kData, saying where, if a text is no label.
  static Result<PathTrees> OfPublished(const LabelSpace& space, const EncodedDataset& original,
                                       const Dataset& published);

  size_t record_count() const { return forest_->record_count(); }
  // Replaces the tree.
  void Read(RecordId record, PathTree& tree) const;

 private:
  PathTrees(const Forest& forest, VertexValues values) : forest_(&forest), values_(values) {}

  const Forest* forest_;
  VertexValues values_;
  // By class, quasi-identifier and value (or symbol).
  std::vector<std::vector<std::vector<LabelSpace::LabelId>>> label_of_;
};

}  // namespace thicket
