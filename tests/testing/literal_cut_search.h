// The cut search of Gkountouna et al. 2013, Section III, word for word: the reference for tests.
//
// Records are nested maps. Every cut is tried, every combination of labels and relations is counted anew in every round,
// labels are really moved about in the trees. Of cutting/ only the numbering of the labels is shared. At most 64 records.
//
//   LiteralCutSearch literal(items, encoded, {.k = 2, .m = 2, .n = 1});
//   for (const LiteralCut& cut : literal.Cuts(false)) Use(literal.Try(cut));
//
// Where the paper leaves a choice, the project's documented one is taken (cutting/kmn/relation_breaker.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cutting/kmn/item_hierarchy.h"
#include "cutting/kmn/label_tree.h"
#include "cutting/kmn/rare_combinations.h"
#include "record/dataset.h"

namespace thicket::testing {

// A label tree, or the synopsis of many: equal siblings cannot be.
struct LiteralLabels {
  std::map<Item, LiteralLabels> children;
  // Synopsis only: how many records have the path.
  uint64_t support = 0;

  void Merge(const LiteralLabels& other) {
    support += other.support;
    for (const auto& [label, below] : other.children) children[label].Merge(below);
  }
  size_t Size() const {
    size_t size = 0;
    for (const auto& [label, below] : children) size += 1 + below.Size();
    return size;
  }
  // "3(5 6) 4".
  std::string Text() const {
    std::string text;
    for (const auto& [label, below] : children) {
      text += (text.empty() ? "" : " ") + std::to_string(label);
      if (!below.children.empty()) text += "(" + below.Text() + ")";
    }
    return text;
  }
};

using LiteralCut = std::set<Item>;
using LiteralRecords = std::vector<LiteralLabels>;

struct LiteralOutcome {
  LiteralCut cut;
  // Too few records have some set of labels: nothing below means anything.
  bool has_rare_labels = false;
  std::vector<Relation> broken;
  // How many records had each of them, while nothing was broken.
  std::vector<uint64_t> broken_support;
  LiteralRecords published;
  double rpd = 0;
  double rpd_a = 0;
  // With nothing broken.
  double rpd_of_labels = 0;
  // The mean loss of all labels, with a billionth for each level that they are generalized by, and beside it the share of
  // relations that are broken, but for those of the record's root.
  double loss = 0;
};

// Labels and relations between them.
struct LiteralCombination {
  std::vector<Item> labels;
  std::vector<Relation> relations;

  auto size() const { return std::pair(relations.size(), labels.size()); }
  friend bool operator<(const LiteralCombination& a, const LiteralCombination& b) {
    return std::tuple(a.size(), a.labels, a.relations) <
           std::tuple(b.size(), b.labels, b.relations);
  }
};

// Who has which label and which relation: bit r is record r.
class LiteralFacts {
 public:
  explicit LiteralFacts(const LiteralRecords& records) {
    for (size_t r = 0; r < records.size(); ++r) Note(records[r], {}, uint64_t{1} << r);
  }

  std::vector<Relation> Relations() const {
    std::vector<Relation> all;
    for (const auto& [relation, who] : relations_) all.push_back(relation);
    return all;
  }
  uint64_t Support(const Relation& relation) const {
    const auto found = relations_.find(relation);
    return found == relations_.end() ? 0 : static_cast<uint64_t>(std::popcount(found->second));
  }

  // All combinations that 1 to k - 1 records have.
  std::vector<LiteralCombination> Rare(const KnowledgeLimits& limits) const {
    std::vector<LiteralCombination> rare;
    LiteralCombination combination;
    AddLabels(limits, labels_.begin(), ~uint64_t{0}, combination, rare);
    return rare;
  }

 private:
  using LabelPlace = std::map<Item, uint64_t>::const_iterator;

