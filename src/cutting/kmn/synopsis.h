// The projected synopsis tree: all records' trees laid on top of each other, and what it says about the loss of a cut.
//
//   Synopsis synopsis;
//   synopsis.Add(tree, weight);          // for every shape, under the cut and the broken relations
//   synopsis.Cost(items);                // RPD_a
//
// Section III-A of Gkountouna et al. 2013, equations 7 and 8. Supports take the place of the lists of record ids. A
// SynopsisChange is what a specialization makes of a synopsis, found from the shapes that change.
#pragma once

#include <cstdint>
#include <vector>

#include "cutting/kmn/label_tree.h"

namespace thicket {

class Synopsis {
 public:
  struct Node {
    uint32_t parent = 0;
    Item label = 0;
    uint32_t depth = 0;
  };
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNone = ~uint32_t{0};

  Synopsis();
  // Lays a tree on top of the synopsis; `nodes`, if given, gets for each node of the tree its node of the synopsis.
  void Add(const LabelTree& tree, uint32_t weight, std::vector<uint32_t>* nodes = nullptr);

  // Parents first; the root is the first one.
  size_t size() const { return nodes_.size(); }
  const Node& node(uint32_t number) const { return nodes_[number]; }
  uint32_t support(uint32_t number) const { return support_[number]; }
  uint32_t FindChild(uint32_t parent, Item label) const;
  // RPD_a; infinite for a tree without labels.
  double Cost(const ItemHierarchy& items) const;

 private:
  friend class SynopsisChange;
  uint32_t Child(uint32_t parent, Item label);
  void Grow();

  std::vector<Node> nodes_;
  std::vector<uint32_t> support_;
  // By node: the number of the last tree that has the node, from 1 on.
  std::vector<uint32_t> last_tree_;
  uint32_t trees_ = 0;
  // Open addressing over (parent, label); number of the node, 0 for a free place.
  std::vector<uint32_t> table_;
  std::vector<uint32_t> node_of_;
};

// Nodes of the synopsis keep their numbers, new ones follow. For each shape that changes:
//
//   change.NextTree(weight);
//   change.Remove(node);                          // the nodes of the shape before
//   change.Keep(change.Child(parent, label));     // and after, parents first
class SynopsisChange {
 public:
  void Begin(const Synopsis& base);

  void NextTree(uint32_t weight) {
    weight_ = weight;
    ++trees_;
  }
  void Remove(uint32_t node) {
    if (removed_in_[node] == trees_) return;
    removed_in_[node] = trees_;
    support_[node] -= weight_;
  }
  void Keep(uint32_t node) {
    if (kept_in_[node] == trees_) return;
    kept_in_[node] = trees_;
    support_[node] += weight_;
  }
  // The child of a node with the label, new or known.
  uint32_t Child(uint32_t parent, Item label);
  bool IsNew(uint32_t node) const { return node >= base_->size(); }

  double Cost(const ItemHierarchy& items);

 private:
  void Grow();

  const Synopsis* base_ = nullptr;
  std::vector<Synopsis::Node> added_;
  std::vector<uint32_t> support_;
  std::vector<uint32_t> removed_in_;
  std::vector<uint32_t> kept_in_;
  uint32_t trees_ = 0;
  uint32_t weight_ = 0;
  std::vector<uint32_t> table_;
};

}  // namespace thicket
