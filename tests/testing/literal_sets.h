// KL(m,n)-privacy of sets, Chapter 4 of Liu 2010 word for word: the reference for tests.
//
// Plain numbers instead of the project's types, every cut and every itemset tried, fractions exact. Nothing of cutting/ is
// used. For up to 64 records and taxonomies of about a dozen leaves.
//
//   LiteralSets literal(sets, LiteralPrivacy::Kl(2, 2, 2, 1));   // k, l, m, n
//   literal.Threats(cut);        // what the adversary can know of a published cut and must not
//   literal.Best()->cut;         // the valid cut of least NCP, or none
//
// The rivals are in literal_set_rivals.h, frequent patterns in literal_set_patterns.h, the inverse itemset enumeration tree
// in literal_itemset_tree.h.
//
// Where the thesis leaves a choice:
//   - k: "more than k" of Definition 4.4 (a) is read as its formula, sup(X) = 0 or sup(X) >= k. (b) holds of sup(X) = 0.
//   - 1/l is any fraction: Section 4.5.1.3 has 30 %. A record has a sensitive item once or not at all.
//   - An itemset has nodes at or above the cut: x+ is there when the published record has a node at or below x, x- when it
//     has none. The empty itemset is none, whatever the size of the database (so an empty database is always valid).
//   - No positive item stands above another, no negative item above another ("no ancestor-descendant relationship among
//     items in an itemset", proof of Theorem 4.1): leaving the others out changes no answer, only how many threats are
//     counted. A negative item at or above a positive one contradicts it, and no record supports that. A positive item above
//     a negative one ("some liquor, but no wine") is an itemset, against that proof.
//   - power: a positive item is 1 of m, a negative one as many of n as it has leaves in the whole taxonomy (also in the rounds
//     of mOG, where a group of an earlier round is not one leaf).
//   - Undecorated (Definition 4.6) leaves out the nodes that stand above others of the itemset, too: {Liquor+, Wine-} becomes
//     {Wine}. The same cuts contain both, and without it each of {Liquor, Wine} and {Wine} would generalize the other, and
//     neither be a most general one.
//   - NCP and LM are means over the non-sensitive occurrences of the original records: a record with Milk and Yogurt has two
//     occurrences, also where both become one Dairy. 0 of no occurrences.
//   - A taxonomy of one leaf has one cut: the leaf is the root.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "testing/literal_tables.h"

namespace thicket::testing {

// Nodes of the taxonomy: leaves in the original records, any nodes in published ones.
using LiteralNodes = std::set<int>;

// By record: the leaves it has, and the sensitive items, which are numbered by themselves.
struct LiteralSetData {
  LiteralTaxonomy taxonomy;
  std::vector<LiteralNodes> items;
  std::vector<std::set<int>> sensitive;

  size_t size() const { return items.size(); }
};

struct LiteralPrivacy {
  int64_t k = 1;
  // 1/l
  LiteralFraction most_share = 1;
  int m = 1;
  int n = 0;

  static LiteralPrivacy Kl(int64_t k, int64_t l, int m, int n) { return {k, {1, l}, m, n}; }
};

// What an adversary knows: Section 4.1.4.
struct LiteralItemset {
  LiteralNodes there;
  LiteralNodes absent;

  friend bool operator<(const LiteralItemset& a, const LiteralItemset& b) {
    return std::tie(a.there, a.absent) < std::tie(b.there, b.absent);
  }
  friend bool operator==(const LiteralItemset& a, const LiteralItemset& b) = default;
  // What GoogleTest prints.
  friend std::ostream& operator<<(std::ostream& out, const LiteralItemset& itemset) {
    for (const int node : itemset.there) out << node << "+ ";
    for (const int node : itemset.absent) out << node << "- ";
    return out;
  }
};

// Definition 4.2: each disjunction is a set of leaves, of which at least one is there. Generalized, the leaves are any nodes.
struct LiteralKnowledge {
  std::vector<LiteralNodes> disjunctions;
  LiteralNodes absent;

