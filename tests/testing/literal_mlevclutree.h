// MLevAnonytree and MLevCluTree of Wang et al. 2018, section 4, word for word: the reference for tests.
//
// Algorithms 1 and 2 on trees of pointers. Everything is cloned, every cost is found by really merging the clones and walking
// over them, every share by counting tenths. Nothing here is shared with matching/ or grouping/. The buckets of the data must
// be levels, and no value may be one that occurs only once.
//
//   LiteralMLevCluTree literal(encoded, {.class_size = 3, .tenths = {8, 6, 4, 2, 1}});
//   LiteralLevelClasses result = literal.Run();
//
// Where the paper leaves a choice, the project's documented one is taken (grouping/mlevclutree.h); of equals the first wins.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "record/dataset.h"
#include "testing/literal_tree.h"

namespace thicket::testing {

struct LiteralLevelOptions {
  int class_size = 2;
  // alpha in tenths, by level - 1.
  std::array<int, 5> tenths = {8, 6, 4, 2, 1};
  size_t candidates = 50;
  // Whether a representative counts once for each of its records; else once.
  bool weighted = true;
  bool absorb = true;
  uint64_t random_seed = 1;
};

struct LiteralLevelClasses {
  struct Class {
    LiteralTree representative;
    std::vector<RecordId> records;
  };
  std::vector<Class> classes;
  std::set<RecordId> suppressed;
};

class LiteralMLevCluTree {
 public:
  using Class = LiteralLevelClasses::Class;

  LiteralMLevCluTree(const EncodedDataset& data, LiteralLevelOptions options)
      : data_(&data), options_(options) {}

  // Algorithm 2.
  LiteralLevelClasses Run() {
    LiteralLevelClasses result;
    Random random = Random::Seeded(options_.random_seed);
    std::set<RecordId> set_aside;
    for (RecordId r = 0; r < data_->forest().record_count(); ++r) left_.insert(r);
    while (static_cast<int>(left_.size()) >= options_.class_size) {
      const auto n = static_cast<std::ptrdiff_t>(random.Below(left_.size()));
      const RecordId x = *std::next(left_.begin(), n);
      left_.erase(x);
      size_ = options_.class_size;
      std::optional<Class> q = Grow(x);
      if (!q) {
        set_aside.insert(x);
        continue;
      }
      for (const RecordId record : q->records) left_.erase(record);
      result.classes.push_back(std::move(*q));
    }
    left_.insert(set_aside.begin(), set_aside.end());
    for (const RecordId record : left_) {
      if (!options_.absorb || !Absorb(record, result)) result.suppressed.insert(record);
    }
    return result;
  }

 private:
  using Ranked = std::vector<std::pair<Units, RecordId>>;

  // Lines 4 to 14; nothing where too few may join.
  std::optional<Class> Grow(RecordId x) const {
    if (!HasRoom(data_->forest().root(x))) return std::nullopt;
    Class q{Tree(data_->forest().root(x), true), {x}};
    Ranked h = Rank(q, {left_.begin(), left_.end()});
    size_t next = 0;
    std::vector<RecordId> candidates;
    for (int j = 2; j <= options_.class_size; ++j) {
      Ranked may_join = Rank(q, candidates);
      while (may_join.empty() && next < h.size()) {
        candidates.clear();
        for (; candidates.size() < options_.candidates && next < h.size(); ++next) {
          candidates.push_back(h[next].second);
        }
        may_join = Rank(q, candidates);
      }
      if (may_join.empty()) return std::nullopt;
      const RecordId y = may_join.front().second;
      candidates.erase(std::find(candidates.begin(), candidates.end(), y));
      q = Joined(q, y);
    }
    return q;
  }

  // Those that may join, by what the trees then cost.
  Ranked Rank(const Class& q, const std::vector<RecordId>& records) const {
    Ranked ranked;
    for (const RecordId y : records) {
      if (!CheckConstraint(*q.representative, *Tree(data_->forest().root(y), false))) continue;
      LiteralTree a = Clone(*q.representative);
      LiteralTree b = Tree(data_->forest().root(y), false);
      ranked.emplace_back(Anonymize(*a, *b, Copies(q)), y);
    }
    std::sort(ranked.begin(), ranked.end());
    return ranked;
  }

  Class Joined(const Class& q, RecordId y) const {
    Class joined{Clone(*q.representative), q.records};
    const LiteralTree b = Tree(data_->forest().root(y), false);
    Anonymize(*joined.representative, *b, Copies(q));
    joined.representative = Update(std::move(joined.representative));
    joined.records.push_back(y);
    return joined;
  }

  // A leftover joins the class where its loss rises least, if by less than to leave the record out.
  bool Absorb(RecordId record, LiteralLevelClasses& result) {
    std::optional<size_t> best;
    Units least = Cost(*Tree(data_->forest().root(record), false), true);
    for (size_t i = 0; i < result.classes.size(); ++i) {
      const Class& q = result.classes[i];
      size_ = static_cast<int>(q.records.size()) + 1;
      if (!CheckConstraint(*q.representative, *Tree(data_->forest().root(record), false))) continue;
      const Units rise = Loss(Joined(q, record)) - Loss(q);
      if (rise >= least) continue;
      least = rise;
      best = i;
    }
    if (!best) return false;
    size_ = static_cast<int>(result.classes[*best].records.size()) + 1;
    result.classes[*best] = Joined(result.classes[*best], record);
    return true;
  }