  void Note(const LiteralLabels& tree, std::vector<Item> above, uint64_t record) {
    for (const auto& [label, below] : tree.children) {
      labels_[label] |= record;
      for (const Item other : above) relations_[{other, label}] |= record;
      above.push_back(label);
      Note(below, above, record);
      above.pop_back();
    }
  }

  static bool IsRare(uint64_t who, const KnowledgeLimits& limits) {
    return who != 0 && static_cast<uint64_t>(std::popcount(who)) < limits.k;
  }

  void AddLabels(const KnowledgeLimits& limits, LabelPlace from, uint64_t who,
                 LiteralCombination& combination, std::vector<LiteralCombination>& rare) const {
    if (combination.labels.size() == limits.m) return;
    for (LabelPlace next = from; next != labels_.end(); ++next) {
      const uint64_t left = who & next->second;
      if (left == 0) continue;
      combination.labels.push_back(next->first);
      AddRelations(limits, Among(combination.labels), 0, left, combination, rare);
      AddLabels(limits, std::next(next), left, combination, rare);
      combination.labels.pop_back();
    }
  }

  void AddRelations(const KnowledgeLimits& limits, const std::vector<Relation>& relations,
                    size_t from, uint64_t who, LiteralCombination& combination,
                    std::vector<LiteralCombination>& rare) const {
    if (IsRare(who, limits)) rare.push_back(combination);
    if (who == 0 || combination.relations.size() == limits.n) return;
    for (size_t i = from; i < relations.size(); ++i) {
      combination.relations.push_back(relations[i]);
      AddRelations(limits, relations, i + 1, who & relations_.at(relations[i]), combination, rare);
      combination.relations.pop_back();
    }
  }

  std::vector<Relation> Among(const std::vector<Item>& labels) const {
    std::vector<Relation> among;
    for (const Item above : labels) {
      for (const Item below : labels) {
        if (relations_.contains({above, below})) among.push_back({above, below});
      }
    }
    return among;
  }

  std::map<Item, uint64_t> labels_;
  std::map<Relation, uint64_t> relations_;
};

class LiteralCutSearch {
 public:
  LiteralCutSearch(const ItemHierarchy& items, const EncodedDataset& data, KnowledgeLimits limits)
      : items_(&items), data_(&data), limits_(limits) {
    const Forest& forest = data.forest();
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      records_.emplace_back();
      Read(forest.root(record), records_.back());
    }
  }

  // Labels are leaves.
  const LiteralRecords& records() const { return records_; }

  // Every attribute at the root of its taxonomy.
  LiteralCut Roots() const {
    LiteralCut cut;
    for (const ItemHierarchy::Attribute& attribute : items_->attributes()) {
      cut.insert(ItemHierarchy::root(attribute));
    }
    return cut;
  }
  std::vector<LiteralCut> Cuts(bool or_left_out) const {
    std::vector<LiteralCut> cuts = {{}};
    for (const ItemHierarchy::Attribute& attribute : items_->attributes()) {
      std::vector<LiteralCut> of_attribute = CutsBelow(ItemHierarchy::root(attribute));
      if (or_left_out) of_attribute.push_back({attribute.left_out});
      cuts = Products(cuts, of_attribute);
    }
    return cuts;
  }

  LiteralRecords Generalized(const LiteralCut& cut) const {
    LiteralRecords generalized;
    for (const LiteralLabels& record : records_) {
      generalized.emplace_back();
      Generalize(record, cut, generalized.back());
    }
    return generalized;
  }

  LiteralOutcome Try(const LiteralCut& cut) const {
    LiteralOutcome outcome;
    outcome.cut = cut;
    outcome.published = Generalized(cut);
    for (const LiteralCombination& rare : LiteralFacts(outcome.published).Rare(limits_)) {
      if (rare.relations.empty()) outcome.has_rare_labels = true;
    }
    if (outcome.has_rare_labels) return outcome;
    const LiteralFacts before(outcome.published);
    outcome.rpd_of_labels = Rpd(outcome.published);
    outcome.broken = FixStructure(outcome.published);
    for (const Relation& relation : outcome.broken) {
      outcome.broken_support.push_back(before.Support(relation));
    }
    const double relations = CountRelations(before);
    outcome.loss = Loss(cut);
    if (relations > 0) {
      outcome.loss += (relations - CountRelations(LiteralFacts(outcome.published))) / relations;
    }
    outcome.rpd = Rpd(outcome.published);
    outcome.rpd_a = RpdA(outcome.published);
    return outcome;
  }