  friend bool operator==(const LiteralKnowledge& a, const LiteralKnowledge& b) = default;
};

inline bool IsAtOrAbove(const LiteralTaxonomy& taxonomy, int above, int node) {
  while (node != -1 && node != above) node = taxonomy.parents[static_cast<size_t>(node)];
  return node == above;
}

// The nodes of a record or of a cut that are at or above a node.
inline LiteralNodes AtOrAbove(const LiteralTaxonomy& taxonomy, const LiteralNodes& among,
                              int node) {
  LiteralNodes found;
  for (const int other : among) {
    if (IsAtOrAbove(taxonomy, other, node)) found.insert(other);
  }
  return found;
}

inline LiteralNodes LeavesBelow(const LiteralTaxonomy& taxonomy, int node) {
  LiteralNodes leaves;
  for (int other = 0; other < static_cast<int>(taxonomy.parents.size()); ++other) {
    if (taxonomy.IsLeaf(other) && IsAtOrAbove(taxonomy, node, other)) leaves.insert(other);
  }
  return leaves;
}

// "The imposed ordering" of Section 4.3.2.
inline std::vector<int> Preorder(const LiteralTaxonomy& taxonomy, int node = 0) {
  std::vector<int> order = {node};
  for (const int child : taxonomy.Children(node)) {
    for (const int below : Preorder(taxonomy, child)) order.push_back(below);
  }
  return order;
}

inline std::vector<LiteralNodes> LiteralSetCuts(const LiteralTaxonomy& taxonomy) {
  return LiteralCutsBelow(taxonomy, 0);
}

// gen(D, Cut), without the sensitive items.
inline std::vector<LiteralNodes> GeneralizeSets(const LiteralSetData& sets,
                                                const LiteralNodes& cut) {
  std::vector<LiteralNodes> published;
  for (const LiteralNodes& record : sets.items) {
    published.emplace_back();
    for (const int leaf : record) {
      const LiteralNodes groups = AtOrAbove(sets.taxonomy, cut, leaf);
      if (groups.size() != 1) throw std::logic_error("a cut has one node above each leaf");
      published.back().insert(*groups.begin());
    }
  }
  return published;
}

// Definition 4.3, where a published record has one of some nodes if it has a node at or below it.
inline bool HasNode(const LiteralTaxonomy& taxonomy, const LiteralNodes& record, int node) {
  for (const int item : record) {
    if (IsAtOrAbove(taxonomy, node, item)) return true;
  }
  return false;
}
inline bool Satisfies(const LiteralTaxonomy& taxonomy, const LiteralNodes& record,
                      const LiteralKnowledge& knowledge) {
  for (const LiteralNodes& disjunction : knowledge.disjunctions) {
    bool is_any_there = false;
    for (const int node : disjunction) is_any_there |= HasNode(taxonomy, record, node);
    if (!is_any_there) return false;
  }
  for (const int node : knowledge.absent) {
    if (HasNode(taxonomy, record, node)) return false;
  }
  return true;
}

inline LiteralKnowledge KnowledgeOf(const LiteralItemset& itemset) {
  LiteralKnowledge knowledge{{}, itemset.absent};
  for (const int node : itemset.there) knowledge.disjunctions.push_back({node});
  return knowledge;
}

// Definition 4.2 for leaves, Observation 4.1 for any nodes.
inline std::pair<int, int> PowerOf(const LiteralTaxonomy& taxonomy,
                                   const LiteralKnowledge& knowledge) {
  std::pair<int, int> power = {static_cast<int>(knowledge.disjunctions.size()), 0};
  for (const int node : knowledge.absent) power.second += taxonomy.Leaves(node);
  return power;
}

// Observation 4.1: to the level of a cut. A node of the cut is known to be absent when all its leaves are. Disjunctions
// that become the same are one.
inline LiteralKnowledge GeneralizeKnowledge(const LiteralTaxonomy& taxonomy,
                                            const LiteralKnowledge& knowledge,
                                            const LiteralNodes& cut) {
  std::set<LiteralNodes> disjunctions;
  for (const LiteralNodes& disjunction : knowledge.disjunctions) {
    LiteralNodes general;
    for (const int leaf : disjunction) general.merge(AtOrAbove(taxonomy, cut, leaf));
    disjunctions.insert(general);
  }
  LiteralKnowledge general{{disjunctions.begin(), disjunctions.end()}, {}};
  for (const int node : cut) {
    bool are_all_absent = true;
    for (const int leaf : LeavesBelow(taxonomy, node)) {
      are_all_absent &= knowledge.absent.contains(leaf);
    }
    if (are_all_absent) general.absent.insert(node);
  }
  return general;
}

// Example 4.5: whether a record that is published as this one may satisfy what is known of the leaves. 2^leaves.
inline bool MaySatisfy(const LiteralTaxonomy& taxonomy, const LiteralNodes& cut,
                       const LiteralNodes& published, const LiteralKnowledge& knowledge) {
  const LiteralNodes all = LeavesBelow(taxonomy, 0);
  const std::vector<int> leaves(all.begin(), all.end());
  for (uint64_t choice = 0; choice < uint64_t{1} << leaves.size(); ++choice) {
    LiteralNodes original;
    for (size_t i = 0; i < leaves.size(); ++i) {
      if ((choice >> i & 1) != 0) original.insert(leaves[i]);
    }
    if (Satisfies(taxonomy, original, knowledge) &&
        GeneralizeSets({taxonomy, {original}, {{}}}, cut)[0] == published) {
      return true;
    }
  }
  return false;
}

// "X is a generalization of Y": each of X is at or above one of Y.
inline bool IsGeneralization(const LiteralTaxonomy& taxonomy, const LiteralNodes& x,
                             const LiteralNodes& y) {
  for (const int general : x) {
    bool is_above_any = false;
    for (const int node : y) is_above_any |= IsAtOrAbove(taxonomy, general, node);
    if (!is_above_any) return false;
  }
  return true;
}

// Definition 4.6, and without nodes above others (see the choices above).
inline LiteralNodes Undecorated(const LiteralTaxonomy& taxonomy, const LiteralItemset& itemset) {
  LiteralNodes all = itemset.there;
  all.insert(itemset.absent.begin(), itemset.absent.end());
  LiteralNodes lowest;
  for (const int node : all) {
    bool is_lowest = true;
    for (const int other : all) {
      is_lowest &= other == node || !IsAtOrAbove(taxonomy, node, other);
    }
    if (is_lowest) lowest.insert(node);
  }
  return lowest;
}

// Those that no other one of them is a generalization of.
inline std::set<LiteralNodes> MostGeneral(const LiteralTaxonomy& taxonomy,
                                          const std::set<LiteralNodes>& itemsets) {
  std::set<LiteralNodes> most_general;
  for (const LiteralNodes& itemset : itemsets) {
    bool is_most_general = true;
    for (const LiteralNodes& other : itemsets) {
      is_most_general &= other == itemset || !IsGeneralization(taxonomy, other, itemset);
    }
    if (is_most_general) most_general.insert(itemset);
  }
  return most_general;
}

// The node that all of some nodes are children of, or -1.
inline int CommonParent(const LiteralTaxonomy& taxonomy, const LiteralNodes& nodes) {
  LiteralNodes parents;
  for (const int node : nodes) parents.insert(taxonomy.parents[static_cast<size_t>(node)]);
  return parents.size() == 1 ? *parents.begin() : -1;
}

// leaves / all leaves, 0 for a leaf.
inline LiteralFraction NcpOf(const LiteralTaxonomy& taxonomy, int node) {
  if (taxonomy.IsLeaf(node)) return 0;
  return {taxonomy.Leaves(node), taxonomy.Leaves(0)};
}
inline LiteralFraction LmOf(const LiteralTaxonomy& taxonomy, int node) {
  if (taxonomy.Leaves(0) == 1) return 0;
  return {taxonomy.Leaves(node) - 1, taxonomy.Leaves(0) - 1};
}
// The mean loss of the occurrences. One without a published node above it is suppressed and costs 1.
inline LiteralFraction MeanLoss(
    const LiteralSetData& sets, const std::vector<LiteralNodes>& published,
    const std::function<LiteralFraction(const LiteralTaxonomy&, int)>& loss = NcpOf) {
  LiteralFraction sum = 0;
  int64_t occurrences = 0;
  for (size_t record = 0; record < sets.size(); ++record) {
    for (const int leaf : sets.items[record]) {
      ++occurrences;
      const LiteralNodes groups = AtOrAbove(sets.taxonomy, published[record], leaf);
      if (groups.size() > 1) throw std::logic_error("one node for each occurrence");
      sum = sum + (groups.empty() ? LiteralFraction(1) : loss(sets.taxonomy, *groups.begin()));
    }
  }
  return occurrences == 0 ? LiteralFraction(0) : sum / occurrences;
}

struct LiteralSetCut {
  LiteralNodes cut;
  LiteralFraction ncp = 0;
};

class LiteralSets {
 public:
  // Bit i is record i.
  using Records = uint64_t;
  // Goes on until it returns false.
  using Visit = std::function<bool(const LiteralItemset&, Records)>;

