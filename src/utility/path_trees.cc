#include "utility/path_trees.h"

#include "record/published_labels.h"

namespace thicket {

uint32_t PathTree::Child(uint32_t parent, LabelId label) {
  for (uint32_t child = nodes[parent].first_child; child != 0; child = nodes[child].next_sibling) {
    if (nodes[child].label == label) return child;
  }
  const auto added = static_cast<uint32_t>(nodes.size());
  nodes.push_back({label, parent, nodes[parent].depth + 1, 0, nodes[parent].first_child});
  nodes[parent].first_child = added;
  return added;
}

PathTrees PathTrees::OfOriginal(const LabelSpace& space, const EncodedDataset& original) {
  PathTrees trees(original.schema(), original.forest(), original.values());
  for (size_t id = 0; id < original.classes.size(); ++id) {
    trees.label_of_.emplace_back();
    for (size_t quasi = 0; quasi < original.classes[id].domains.size(); ++quasi) {
      auto& labels = trees.label_of_.back().emplace_back();
      for (Value value = 0; value < original.classes[id].domains[quasi].value_count(); ++value) {
        labels.push_back(space.Leaf(static_cast<ClassId>(id), quasi, value));
      }
    }
  }
  return trees;
}

Result<PathTrees> PathTrees::OfPublished(const LabelSpace& space, const EncodedDataset& original,
                                         const Dataset& published) {
  THICKET_TRY(CheckTaxonomies(original));
  THICKET_ASSIGN(const PublishedLabels read,
                 PublishedLabels::Read(original, published, {.missing_is_label = false}));
  PathTrees trees(original.schema(), published.forest, published.forest.values());
  for (size_t id = 0; id < original.classes.size(); ++id) {
    trees.label_of_.emplace_back();
    for (size_t quasi = 0; quasi < original.classes[id].domains.size(); ++quasi) {
      auto& labels = trees.label_of_.back().emplace_back();
      for (const Label label : read.of(static_cast<ClassId>(id), quasi)) {
        labels.push_back(label == PublishedLabels::kNone
                             ? LabelSpace::kNone
                             : space.Id(static_cast<ClassId>(id), quasi, label.low));
      }
    }
  }
  return trees;
}

void PathTrees::Read(RecordId record, PathTree& tree) const {
  tree.nodes.assign(1, {});
  tree.chains.Walk(*schema_, *forest_, record, 0, [&](uint32_t above, Vertex v, size_t quasi) {
    const LabelId label = label_of_[forest_->class_of(v)][quasi][values_.at(v, quasi)];
    return label == LabelSpace::kNone ? above : tree.Child(above, label);
  });
}

}  // namespace thicket
