// Trees of pointers and their labels, for reference implementations in tests.
//
// Lowest common ancestors and LM' (Definitions 3.4 and 3.9 of Ozalp et al. 2016) by listing ancestors and
// counting leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "record/forest.h"
#include "taxonomy/domain.h"

namespace thicket::testing {

struct LiteralNode {
  ClassId id = 0;
  std::vector<Label> labels;
  // Which vertex of each record stands here.
  std::vector<Vertex> members;
  // Set by diversify; the vertex that was merged into this one.
  bool suppressed = false;
  std::optional<Vertex> partner;
  std::vector<std::unique_ptr<LiteralNode>> children;
};
using LiteralTree = std::unique_ptr<LiteralNode>;

inline LiteralTree Clone(const LiteralNode& node) {
  auto copy = std::make_unique<LiteralNode>();
  copy->id = node.id;
  copy->labels = node.labels;
  copy->members = node.members;
  copy->suppressed = node.suppressed;
  for (const LiteralTree& child : node.children) copy->children.push_back(Clone(*child));
  return copy;
}

// Definitions 3.4 and 3.9, by listing ancestors and leaves.
class LiteralDomain {
 public:
  explicit LiteralDomain(const Domain& domain) : domain_(&domain) {}

  Label Mrca(Label a, Label b) const {
    if (!domain_->is_numeric()) {
      const std::vector<Node> above_b = Ancestors(b.low);
      for (const Node node : Ancestors(a.low)) {
        if (std::find(above_b.begin(), above_b.end(), node) != above_b.end()) return {node, node};
      }
      throw std::logic_error("a taxonomy has one root");
    }
    if (a == b) return a;
    const auto missing = static_cast<uint32_t>(domain_->numbers().size());
    if (std::max(a.high, b.high) == missing) return {0, missing};
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
  }

  double Lm(Label label) const {
    if (!domain_->is_numeric()) return TaxonomyLm(label.low);
    const std::vector<double>& numbers = domain_->offsets();
    if (label.low == label.high) return 0;
    if (label.high == numbers.size()) return 1;
    return (numbers[label.high] - numbers[label.low]) / (numbers.back() - numbers.front());
  }
  Units Cost(Label label) const { return std::llround(Lm(label) * 1048576.0); }

 private:
  std::vector<Node> Ancestors(Node node) const {
    std::vector<Node> found = {node};
    while (node != Taxonomy::kRoot) found.push_back(node = domain_->taxonomy().parent(node));
    return found;
  }
  double TaxonomyLm(Node node) const {
    const Taxonomy& taxonomy = domain_->taxonomy();
    double all = 0;
    double below = 0;
    for (Node leaf = taxonomy.first_leaf(); leaf < taxonomy.node_count(); ++leaf) {
      const std::vector<Node> above = Ancestors(leaf);
      ++all;
      if (std::find(above.begin(), above.end(), node) != above.end()) ++below;
    }
    if (below <= 1 && taxonomy.is_leaf(node)) return 0;
    return node == Taxonomy::kRoot ? 1 : (below - 1) / (all - 1);
  }

  const Domain* domain_;
};

}  // namespace thicket::testing
