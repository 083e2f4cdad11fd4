// A closer bound of the similarity of a record and a representative, for trees of four levels and more.
//
// Counts of labels over whole trees (grouping/similarity_bound.h) do not see that what stands below one child can only be
// paired with what stands below its partner: two students with the same courses in other years look alike. Here every
// child of one root is held against every child of the other, by their labels and by counts of labels below them. Each
// child has at most one partner, so no pairing saves more than the best partner of each, added up over one side or the
// other.
//
//   ChildBound bound(model);
//   if (bound.active()) {
//     bound.Load(representative, loaded);
//     Units most = bound.Most(loaded, record);
//   }
//
// With c children on each side, c * c sums over the labels below a child: 2 us where matching takes 18 us. It is not
// active where children have few levels below them, since matching is as cheap there.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "grouping/label_nodes.h"
#include "matching/representative.h"
#include "matching/tree_model.h"

namespace thicket {

class ChildBound {
 public:
  // What is known of a representative. One per thread, or one for all while nobody loads.
  class Loaded {
    friend class ChildBound;
    const Representative* group = nullptr;
    std::vector<uint32_t> positions;  // the root's children
    std::vector<uint32_t>
        counts;  // by child, then node: vertices below the child at or below the node
    std::vector<size_t> touched;  // of counts
    bool too_wide = false;        // nothing is counted
  };

  // Of roots with too many children nothing is known.
  static constexpr Units kUnknown = std::numeric_limits<Units>::max();

  explicit ChildBound(const TreeModel& model);

  bool active() const { return active_; }
  void Load(const Representative& group, Loaded& loaded) const;
  // At least the similarity, for every way of pairing children; kUnknown where both have very many.
  Units Most(const Loaded& loaded, RecordId record) const;

 private:
  // A node at or below which a child of a root has vertices.
  struct Entry {
    uint32_t node;
    uint32_t count;
    uint32_t gain;  // what a pair saves here more than at the parent
  };
  struct Child {
    Vertex vertex;
    uint64_t first_entry;
  };

  void AddChild(Vertex child);
  Units PairMost(const Loaded& loaded, size_t place, size_t child) const;

  const TreeModel* model_;
  bool active_ = false;
  LabelNodes nodes_;
  std::vector<uint64_t> first_child_;  // by record
  std::vector<Child> children_;        // and one more, where the entries end
  std::vector<Entry> entries_;
  std::vector<uint32_t> below_;  // the nodes of all vertices below a child, while it is added
};

}  // namespace thicket