  // Definition 2, in one record.
  static void Disassociate(const Relation& relation, LiteralLabels& tree) {
    bool moves = false;
    for (auto& [label, below] : tree.children) {
      if (label == relation.above) {
        moves = TakeOut(relation.below, below);
      } else {
        Disassociate(relation, below);
      }
    }
    if (moves) tree.children[relation.below];
  }

 private:
  void Read(Vertex vertex, LiteralLabels& above) const {
    const Forest& forest = data_->forest();
    const ClassId id = forest.class_of(vertex);
    LiteralLabels* at = &above;
    for (uint32_t slot = 0; slot < data_->schema().classes[id].quasi.size(); ++slot) {
      const auto leaf = items_->Leaf(id, slot, data_->value(vertex, slot));
      if (leaf.has_value()) at = &at->children[*leaf];
    }
    for (const Vertex child : forest.Children(vertex)) Read(child, *at);
  }

  // Every cut through the taxonomy below an item, that of the item alone among them.
  std::vector<LiteralCut> CutsBelow(Item item) const {
    std::vector<LiteralCut> cuts;
    if (!items_->is_leaf(item)) {
      cuts = {{}};
      for (const Item child : items_->Children(item)) cuts = Products(cuts, CutsBelow(child));
    }
    cuts.push_back({item});
    return cuts;
  }
  static std::vector<LiteralCut> Products(const std::vector<LiteralCut>& some,
                                          const std::vector<LiteralCut>& others) {
    std::vector<LiteralCut> products;
    for (const LiteralCut& one : some) {
      for (const LiteralCut& other : others) {
        products.push_back(one);
        products.back().insert(other.begin(), other.end());
      }
    }
    return products;
  }

  void Generalize(const LiteralLabels& tree, const LiteralCut& cut, LiteralLabels& into) const {
    for (const auto& [leaf, below] : tree.children) {
      Item label = leaf;
      while (!cut.contains(label)) label = items_->parent(label);
      Generalize(below, cut, items_->is_left_out(label) ? into : into.children[label]);
    }
  }

  // Round after round, the smallest rare combinations first; in each the rarest relation that is not of the record's root.
  std::vector<Relation> FixStructure(LiteralRecords& records) const {
    std::vector<Relation> broken;
    while (true) {
      const LiteralFacts facts(records);
      std::vector<LiteralCombination> rare = facts.Rare(limits_);
      if (rare.empty()) return broken;
      std::sort(rare.begin(), rare.end());
      std::vector<Relation> round;
      for (const LiteralCombination& combination : rare) {
        if (combination.size() != rare.front().size()) break;
        const bool settled = std::any_of(round.begin(), round.end(), [&](const Relation& relation) {
          return std::count(combination.relations.begin(), combination.relations.end(), relation) >
                 0;
        });
        if (!settled) round.push_back(Rarest(combination, facts));
      }
      for (const Relation& relation : round) {
        for (LiteralLabels& record : records) Disassociate(relation, record);
      }
      broken.insert(broken.end(), round.begin(), round.end());
    }
  }

  Relation Rarest(const LiteralCombination& combination, const LiteralFacts& facts) const {
    Relation rarest;
    uint64_t least = std::numeric_limits<uint64_t>::max();
    for (const Relation& relation : combination.relations) {
      if (items_->IsOfRoot(items_->attribute_of(relation.above))) continue;
      if (facts.Support(relation) >= least) continue;
      least = facts.Support(relation);
      rarest = relation;
    }
    return rarest;
  }

