// A cut through the taxonomies, with what is known of the records under it.
//
// A cut gives every value one label: itself, an ancestor, or none where the attribute is left out (Section III of Gkountouna
// et al. 2013). A Cut also holds the shapes of each label and of each relation, what each shape costs, and the rare
// combinations, so that a specialization is looked at from what changes: the shapes that have the specialized label.
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

// Ascending.
using ShapeList = std::vector<uint32_t>;

// The shapes that have a label, in both ways. Of a left-out one: the shapes that would have it.
struct LabelShapes {
  ShapeList list;
  ShapeSet set;

  // In ascending order; again does nothing.
  void Add(uint32_t shape, uint32_t weight) {
    if (!list.empty() && list.back() == shape) return;
    list.push_back(shape);
    set.Add(shape, weight);
  }
};

struct Cut {
  using Pair = std::pair<Item, Item>;

  // Ascending; left-out items are among them.
  std::vector<Item> labels;
  // By item: the label at or above it; items above the cut have none.
  std::vector<Item> label_of;
  // By label.
  std::vector<std::shared_ptr<const LabelShapes>> shapes_of;
  // By two labels, the lower number first: the shapes in which they are related, with nothing broken. Cuts share them.
  std::map<Pair, std::shared_ptr<const ShapeSet>> related;
  // CutCost::kRpd, kLabels: by shape, with nothing broken; and the sum over all records.
  std::vector<double> rpd;
  double rpd_sum = 0;
  // CutCost::kSynopsis: with nothing broken; and by node of the shapes, the node of the synopsis, that of its parent where
  // it is left out.
  Synopsis synopsis;
  std::vector<uint32_t> synopsis_node;
  // What is rare with nothing broken, each with at least one relation.
  std::vector<RareCombination> rare;
  // By item: labels that cannot be specialized, here or in any cut below.
  std::vector<bool> closed;

  // With what is broken, if it may be published. And by label, how much dearer a cut above this one became with the children
  // of that label, the last time that they were looked at.
  std::optional<double> cost;
  // Whether it may be published, and nothing has to be broken for it.
  bool is_whole = false;
  std::map<Item, double> dearer_with;

  // The label whose children are new here, and what was rare with the children of other labels in the cut that this one
  // came from: what is looked at again are combinations with both.
  Item came_from = 0;
  std::map<Item, std::vector<RareCombination>> rare_before;
};

// A cut with one label replaced by its children; as it is, by default: the first item is never a label that is shown.
struct SpecializedCut {
  const Cut* cut = nullptr;
  Item specialized = 0;
  // By item, as in Cut.
  std::vector<Item> label_of;
  // The children, and the shapes of each.
  std::vector<std::pair<Item, LabelShapes>> children;
};

}  // namespace thicket
