// A cut through the taxonomies, with what is known of the records under it.
//
// A cut gives every value one label: itself, an ancestor, or none where the attribute is left out (Section III of Gkountouna
// et al. 2013). A Cut also holds the graphs of all shapes under it, the shapes of each label, and its rare combinations, so
// that a specialization is looked at from what changes: the shapes that have the specialized label.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "cutting/combination_table.h"
#include "cutting/label_graphs.h"
#include "cutting/label_tree.h"
#include "cutting/rare_combinations.h"
#include "cutting/shapes.h"
#include "cutting/synopsis.h"

namespace thicket {

// Ascending.
using ShapeList = std::vector<uint32_t>;

struct Cut {
  // Ascending; left-out items are among them.
  std::vector<Item> labels;
  // By item: the label at or above it; items above the cut have none.
  std::vector<Item> label_of;
  // By label: the shapes that have it. Of a left-out one: the shapes that would have it.
  std::vector<std::shared_ptr<const ShapeList>> shapes_of;
  // By shape, with nothing broken.
  LabelGraphs graphs;
  // CutCost::kRpd: by shape, with nothing broken.
  std::vector<double> rpd;
  // CutCost::kSynopsis: with nothing broken; and by node of the shapes, the node of the synopsis, that of its parent where
  // it is left out.
  Synopsis synopsis;
  std::vector<uint32_t> synopsis_node;
  // By label: its slot in the table; the table is empty where it does not pay, or m is above 3.
  std::vector<uint32_t> slot_of;
  CombinationTable table;
  // What is rare with nothing broken, each with at least one relation.
  std::vector<RareCombination> rare;
  // By item: labels that cannot be specialized, here or in any cut below.
  std::vector<bool> closed;

  // The label whose children are new here, and what was rare with the children of other labels in the cut that this one
  // came from: what is looked at again are combinations with both.
  Item came_from = 0;
  std::map<Item, std::vector<RareCombination>> rare_before;
};

// A cut with one label replaced by its children.
struct SpecializedCut {
  const Cut* cut = nullptr;
  Item specialized = 0;
  // By item, as in Cut.
  std::vector<Item> label_of;
  // The children, and the shapes of each.
  std::vector<std::pair<Item, ShapeList>> children;
  // By place in the list of the specialized label's shapes.
  LabelGraphs graphs;

  const ShapeList& ShapesOf(Item label) const {
    for (const auto& [child, shapes] : children) {
      if (child == label) return shapes;
    }
    return *cut->shapes_of[label];
  }
};

// Adds the labels and relations of trees to graphs.
class TreeGrapher {
 public:
  explicit TreeGrapher(size_t items) : place_(items, 0), seen_(items, 0) {}
  void Add(const LabelTree& tree, uint32_t weight, LabelGraphs& graphs);

 private:
  // Rows of one word.
  void RelateFew(const LabelTree& tree, LabelGraphs& graphs);

  std::vector<uint64_t> above_;
  std::vector<uint32_t> place_;
  std::vector<uint32_t> seen_;
  uint32_t trees_ = 0;
  std::vector<GraphLabel> labels_;
};

}  // namespace thicket