  LiteralSets(LiteralSetData sets, LiteralPrivacy privacy)
      : sets_(std::move(sets)), privacy_(privacy), order_(Preorder(sets_.taxonomy)) {
    if (sets_.size() > 64) throw std::logic_error("at most 64 records");
    for (size_t record = 0; record < sets_.size(); ++record) {
      for (const int item : sets_.sensitive[record]) sensitive_[item] |= Records{1} << record;
    }
  }

  const LiteralSetData& sets() const { return sets_; }
  const LiteralPrivacy& privacy() const { return privacy_; }
  LiteralNodes Leaves() const { return LeavesBelow(sets_.taxonomy, 0); }

  // TS(X) in the published records of a cut.
  std::set<size_t> Matching(const LiteralKnowledge& knowledge, const LiteralNodes& cut) const {
    std::set<size_t> matching;
    const std::vector<LiteralNodes> published = GeneralizeSets(sets_, cut);
    for (size_t record = 0; record < published.size(); ++record) {
      if (Satisfies(sets_.taxonomy, published[record], knowledge)) matching.insert(record);
    }
    return matching;
  }
  std::set<size_t> Matching(const LiteralItemset& itemset, const LiteralNodes& cut) const {
    return Matching(KnowledgeOf(itemset), cut);
  }
  int64_t Support(const LiteralItemset& itemset, const LiteralNodes& cut) const {
    return static_cast<int64_t>(Matching(itemset, cut).size());
  }
  // conf(X -> s)
  LiteralFraction Confidence(const LiteralItemset& itemset, int item,
                             const LiteralNodes& cut) const {
    int64_t with = 0;
    for (const size_t record : Matching(itemset, cut)) {
      with += sets_.sensitive[record].contains(item) ? 1 : 0;
    }
    return {with, Support(itemset, cut)};
  }