  // Algorithm 1. Marks what is suppressed in both, and returns what both cost.
  Units Anonymize(LiteralNode& a, LiteralNode& b, Units copies) const {
    if (!CheckConstraint(a, b)) {
      a.suppressed = true;
      b.suppressed = true;
      return copies * Cost(a) + Cost(b);
    }
    a.partner = b.members.front();
    for (size_t slot = 0; slot < a.labels.size(); ++slot) {
      const LiteralDomain domain(data_->classes[a.id].domains[slot]);
      a.labels[slot] = domain.Mrca(a.labels[slot], b.labels[slot]);
      b.labels[slot] = a.labels[slot];
    }
    for (const ClassId id : data_->schema().classes[a.id].children) {
      AnonymizeSubtrees(Subtrees(a, id), Subtrees(b, id), copies);
    }
    return copies * Cost(a) + Cost(b);
  }

  // Lines 12 to 27, for the subtrees of one class: the smaller side's in turn, a's where both have as many.
  void AnonymizeSubtrees(const std::vector<LiteralNode*>& a, const std::vector<LiteralNode*>& b,
                         Units copies) const {
    const bool a_in_turn = a.size() <= b.size();
    const auto& u = a_in_turn ? a : b;
    const auto& v = a_in_turn ? b : a;
    std::map<size_t, size_t> pair_of_v;
    for (size_t i = 0; i < u.size(); ++i) {
      Units min_cost = std::numeric_limits<Units>::max();
      std::optional<size_t> paired;
      for (size_t j = 0; j < v.size(); ++j) {
        if (pair_of_v.count(j) > 0) continue;
        const LiteralTree x = Clone(a_in_turn ? *u[i] : *v[j]);
        const LiteralTree y = Clone(a_in_turn ? *v[j] : *u[i]);
        const Units loss = Anonymize(*x, *y, copies);
        if (loss >= min_cost) continue;
        min_cost = loss;
        paired = j;
      }
      pair_of_v[paired.value()] = i;
    }
    for (size_t j = 0; j < v.size(); ++j) {
      const auto pair = pair_of_v.find(j);
      if (pair == pair_of_v.end()) {
        v[j]->suppressed = true;
      } else {
        LiteralNode& other = *u[pair->second];
        Anonymize(a_in_turn ? other : *v[j], a_in_turn ? *v[j] : other, copies);
      }
    }
  }

  static std::vector<LiteralNode*> Subtrees(const LiteralNode& node, ClassId id) {
    std::vector<LiteralNode*> found;
    for (const LiteralTree& child : node.children) {
      if (child->id == id) found.push_back(child.get());
    }
    return found;
  }

  // Equation 4: of each level at most its share of a class of the final size.
  bool CheckConstraint(const LiteralNode& a, const LiteralNode& b) const {
    for (size_t i = 0; i < data_->schema().classes[a.id].sensitive.size(); ++i) {
      std::array<int, 5> count{};
      for (const Vertex v : a.members) ++count.at(data_->Bucket(v, i) - 1);
      for (const Vertex v : b.members) ++count.at(data_->Bucket(v, i) - 1);
      for (size_t level = 0; level < 5; ++level) {
        if (count.at(level) * 10 > size_ * options_.tenths.at(level)) return false;
      }
    }
    return true;
  }
  bool HasRoom(Vertex v) const {
    const ClassId id = data_->forest().class_of(v);
    for (size_t i = 0; i < data_->schema().classes[id].sensitive.size(); ++i) {
      if (10 > size_ * options_.tenths.at(data_->Bucket(v, i) - 1)) return false;
    }
    return true;
  }

  LiteralTree Tree(Vertex v, bool without_full) const {
    auto node = std::make_unique<LiteralNode>();
    node->id = data_->forest().class_of(v);
    node->members = {v};
    for (size_t slot = 0; slot < data_->schema().classes[node->id].quasi.size(); ++slot) {
      node->labels.push_back(data_->classes[node->id].domains[slot].Leaf(data_->value(v, slot)));
    }
    for (const Vertex child : data_->forest().Children(v)) {
      if (!without_full || HasRoom(child)) node->children.push_back(Tree(child, without_full));
    }
    return node;
  }

  static LiteralTree Update(LiteralTree tree) {
    if (tree->suppressed) return nullptr;
    tree->members.push_back(tree->partner.value());
    std::vector<LiteralTree> kept;
    for (LiteralTree& child : tree->children) {
      if (LiteralTree updated = Update(std::move(child))) kept.push_back(std::move(updated));
    }
    tree->children = std::move(kept);
    return tree;
  }

  Units Copies(const Class& q) const {
    return options_.weighted ? static_cast<Units>(q.records.size()) : 1;
  }
  Units LabelCost(const LiteralNode& node) const {
    Units cost = 0;
    for (size_t slot = 0; slot < node.labels.size(); ++slot) {
      cost += LiteralDomain(data_->classes[node.id].domains[slot]).Cost(node.labels[slot]);
    }
    return cost;
  }
  // Equation 5; a suppressed vertex costs a unit more than its labels.
  Units Cost(const LiteralNode& node, bool suppressed = false) const {
    suppressed = suppressed || node.suppressed;
    Units cost =
        suppressed ? static_cast<Units>(node.labels.size()) * 1048576 + 1 : LabelCost(node);
    for (const LiteralTree& child : node.children) cost += Cost(*child, suppressed);
    return cost;
  }
  // Of all records of the class.
  Units Loss(const Class& q) const {
    Units loss = 0;
    for (const RecordId record : q.records) {
      loss += Cost(*Tree(data_->forest().root(record), false), true);
    }
    const auto records = static_cast<Units>(q.records.size());
    return loss - records * (Cost(*q.representative, true) - Cost(*q.representative));
  }

  const EncodedDataset* data_;
  LiteralLevelOptions options_;
  std::set<RecordId> left_;
  // The size that shares are counted of.
  int size_ = 0;
};

}  // namespace thicket::testing