  // Takes a label out wherever it stands in the tree; its children take its place. Whether it was there.
  static bool TakeOut(Item label, LiteralLabels& tree) {
    bool found = false;
    for (auto& [other, below] : tree.children) {
      if (other != label && TakeOut(label, below)) found = true;
    }
    const auto place = tree.children.find(label);
    if (place == tree.children.end()) return found;
    const LiteralLabels taken = std::move(place->second);
    tree.children.erase(place);
    tree.Merge(taken);
    return true;
  }

  // Over all records.
  double CountRelations(const LiteralFacts& facts) const {
    double count = 0;
    for (const Relation& relation : facts.Relations()) {
      if (items_->IsOfRoot(items_->attribute_of(relation.above))) continue;
      count += static_cast<double>(facts.Support(relation));
    }
    return count;
  }
  size_t LeavesBelow(Item item) const {
    size_t leaves = items_->is_leaf(item) ? 1 : 0;
    for (const Item child : items_->Children(item)) leaves += LeavesBelow(child);
    return leaves;
  }
  double Loss(const LiteralCut& cut) const {
    double sum = 0;
    size_t nodes = 0;
    for (const LiteralLabels& record : records_) AddLoss(record, cut, sum, nodes);
    return nodes == 0 ? 0 : sum / static_cast<double>(nodes);
  }
  void AddLoss(const LiteralLabels& tree, const LiteralCut& cut, double& sum, size_t& nodes) const {
    for (const auto& [leaf, below] : tree.children) {
      Item label = leaf;
      for (; !cut.contains(label); label = items_->parent(label)) sum += 1e-9;
      const size_t all = LeavesBelow(items_->attribute(leaf).left_out);
      if (items_->is_left_out(label)) {
        sum += 2;
      } else if (all > 1) {
        sum += static_cast<double>(LeavesBelow(label) - 1) / static_cast<double>(all - 1);
      }
      ++nodes;
      AddLoss(below, cut, sum, nodes);
    }
  }

  // Equations 1 to 3; 1 for a record without labels.
  double Rpd(const LiteralRecords& records) const {
    double sum = 0;
    for (const LiteralLabels& record : records) {
      const Paths paths = PathsOf(record, 1, 1, 0);
      sum += record.children.empty() ? 1 : paths.rpd / paths.leaves;
    }
    return sum / static_cast<double>(records.size());
  }

  // Equations 7 and 8; infinite without labels.
  double RpdA(const LiteralRecords& records) const {
    LiteralLabels synopsis;
    for (LiteralLabels record : records) {
      SetSupport(record);
      synopsis.Merge(record);
    }
    if (synopsis.children.empty()) return std::numeric_limits<double>::infinity();
    const Paths paths = PathsOf(synopsis, 1, 1, 0);
    return paths.rpd_a / paths.leaves / static_cast<double>(synopsis.Size());
  }
  static void SetSupport(LiteralLabels& tree) {
    tree.support = 1;
    for (auto& [label, below] : tree.children) SetSupport(below);
  }

  // Sums over the paths from the root to the leaves.
  struct Paths {
    double leaves = 0;
    double rpd = 0;
    double rpd_a = 0;
  };
  // `domain` and `support`: product and sum over the path so far.
  Paths PathsOf(const LiteralLabels& tree, uint32_t depth, double domain, double support) const {
    if (tree.children.empty()) return {1, 1 / domain, support / domain};
    Paths sums;
    for (const auto& [label, below] : tree.children) {
      const Paths paths =
          PathsOf(below, depth + 1, domain * depth * items_->level_size(items_->level(label)),
                  support + static_cast<double>(below.support));
      sums.leaves += paths.leaves;
      sums.rpd += paths.rpd;
      sums.rpd_a += paths.rpd_a;
    }
    return sums;
  }

  const ItemHierarchy* items_;
  const EncodedDataset* data_;
  KnowledgeLimits limits_;
  LiteralRecords records_;
};

}  // namespace thicket::testing
