// A cut through the taxonomies, with what is known of the records under it.
//
// A cut gives every value one label: itself, an ancestor, or none where the attribute is left out (Section III of
// Gkountouna et al. 2013). A Cut also holds the shapes of each label and of each relation, what each shape costs, and
// the rare combinations, so that a specialization is looked at from what changes: the shapes that have the specialized
// label.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cutting/kmn/label_knowledge.h"
#include "cutting/kmn/label_tree.h"
#include "cutting/kmn/rare_combinations.h"
#include "cutting/kmn/shape_set.h"
#include "cutting/kmn/shapes.h"
#include "cutting/kmn/synopsis.h"

namespace thicket {

// Shapes by number, ascending.
using ShapeList = std::vector<uint32_t>;

// The shapes that have a label, as a list and as a bitmap. Of a left-out item: the shapes that have a value of its
// attribute.
struct LabelShapes {
  ShapeList list;
  ShapeSet set;

  // Makes the list, and counts the records, of shapes that were put into the words of the set.
  void List(const Shapes& shapes) {
    list.clear();
    set.records = 0;
    ForEachShape(set.words, [&](uint32_t shape) {
      list.push_back(shape);
      set.records += shapes.weight(shape);
    });
  }
  // Shapes must be added in ascending order; adding the last one again does nothing.
  void Add(uint32_t shape, uint32_t weight) {
    if (!list.empty() && list.back() == shape) return;
    list.push_back(shape);
    set.Add(shape, weight);
  }
};

struct Cut {
  using Pair = std::pair<Item, Item>;

  // The labels of the cut, ascending; left-out items are among them.
  std::vector<Item> labels;
  // By item: the label at or above the item; what stands here for items above the cut means nothing.
  std::vector<Item> label_of;
  // By label: the shapes that have the label.
  std::vector<std::shared_ptr<const LabelShapes>> shapes_of;
  // By two labels, the lower number first: the shapes in which the two are related while nothing is broken. Cuts share
  // these sets.
  std::map<Pair, std::shared_ptr<const ShapeSet>> related;
  // CutCost::kRpd, kLabels: by shape, its RPD while nothing is broken; and the sum over all records.
  std::vector<double> rpd;
  double rpd_sum = 0;
  // CutCost::kSynopsis: the synopsis while nothing is broken; and by node of the shapes, its node of the synopsis: that
  // of the parent where the node's label is left out.
  Synopsis synopsis;
  std::vector<uint32_t> synopsis_node;
  // The combinations with relations that are rare while nothing is broken.
  std::vector<RareCombination> rare;
  // By item: whether it is a label that cannot be specialized, neither here nor in any cut below.
  std::vector<bool> closed;

  // What the cut costs with its broken relations, if it may be published.
  std::optional<double> cost;
  // Whether the cut may be published without breaking any relation.
  bool is_whole = false;
  // By label: how much dearer a cut above this one became with the label's children, the last time that the search
  // looked at them.
  std::map<Item, double> dearer_with;

  // The label whose children are new here. And by other label: the combinations that were rare with the children of
  // that label in the cut above. Where the search specializes such a label here, it counts only combinations with
  // children of both labels.
  Item came_from = 0;
  std::map<Item, std::vector<RareCombination>> rare_before;
};

// A cut with one label replaced by its children. With the default for `specialized`, the first item, no label is
// replaced: that item is left out, and never shown.
struct SpecializedCut {
  const Cut* cut = nullptr;
  Item specialized = 0;
  // By item: its label, as in Cut.
  std::vector<Item> label_of;
  // The children of the specialized label, and the shapes of each child.
  std::vector<std::pair<Item, std::shared_ptr<const LabelShapes>>> children;
};

}  // namespace thicket
