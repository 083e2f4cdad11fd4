// A record as a tree of single labels (section II-A of Gkountouna et al. 2013): a vertex with several quasi-identifiers is a
// chain of nodes, one per label, in the policy's order, and its children hang below the last of them.
//
// The chains are walked here and nowhere else (verify/ has a walk of its own, to share no code with what it checks). What a node is, is
// the caller's: add(above, vertex, slot) makes the node of one label below `above` and returns it, or returns `above` where the
// vertex shows no label in that slot.
//
//   LabelChains<uint32_t> chains;
//   chains.Walk(schema, forest, record, root, [&](uint32_t above, Vertex v, size_t slot) {
//     return IsMissing(v, slot) ? above : tree.Child(above, LabelOf(v, slot));
//   });
//
// O(vertices and labels of the record). One walk at a time; the memory of a walk is kept for the next.
#pragma once

#include <cstddef>
#include <vector>

#include "record/forest.h"
#include "record/schema.h"

namespace thicket {

template <typename Node>
class LabelChains {
 public:
  template <typename Add>
  void Walk(const Schema& schema, const Forest& forest, RecordId record, Node root,
            const Add& add) {
    WalkVertices(forest, record, root, [&](Node above, Vertex v) {
      const size_t slots = schema.classes[forest.class_of(v)].quasi.size();
      for (size_t slot = 0; slot < slots; ++slot) above = add(above, v, slot);
      return above;
    });
  }

  // A chain at a time: chain(above, vertex) returns its last node, or `above` where it has none.
  template <typename Chain>
  void WalkVertices(const Forest& forest, RecordId record, Node root, const Chain& chain) {
    open_.clear();
    for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
      while (!open_.empty() && open_.back().end <= v) open_.pop_back();
      const Node last = chain(open_.empty() ? root : open_.back().last, v);
      if (!forest.is_leaf(v)) open_.push_back({v + forest.subtree_size(v), last});
    }
  }

 private:
  // The vertices around the next one: where each ends, and the last node of its chain.
  struct Open {
    Vertex end;
    Node last;
  };
  std::vector<Open> open_;
};

}  // namespace thicket
