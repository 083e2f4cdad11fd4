#include "utility/path_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/stop.h"

namespace thicket {

namespace {

using LabelId = LabelSpace::LabelId;

// Of a text that is no label. Beside kNone, which is no node.
constexpr LabelId kUnknown = LabelSpace::kNone - 1;

bool IsAtOrAbove(const Schema& schema, ClassId above, ClassId below) {
  while (below != above && below != 0) below = schema.classes[below].parent;
  return below == above;
}

}  // namespace

Result<LabelSpace> LabelSpace::Of(const EncodedDataset& data) {
  LabelSpace space;
  for (size_t id = 0; id < data.classes.size(); ++id) {
    space.first_.emplace_back();
    for (size_t quasi = 0; quasi < data.classes[id].domains.size(); ++quasi) {
      const Domain& domain = data.classes[id].domains[quasi];
      if (domain.is_numeric()) {
        const VertexClass& vertex_class = data.schema().classes[id];
        return Error{
            ErrorCode::kUsage,
            fmt::format("{} of {}: must have a hierarchy to be measured by levels, but has "
                        "free intervals",
                        vertex_class.quasi[quasi].name, vertex_class.name),
            "replace numeric: true by ranges, for example ranges: [5, 10, 20]", ""};
      }
      const Taxonomy& taxonomy = domain.taxonomy();
      const auto first = static_cast<uint32_t>(space.size());
      space.first_.back().push_back(first);
      for (Node node = 0; node < taxonomy.node_count(); ++node) {
        const uint32_t level = taxonomy.depth(node);
        space.parent_.push_back(node == Taxonomy::kRoot ? kNone : first + taxonomy.parent(node));
        space.level_.push_back(level);
        space.is_leaf_.push_back(taxonomy.is_leaf(node));
        space.attribute_.push_back(static_cast<uint32_t>(space.attribute_count_));
        const bool missing =
            taxonomy.is_leaf(node) && domain.IsMissing(domain.LeafValue({node, node}));
        if (missing) continue;
        space.at_level_.resize(std::max<size_t>(space.at_level_.size(), level + 1), 0);
        ++space.at_level_[level];
      }
      ++space.attribute_count_;
    }
  }
  space.RelateAttributes(data.schema());
  return space;
}

void LabelSpace::RelateAttributes(const Schema& schema) {
  std::vector<ClassId> class_of;
  for (size_t id = 0; id < first_.size(); ++id) {
    class_of.resize(class_of.size() + first_[id].size(), static_cast<ClassId>(id));
  }
  for (size_t a = 0; a < attribute_count_; ++a) {
    for (size_t b = 0; b < attribute_count_; ++b) {
      may_relate_.push_back(a != b && (IsAtOrAbove(schema, class_of[a], class_of[b]) ||
                                       IsAtOrAbove(schema, class_of[b], class_of[a])));
    }
  }
}

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
  PathTrees trees(original.forest(), original.values());
  for (size_t id = 0; id < original.classes.size(); ++id) {
    trees.label_of_.emplace_back();
    for (size_t quasi = 0; quasi < original.classes[id].domains.size(); ++quasi) {
      const Domain& domain = original.classes[id].domains[quasi];
      auto& labels = trees.label_of_.back().emplace_back(domain.value_count(), LabelSpace::kNone);
      for (Value value = 0; value < labels.size(); ++value) {
        if (domain.IsMissing(value)) continue;
        labels[value] = space.Id(static_cast<ClassId>(id), quasi, domain.Leaf(value).low);
      }
    }
  }
  return trees;
}

Result<PathTrees> PathTrees::OfPublished(const LabelSpace& space, const EncodedDataset& original,
                                         const Dataset& published) {
  PathTrees trees(published.forest, published.forest.values());
  for (size_t id = 0; id < original.classes.size(); ++id) {
    trees.label_of_.emplace_back();
    for (size_t quasi = 0; quasi < original.classes[id].domains.size(); ++quasi) {
      const Taxonomy& taxonomy = original.classes[id].domains[quasi].taxonomy();
      const Dictionary& dictionary = published.dictionaries[id][quasi];
      auto& labels = trees.label_of_.back().emplace_back(dictionary.size(), kUnknown);
      labels[kMissing] = LabelSpace::kNone;
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        const auto node = taxonomy.Find(dictionary.text(symbol));
        if (node) labels[symbol] = space.Id(static_cast<ClassId>(id), quasi, *node);
      }
    }
  }
  for (Vertex v = 0; v < published.forest.vertex_count(); ++v) {
    StopPoint();
    const ClassId id = published.forest.class_of(v);
    for (size_t quasi = 0; quasi < trees.label_of_[id].size(); ++quasi) {
      const Symbol symbol = published.forest.value(v, quasi);
      if (trees.label_of_[id][quasi][symbol] != kUnknown) continue;
      return Error{ErrorCode::kData,
                   fmt::format("{}: a published value must be an original one or a generalization "
                               "of it, but this one is neither",
                               published.Where(v, quasi)),
                   "measure it against the data and the policy that it was made from",
                   std::string(published.dictionaries[id][quasi].text(symbol))};
    }
  }
  return trees;
}

void PathTrees::Read(RecordId record, PathTree& tree) const {
  auto& open = tree.open;
  open.clear();
  tree.nodes.assign(1, {});
  const Vertex end = forest_->root(record) + static_cast<Vertex>(forest_->record_size(record));
  for (Vertex v = forest_->root(record); v < end; ++v) {
    while (!open.empty() && open.back().end <= v) open.pop_back();
    uint32_t last = open.empty() ? 0 : open.back().last;
    const auto& labels = label_of_[forest_->class_of(v)];
    for (size_t quasi = 0; quasi < labels.size(); ++quasi) {
      const LabelId label = labels[quasi][values_.at(v, quasi)];
      if (label != LabelSpace::kNone) last = tree.Child(last, label);
    }
    if (!forest_->is_leaf(v)) open.push_back({v + forest_->subtree_size(v), last});
  }
}

}  // namespace thicket
