// The inverse itemset enumeration tree of Liu 2010, Section 4.3, word for word, with each pruning by itself: for tests.
//
//   LiteralItemsetTree tree(literal, {.global = true, .locked = true});
//   tree.visited();                                 // itemsets in the order of a depth-first search
//   tree.Allows(cut);                               // the same as literal.IsValid(cut), whatever the prunings
//
// Where the thesis leaves a choice:
//   - A node is visited when its itemset is within the adversary's power and some record supports it. Nodes that a sibling has
//     pruned (I, II) or that are below a locked item (IV) are not visited, those that prune themselves (I, III) are.
//   - Decorated items: x+ before x- (Section 4.3.4). x+ may stand above y- (literal_sets.h).
//   - So Theorem 4.1 holds for n = 0 only, and Pruning I leaves some threats that are not most general for n > 0. They change
//     no answer.
//   - Pruning III is not applied to children of the null root: Theorem 4.2 would have the empty itemset be the threat instead
//     ({Entity}, where every record has an item, and too many of all records a sensitive one), and it is none.
//   - Without Pruning II a threat's children are visited.
//   - Pruning IV takes the threats with a node below a locked item out of the list at the end, too (Example 4.13).
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "testing/literal_sets.h"

namespace thicket::testing {

struct LiteralPrunings {
  bool global = false;   // I
  bool local = false;    // II
  bool generic = false;  // III
  bool locked = false;   // IV
};

class LiteralItemsetTree {
 public:
  using Records = LiteralSets::Records;

  LiteralItemsetTree(const LiteralSets& literal, LiteralPrunings prunings)
      : literal_(literal), taxonomy_(literal.sets().taxonomy), prunings_(prunings) {
    Records all = 0;
    for (size_t record = 0; record < literal.sets().size(); ++record) all |= Records{1} << record;
    for (const int node : Preorder(taxonomy_)) {
      Records having = 0;
      for (size_t record = 0; record < literal.sets().size(); ++record) {
        if (HasNode(taxonomy_, literal.sets().items[record], node)) having |= Records{1} << record;
      }
      items_.push_back({node, true, having});
      items_.push_back({node, false, all & ~having});
    }
    Grow({}, items_.size(), all);
    std::erase_if(threats_, [&](const LiteralNodes& threat) { return IsBelowLocked(threat); });
  }

  // In order.
  const std::vector<LiteralItemset>& visited() const { return visited_; }
  // Undecorated, as materialized; how many were, whether or not two are alike once undecorated.
  const std::set<LiteralNodes>& threats() const { return threats_; }
  size_t materialized() const { return materialized_; }
  // Pruning IV.
  const LiteralNodes& locked() const { return locked_; }

  bool Allows(const LiteralNodes& cut) const {
    if (IsBelowLocked(cut)) return false;
    for (const LiteralNodes& threat : threats_) {
      if (IsGeneralization(taxonomy_, threat, cut)) return false;
    }
    return true;
  }

  // Section 4.4.1.2: from the root down, as long as no constituent item of a threat comes in.
  LiteralNodes InitialCut() const {
    LiteralNodes constituents;
    for (const LiteralNodes& threat : threats_) constituents.insert(threat.begin(), threat.end());
    LiteralNodes cut;
    std::vector<int> open = {0};
    while (!open.empty()) {
      const int node = open.back();
      open.pop_back();
      const std::vector<int> children = taxonomy_.Children(node);
      bool stays = children.empty() || locked_.contains(node);
      for (const int child : children) stays |= constituents.contains(child);
      if (stays) {
        cut.insert(node);
      } else {
        open.insert(open.end(), children.begin(), children.end());
      }
    }
    return cut;
  }

 private:
  struct Item {
    int node;
    bool is_there;
    Records having;
  };

  bool IsBelow(int node, const LiteralNodes& nodes) const {
    const LiteralNodes above = AtOrAbove(taxonomy_, nodes, node);
    return above.size() > (nodes.contains(node) ? 1U : 0U);
  }
  bool IsBelowLocked(const LiteralNodes& nodes) const {
    for (const int node : nodes) {
      if (IsBelow(node, locked_)) return true;
    }
    return false;
  }
  // A child's item stands before all items of the parent, so it is never below one.
  bool IsItemset(const LiteralItemset& parent, const Item& item) const {
    for (const int other : item.is_there ? parent.there : parent.absent) {
      if (IsAtOrAbove(taxonomy_, item.node, other)) return false;
    }
    return true;
  }
  bool IsInPower(const LiteralItemset& itemset) const {
    const auto [m, n] = PowerOf(taxonomy_, KnowledgeOf(itemset));
    return m <= literal_.privacy().m && n <= literal_.privacy().n;
  }
  bool IsSpecialization(const LiteralNodes& undecorated) const {
    for (const LiteralNodes& threat : threats_) {
      if (IsGeneralization(taxonomy_, threat, undecorated)) return true;
    }
    return false;
  }

  void Grow(const LiteralItemset& parent, size_t before, Records records) {
    LiteralNodes pruning_siblings;
    for (size_t place = 0; place < before; ++place) {
      const Item& item = items_[place];
      if (IsBelow(item.node, pruning_siblings) || IsBelow(item.node, locked_)) continue;
      if (!IsItemset(parent, item) || (records & item.having) == 0) continue;
      LiteralItemset child = parent;
      (item.is_there ? child.there : child.absent).insert(item.node);
      if (!IsInPower(child)) continue;
      visited_.push_back(child);
      if (Visit(child, records & item.having, records, parent == LiteralItemset{}, pruning_siblings,
                item.node)) {
        Grow(child, place, records & item.having);
      }
    }
  }

  // Whether the children are to be visited.
  bool Visit(const LiteralItemset& child, Records records, Records of_parent, bool is_below_root,
             LiteralNodes& pruning_siblings, int node) {
    const LiteralNodes undecorated = Undecorated(taxonomy_, child);
    if (prunings_.global && IsSpecialization(undecorated)) {
      pruning_siblings.insert(node);
      return false;
    }
    if (prunings_.generic && records == of_parent && !is_below_root) return false;
    if (!literal_.IsThreat(records)) return true;
    threats_.insert(undecorated);
    ++materialized_;
    const int parent = CommonParent(taxonomy_, undecorated);
    if (prunings_.locked && parent != -1) locked_.insert(parent);
    if (prunings_.local) pruning_siblings.insert(node);
    return !prunings_.local;
  }

  const LiteralSets& literal_;
  const LiteralTaxonomy& taxonomy_;
  LiteralPrunings prunings_;
  // In the imposed ordering.
  std::vector<Item> items_;
  std::vector<LiteralItemset> visited_;
  std::set<LiteralNodes> threats_;
  size_t materialized_ = 0;
  LiteralNodes locked_;
};

}  // namespace thicket::testing
