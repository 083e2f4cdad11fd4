// A LiteralTaxonomy, whose nodes are any numbers with parents first, as a Taxonomy of the project, and the nodes of each in the
// numbers of the other.
//
//   const LiteralTaxonomyNodes nodes(sets.taxonomy);
//   nodes.taxonomy().leaves(nodes.NodeOf(5));
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "taxonomy/taxonomy.h"
#include "testing/literal_sets.h"

namespace thicket::testing {

class LiteralTaxonomyNodes {
 public:
  explicit LiteralTaxonomyNodes(const LiteralTaxonomy& literal) {
    TaxonomyBuilder builder(NameOf(0));
    std::vector<TaxonomyBuilder::Handle> handles = {TaxonomyBuilder::root()};
    for (int node = 1; node < static_cast<int>(literal.parents.size()); ++node) {
      const auto parent = static_cast<size_t>(literal.parents[static_cast<size_t>(node)]);
      handles.push_back(builder.Add(handles[parent], NameOf(node)));
    }
    taxonomy_ = std::move(builder).Build();
    literal_of_.resize(taxonomy_.node_count());
    for (int node = 0; node < static_cast<int>(literal.parents.size()); ++node) {
      node_of_.push_back(*taxonomy_.Find(NameOf(node)));
      literal_of_[node_of_.back()] = node;
    }
  }

  const Taxonomy& taxonomy() const { return taxonomy_; }
  Node NodeOf(int literal) const { return node_of_[static_cast<size_t>(literal)]; }
  int LiteralOf(Node node) const { return literal_of_[node]; }
  std::vector<Node> NodesOf(const LiteralNodes& literal) const {
    std::vector<Node> nodes;
    for (const int node : literal) nodes.push_back(NodeOf(node));
    return nodes;
  }

 private:
  static std::string NameOf(int node) { return "n" + std::to_string(node); }

  Taxonomy taxonomy_;
  std::vector<Node> node_of_;
  std::vector<int> literal_of_;
};

}  // namespace thicket::testing
