// The cut enumeration tree and the lower bounds of Liu 2010, Sections 3.2 and 3.3, word for word: for tests.
//
//   const std::vector<LiteralCutNode> tree = LiteralCutTree(table.taxonomies);
//   for (size_t i = 0; i < tree.size(); ++i) {
//     const LiteralFraction bound = LiteralBound(literal, tree[i]);   // for the cuts of tree[i] to tree[tree[i].end - 1]
//   }
//
// LiteralBound is no lower bound for DM with violating-records: Lemma 3.2 and Theorem 3.6 take it that suppressing a record
// never lowers what the others cost. Otherwise it is (src/cutting/table/thesis_examples_test.cc).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "testing/literal_tables.h"

namespace thicket::testing {

struct LiteralCutNode {
  LiteralTableCut cut;
  // Attribute and value, in the order in which they are specialized.
  std::vector<std::pair<size_t, int>> open;
  // The subtree ends before this node of the tree.
  size_t end = 0;
};

inline void AddCutNodes(const std::vector<LiteralTaxonomy>& taxonomies, LiteralCutNode node,
                        std::vector<LiteralCutNode>& tree) {
  const size_t place = tree.size();
  tree.push_back(node);
  for (size_t i = 0; i < node.open.size(); ++i) {
    const auto [attribute, value] = node.open[i];
    LiteralCutNode child{node.cut, {}};
    child.cut[attribute].erase(value);
    for (const int below : taxonomies[attribute].Children(value)) {
      child.cut[attribute].insert(below);
      if (!taxonomies[attribute].IsLeaf(below)) child.open.emplace_back(attribute, below);
    }
    child.open.insert(child.open.end(), node.open.begin() + static_cast<int64_t>(i) + 1,
                      node.open.end());
    AddCutNodes(taxonomies, child, tree);
  }
  tree[place].end = tree.size();
}

// Depth first, the root first: the numbers of Fig. 3.2 (c), less 1.
inline std::vector<LiteralCutNode> LiteralCutTree(const std::vector<LiteralTaxonomy>& taxonomies) {
  LiteralCutNode root;
  for (size_t attribute = 0; attribute < taxonomies.size(); ++attribute) {
    root.cut.push_back({0});
    if (!taxonomies[attribute].IsLeaf(0)) root.open.emplace_back(attribute, 0);
  }
  std::vector<LiteralCutNode> tree;
  AddCutNodes(taxonomies, root, tree);
  return tree;
}

// Cut_spec: all open values specialized to leaves.
inline LiteralTableCut MostSpecificCut(const std::vector<LiteralTaxonomy>& taxonomies,
                                       const LiteralCutNode& node) {
  LiteralTableCut cut = node.cut;
  for (const auto& [attribute, value] : node.open) {
    cut[attribute].erase(value);
    std::vector<int> below = taxonomies[attribute].Children(value);
    while (!below.empty()) {
      const int next = below.back();
      below.pop_back();
      if (taxonomies[attribute].IsLeaf(next)) cut[attribute].insert(next);
      const std::vector<int> children = taxonomies[attribute].Children(next);
      below.insert(below.end(), children.begin(), children.end());
    }
  }
  return cut;
}

// cost_g(records, cut): nothing is suppressed.
inline LiteralFraction GeneralizationCost(const LiteralTables& literal, const LiteralTableCut& cut,
                                          const std::vector<size_t>& records) {
  LiteralFraction cost = 0;
  for (const auto& [labels, members] : literal.Classes(cut)) {
    std::vector<size_t> among;
    for (const size_t record : members) {
      if (std::count(records.begin(), records.end(), record) > 0) among.push_back(record);
    }
    cost = cost + literal.CostOfKept(labels, among);
  }
  return cost;
}

// cost_g(SP_spec, Cut_spec) of Theorem 3.6: the cheapest choice of so many records.
inline LiteralFraction CheapestChoice(const LiteralTables& literal, const LiteralTableCut& cut,
                                      const std::vector<size_t>& records, size_t keep) {
  LiteralFraction least = GeneralizationCost(literal, cut, records);
  for (uint64_t choice = 0; choice < uint64_t{1} << records.size(); ++choice) {
    std::vector<size_t> chosen;
    for (size_t i = 0; i < records.size(); ++i) {
      if ((choice >> i & 1) != 0) chosen.push_back(records[i]);
    }
    if (chosen.size() == keep) {
      least = std::min(least, GeneralizationCost(literal, cut, chosen));
    }
  }
  return least;
}

// Whether some records stay in one class in all cuts of the subtree.
inline bool IsHomogeneous(const LiteralTables& literal, const LiteralCutNode& node,
                          const std::vector<size_t>& records) {
  for (const auto& [labels, members] :
       literal.Classes(MostSpecificCut(literal.table().taxonomies, node))) {
    if (std::includes(members.begin(), members.end(), records.begin(), records.end())) return true;
  }
  return false;
}

// Lemma 3.2 without suppression, Theorem 3.5 for values, Theorem 3.6 for records; one sensitive attribute at most for
// records. Classes that are homogeneous get no bound of their own.
inline LiteralFraction LiteralBound(const LiteralTables& literal, const LiteralCutNode& node) {
  const LiteralTableCut most_specific = MostSpecificCut(literal.table().taxonomies, node);
  LiteralFraction bound = 0;
  for (const auto& [labels, records] : literal.Classes(node.cut)) {
    const LiteralScheme scheme = literal.settings().scheme;
    const bool of_records =
        scheme == LiteralScheme::kAllRecords || scheme == LiteralScheme::kViolatingRecords;
    int64_t suppressed = 0;
    for (size_t attribute = 0; attribute < literal.table().sensitive_attributes(); ++attribute) {
      for (const auto& [value, count] : literal.MinRm(records, attribute, of_records)) {
        suppressed += count;
      }
    }
    if (scheme == LiteralScheme::kNone) {
      bound = bound + GeneralizationCost(literal, most_specific, records);
      continue;
    }
    const size_t keep = records.size() - (of_records ? static_cast<size_t>(suppressed) : 0);
    bound = bound + literal.SuppressionCost() * suppressed +
            CheapestChoice(literal, most_specific, records, keep);
  }
  return bound;
}

}  // namespace thicket::testing