  // Definition 4.4 (a) and (b), for the records that support an itemset.
  bool IsThreat(Records records) const {
    const int64_t support = std::popcount(records);
    if (support == 0) return false;
    if (support < privacy_.k) return true;
    for (const auto& [item, having] : sensitive_) {
      if (LiteralFraction(std::popcount(records & having), support) > privacy_.most_share) {
        return true;
      }
    }
    return false;
  }

  // Every itemset within the adversary's power that some published record supports.
  void EachSupported(const LiteralNodes& cut, const Visit& visit) const {
    Walk walk{{}, {}, visit};
    const std::vector<LiteralNodes> published = GeneralizeSets(sets_, cut);
    for (const int node : order_) {
      if (!HasNode(sets_.taxonomy, cut, node)) continue;
      Records having = 0;
      for (size_t record = 0; record < published.size(); ++record) {
        if (HasNode(sets_.taxonomy, published[record], node)) having |= Records{1} << record;
      }
      walk.nodes.push_back({node, sets_.taxonomy.Leaves(node), having});
    }
    Go(walk, 0, All(), privacy_.m, privacy_.n);
  }

  std::set<LiteralItemset> Threats(const LiteralNodes& cut) const {
    std::set<LiteralItemset> threats;
    EachSupported(cut, [&](const LiteralItemset& itemset, Records records) {
      if (IsThreat(records)) threats.insert(itemset);
      return true;
    });
    return threats;
  }
  // On the fly, Section 4.2.4.
  bool IsValid(const LiteralNodes& cut) const {
    bool is_valid = true;
    EachSupported(cut, [&](const LiteralItemset&, Records records) {
      is_valid = !IsThreat(records);
      return is_valid;
    });
    return is_valid;
  }

  // Definition 4.6: of the threats in all generalized versions, which are those of the leaves.
  std::set<LiteralNodes> MostGeneralThreats() const {
    std::set<LiteralNodes> undecorated;
    for (const LiteralItemset& threat : Threats(Leaves())) {
      undecorated.insert(Undecorated(sets_.taxonomy, threat));
    }
    return MostGeneral(sets_.taxonomy, undecorated);
  }
  // Pruning IV: nodes some of whose children are an undecorated threat.
  LiteralNodes PermanentlyLocked() const {
    LiteralNodes locked;
    for (const LiteralItemset& threat : Threats(Leaves())) {
      const int parent = CommonParent(sets_.taxonomy, Undecorated(sets_.taxonomy, threat));
      if (parent != -1) locked.insert(parent);
    }
    return locked;
  }

  LiteralFraction Ncp(const LiteralNodes& cut) const {
    return MeanLoss(sets_, GeneralizeSets(sets_, cut), NcpOf);
  }
  LiteralFraction Lm(const LiteralNodes& cut) const {
    return MeanLoss(sets_, GeneralizeSets(sets_, cut), LmOf);
  }

  std::vector<LiteralSetCut> ValidCuts() const {
    std::vector<LiteralSetCut> valid;
    for (const LiteralNodes& cut : LiteralSetCuts(sets_.taxonomy)) {
      if (IsValid(cut)) valid.push_back({cut, Ncp(cut)});
    }
    return valid;
  }
  // Of several as good as each other any. Without it nothing can be published.
  std::optional<LiteralSetCut> Best() const {
    std::optional<LiteralSetCut> best;
    for (const LiteralSetCut& cut : ValidCuts()) {
      if (!best.has_value() || cut.ncp < best->ncp) best = cut;
    }
    return best;
  }

  // mOG, Section 4.4.2: where the rounds (1, 0) to (m, 0), (m, 1) to (m, n) can end, each at a cut of least NCP above that
  // of the round before. Rounds with no knowledge at all are left out. Several, where cuts of a round cost the same.
  std::set<LiteralNodes> Rounds() const {
    std::set<LiteralNodes> ends = {Leaves()};
    LiteralPrivacy round = privacy_;
    round.m = round.n = 0;
    while (round.m < privacy_.m || round.n < privacy_.n) {
      ++(round.m < privacy_.m ? round.m : round.n);
      const std::vector<LiteralSetCut> valid = LiteralSets(sets_, round).ValidCuts();
      std::set<LiteralNodes> next;
      for (const LiteralNodes& start : ends) next.merge(CheapestAbove(start, valid));
      ends = std::move(next);
    }
    return ends;
  }

 private:
  struct Node {
    int node;
    int leaves;
    Records having;
  };
  struct Walk {
    std::vector<Node> nodes;
    LiteralItemset itemset;
    const Visit& visit;
  };

  Records All() const {
    return sets_.size() == 64 ? ~Records{0} : (Records{1} << sets_.size()) - 1;
  }

  // Adds a decorated node of those from `next` on; false when the visitor has had enough.
  bool Go(Walk& walk, size_t next, Records records, int m, int n) const {
    for (; next < walk.nodes.size(); ++next) {
      const auto [node, leaves, having] = walk.nodes[next];
      if (m > 0 && !Add(walk, next, walk.itemset.there, records & having, m - 1, n)) return false;
      if (n >= leaves && !Add(walk, next, walk.itemset.absent, records & ~having, m, n - leaves)) {
        return false;
      }
    }
    return true;
  }
  bool Add(Walk& walk, size_t place, LiteralNodes& half, Records records, int m, int n) const {
    const int node = walk.nodes[place].node;
    // Nodes above stand before it. Both decorations of one node contradict each other.
    if (records == 0 || !AtOrAbove(sets_.taxonomy, half, node).empty()) return true;
    half.insert(node);
    const bool goes_on = walk.visit(walk.itemset, records) && Go(walk, place + 1, records, m, n);
    half.erase(node);
    return goes_on;
  }

  std::set<LiteralNodes> CheapestAbove(const LiteralNodes& start,
                                       const std::vector<LiteralSetCut>& valid) const {
    std::set<LiteralNodes> cheapest;
    std::optional<LiteralFraction> least;
    for (const LiteralSetCut& cut : valid) {
      if (!IsGeneralization(sets_.taxonomy, cut.cut, start)) continue;
      if (least.has_value() && *least < cut.ncp) continue;
      if (!least.has_value() || cut.ncp < *least) cheapest.clear();
      least = cut.ncp;
      cheapest.insert(cut.cut);
    }
    return cheapest;
  }

  LiteralSetData sets_;
  LiteralPrivacy privacy_;
  std::vector<int> order_;
  std::map<int, Records> sensitive_;
};

}  // namespace thicket::testing
