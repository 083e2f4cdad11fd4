// *diversify*, FindMapping and ClusTree of Ozalp et al. 2016, section 5, word for word: the reference for tests.
//
// Algorithms 1 to 5 on trees of pointers. Everything is cloned, every cost is found by really merging the clones and
// walking over them, assignments are found by trying all permutations of the full |U| x |U| matrix of Algorithm 3.
// Nothing here is shared with matching/ or grouping/, not even lowest common ancestors and LM'. For small trees only:
// at most seven siblings of a class.
//
//   LiteralClusTree literal(encoded, {.mapping = LiteralMapping::kGreedy, .class_size = 3, .l = 3});
//   LiteralGrouping result = literal.Run();
//   if (!result.ambiguous) ...   // no choice was left open by the definitions
//
// Where the paper leaves a choice, the project's documented one is taken: children are matched class by class; a
// suppressed vertex costs one unit more than its labels; with equally many children on both sides, the representative's
// take their turn in greedy mapping; of equal costs the first one wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "record/dataset.h"
#include "testing/literal_tree.h"

namespace thicket::testing {

enum class LiteralMapping { kLsap, kGreedy, kLabels };

struct LiteralOptions {
  LiteralMapping mapping = LiteralMapping::kLsap;
  // Whether a representative counts once for each of its records; else once.
  bool weighted = true;
  int class_size = 2;
  // 0: no diversity.
  int l = 0;
  bool passes = true;
  double s = 0.5;
  double m = 4;
  bool absorb = true;
};

struct LiteralCluster {
  LiteralTree representative;  // null when everything was suppressed
  std::vector<RecordId> records;
};

struct LiteralGrouping {
  std::vector<LiteralCluster> classes;
  std::set<RecordId> suppressed;
  // What all records lost.
  Units cost = 0;
  // Whether some choice had several answers, so that another correct program may differ.
  bool ambiguous = false;
};

class LiteralClusTree {
 public:
  LiteralClusTree(const EncodedDataset& data, LiteralOptions options)
      : data_(&data), options_(options) {
    most_repeats_ = Repeats(options.class_size);
    FindOnce();
  }

  // The record as a representative of itself: without the vertices that can never be published.
  LiteralTree Seed(RecordId record) const { return Build(data_->forest().root(record), true); }
  LiteralTree Record(RecordId record) const { return Build(data_->forest().root(record), false); }

  // What it costs to suppress the tree.
  Units Weight(const LiteralNode& tree) const { return Cost(tree, true); }

  bool RootsMayMeet(const LiteralNode& representative, const LiteralNode& record) {
    NoteShown(&representative);
    return Diverse(representative, record);
  }

  // Algorithm 1: merges the record into the representative, marks what is suppressed in both, returns what both cost.
  Units Diversify(LiteralNode* representative, LiteralNode& record) {
    if (representative == nullptr) {
      record.suppressed = true;
      return Cost(record);
    }
    NoteShown(representative);
    copies_ = options_.weighted ? static_cast<Units>(representative->members.size()) : 1;
    return Diversify(*representative, record, true);
  }

  // Line 8 of Algorithm 4. Null when the root is suppressed.
  static LiteralTree Update(LiteralTree tree) {
    if (!tree || tree->suppressed) return nullptr;
    tree->members.push_back(tree->partner.value());
    std::vector<LiteralTree> kept;
    for (LiteralTree& child : tree->children) {
      if (LiteralTree updated = Update(std::move(child))) kept.push_back(std::move(updated));
    }
    tree->children = std::move(kept);
    return tree;
  }

  // Sum over the records of LM' of what is published and the labels of what is not.
  Units ClassCost(const LiteralCluster& cluster) const {
    std::map<Vertex, const LiteralNode*> published;
    if (cluster.representative) List(*cluster.representative, published);
    Units cost = 0;
    for (const RecordId record : cluster.records) {
      const Vertex begin = data_->forest().root(record);
      for (Vertex v = begin; v < begin + data_->forest().record_size(record); ++v) {
        const auto found = published.find(v);
        cost += found == published.end() ? SuppressedVertex(data_->forest().class_of(v))
                                         : LabelCost(*found->second);
      }
    }
    return cost;
  }

  // Algorithm 5.
  LiteralGrouping Run() {
    for (RecordId r = 0; r < data_->forest().record_count(); ++r) left_.insert(r);
    double chi = options_.passes ? 0 : std::numeric_limits<double>::infinity();
    while (static_cast<int>(left_.size()) >= options_.class_size) {
      Pass(chi);
      chi += options_.s;
      if (chi >= options_.m) chi = std::numeric_limits<double>::infinity();
    }
    LiteralGrouping result;
    left_.insert(set_aside_.begin(), set_aside_.end());
    for (const RecordId record : left_) {
      if (!options_.absorb || !Absorb(record)) result.suppressed.insert(record);
    }
    for (const RecordId record : result.suppressed) result.cost += RecordWeight(record);
    for (LiteralCluster& cluster : accepted_) {
      result.cost += ClassCost(cluster);
      if (cluster.representative) {
        result.classes.push_back(std::move(cluster));
      } else {
        result.suppressed.insert(cluster.records.begin(), cluster.records.end());
      }
    }
    result.ambiguous = ambiguous_;
    return result;
  }

  // Whether a choice so far had several answers.
  bool ambiguous() const { return ambiguous_; }

 private:
  // (class, attribute, bucket)
  using OnceValue = std::tuple<ClassId, size_t, uint32_t>;

  int Repeats(int class_size) const {
    return options_.l == 0 ? std::numeric_limits<int>::max() : class_size / options_.l;
  }

  std::vector<OnceValue> OnceValues(Vertex v) const {
    std::vector<OnceValue> found;
    const ClassId id = data_->forest().class_of(v);
    for (size_t attribute = 0; attribute < data_->schema().classes[id].sensitive.size();
         ++attribute) {
      const uint32_t bucket = data_->Bucket(v, attribute);
      if (data_->classes[id].once[attribute][bucket]) found.emplace_back(id, attribute, bucket);
    }
    return found;
  }

  // Of several vertices of a record with one value that may occur only once, all but the one with the most below it.
  void FindOnce() {
    const Forest& forest = data_->forest();
    for (RecordId r = 0; r < forest.record_count(); ++r) {
      std::map<OnceValue, Vertex> best;
      for (Vertex v = forest.root(r); v < forest.root(r) + forest.record_size(r); ++v) {
        for (const OnceValue& value : OnceValues(v)) {
          const auto [place, is_new] = best.emplace(value, v);
          if (is_new) continue;
          const bool better = Cost(*Suppressed(v)) > Cost(*Suppressed(place->second));
          blocked_.insert(better ? place->second : v);
          if (better) place->second = v;
        }
      }
    }
  }

  void NoteShown(const LiteralNode* representative) {
    shown_.clear();
    std::map<Vertex, const LiteralNode*> published;
    List(*representative, published);
    for (const auto& [v, node] : published) {
      for (const OnceValue& value : OnceValues(v)) shown_.insert(value);
    }
  }

  static void List(const LiteralNode& node, std::map<Vertex, const LiteralNode*>& published) {
    for (const Vertex v : node.members) published[v] = &node;
    for (const LiteralTree& child : node.children) List(*child, published);
  }

  LiteralTree Build(Vertex v, bool without_blocked) const {
    auto node = std::make_unique<LiteralNode>();
    node->id = data_->forest().class_of(v);
    node->members = {v};
    for (size_t slot = 0; slot < data_->schema().classes[node->id].quasi.size(); ++slot) {
      node->labels.push_back(data_->classes[node->id].domains[slot].Leaf(data_->value(v, slot)));
    }
    for (const Vertex child : data_->forest().Children(v)) {
      if (without_blocked && blocked_.count(child) != 0) continue;
      node->children.push_back(Build(child, without_blocked));
    }
    return node;
  }
  LiteralTree Suppressed(Vertex v) const {
    LiteralTree tree = Build(v, false);
    tree->suppressed = true;
    return tree;
  }

  Units SuppressedVertex(ClassId id) const {
    return static_cast<Units>(data_->schema().classes[id].quasi.size()) * 1048576 + 1;
  }
  Units LabelCost(const LiteralNode& node) const {
    Units cost = 0;
    for (size_t slot = 0; slot < node.labels.size(); ++slot) {
      cost += LiteralDomain(data_->classes[node.id].domains[slot]).Cost(node.labels[slot]);
    }
    return cost;
  }
  Units Cost(const LiteralNode& node, bool suppressed = false) const {
    suppressed = suppressed || node.suppressed;
    Units cost = suppressed ? SuppressedVertex(node.id) : LabelCost(node);
    for (const LiteralTree& child : node.children) cost += Cost(*child, suppressed);
    return cost;
  }
  Units RecordWeight(RecordId record) const {
    return Cost(*Suppressed(data_->forest().root(record)));
  }

  bool Diverse(const LiteralNode& a, const LiteralNode& b) const {
    if (a.id != b.id) return false;
    const Vertex v = b.members.front();
    if (blocked_.count(v) != 0) return false;
    for (const OnceValue& value : OnceValues(v)) {
      if (shown_.count(value) != 0) return false;
    }
    if (options_.l == 0) return true;
    for (size_t attribute = 0; attribute < data_->schema().classes[a.id].sensitive.size();
         ++attribute) {
      const uint32_t bucket = data_->Bucket(v, attribute);
      const auto count = std::count_if(a.members.begin(), a.members.end(), [&](Vertex member) {
        return data_->Bucket(member, attribute) == bucket;
      });
      if (count + 1 > most_repeats_) return false;
    }
    return true;
  }

  Units Both(const LiteralNode& a, const LiteralNode& b) const {
    return copies_ * Cost(a) + Cost(b);
  }

  // `for_good`: not on clones, so it matters which vertices stand together.
  Units Diversify(LiteralNode& a, LiteralNode& b, bool for_good) {
    if (!Diverse(a, b)) {
      a.suppressed = true;
      b.suppressed = true;
      return Both(a, b);
    }
    a.partner = b.members.front();
    for (size_t slot = 0; slot < a.labels.size(); ++slot) {
      const Label both =
          LiteralDomain(data_->classes[a.id].domains[slot]).Mrca(a.labels[slot], b.labels[slot]);
      a.labels[slot] = both;
      b.labels[slot] = both;
    }
    for (const ClassId id : data_->schema().classes[a.id].children) {
      const std::vector<LiteralNode*> of_a = ChildrenOf(a, id);
      const std::vector<LiteralNode*> of_b = ChildrenOf(b, id);
      std::set<LiteralNode*> paired;
      for (const auto& [x, y] : FindMapping(of_a, of_b, for_good)) {
        Diversify(*x, *y, for_good);
        paired.insert({x, y});
      }
      for (LiteralNode* x : of_a) x->suppressed = x->suppressed || paired.count(x) == 0;
      for (LiteralNode* y : of_b) y->suppressed = y->suppressed || paired.count(y) == 0;
    }
    return Both(a, b);
  }

  static std::vector<LiteralNode*> ChildrenOf(const LiteralNode& node, ClassId id) {
    std::vector<LiteralNode*> found;
    for (const LiteralTree& child : node.children) {
      if (child->id == id) found.push_back(child.get());
    }
    return found;
  }

  using Pairs = std::vector<std::pair<LiteralNode*, LiteralNode*>>;

  Pairs FindMapping(const std::vector<LiteralNode*>& a, const std::vector<LiteralNode*>& b,
                    bool for_good) {
    if (a.empty() || b.empty()) return {};
    const bool a_is_smaller = a.size() <= b.size();
    const auto& s = a_is_smaller ? a : b;
    const auto& u = a_is_smaller ? b : a;
    Pairs pairs = options_.mapping == LiteralMapping::kGreedy
                      ? Greedily(s, u, a_is_smaller)
                      : ByAssignment(s, u, a_is_smaller, for_good);
    if (!a_is_smaller) {
      for (auto& [x, y] : pairs) std::swap(x, y);
    }
    return pairs;
  }

  // What the clones cost when merged, and when suppressed.
  std::pair<Units, Units> CostOnClones(const LiteralNode& s, const LiteralNode& u, bool s_is_a) {
    LiteralTree a = Clone(s_is_a ? s : u);
    LiteralTree b = Clone(s_is_a ? u : s);
    if (options_.mapping == LiteralMapping::kLabels) {
      a->children.clear();
      b->children.clear();
    }
    const Units merged = Diversify(*a, *b, false);
    return {merged, copies_ * Cost(*a, true) + Cost(*b, true)};
  }

  // Algorithm 2.
  Pairs Greedily(const std::vector<LiteralNode*>& s, std::vector<LiteralNode*> u, bool s_is_a) {
    Pairs pairs;
    for (LiteralNode* f : s) {
      Units least = std::numeric_limits<Units>::max();
      size_t match = 0;
      for (size_t j = 0; j < u.size(); ++j) {
        const Units cost = CostOnClones(*f, *u[j], s_is_a).first;
        if (cost < least) {
          least = cost;
          match = j;
        }
      }
      pairs.emplace_back(f, u[match]);
      u.erase(u.begin() + static_cast<std::ptrdiff_t>(match));
    }
    return pairs;
  }

  // Algorithm 3, with all permutations in the place of the Hungarian algorithm.
  Pairs ByAssignment(const std::vector<LiteralNode*>& s, const std::vector<LiteralNode*>& u,
                     bool s_is_a, bool for_good) {
    const size_t n = u.size();
    if (n > 7) throw std::logic_error("too many siblings to try all permutations");
    std::vector<std::vector<Units>> cost(n, std::vector<Units>(n));
    std::vector<std::vector<bool>> merges(n, std::vector<bool>(n, false));
    for (size_t j = 0; j < n; ++j) {
      for (size_t i = 0; i < s.size(); ++i) {
        const auto [merged, apart] = CostOnClones(*s[i], *u[j], s_is_a);
        cost[i][j] = merged;
        merges[i][j] = merged < apart;
      }
      const Units own = options_.mapping == LiteralMapping::kLabels ? SuppressedVertex(u[j]->id)
                                                                    : Cost(*u[j], true);
      for (size_t i = s.size(); i < n; ++i) cost[i][j] = (s_is_a ? 1 : copies_) * own;
    }
    std::vector<size_t> column(n);
    std::iota(column.begin(), column.end(), size_t{0});
    Units least = std::numeric_limits<Units>::max();
    std::set<std::vector<std::pair<size_t, size_t>>> answers;
    do {
      Units total = 0;
      for (size_t i = 0; i < n; ++i) total += cost[i][column[i]];
      if (total > least) continue;
      if (total < least) answers.clear();
      least = total;
      std::vector<std::pair<size_t, size_t>> answer;
      for (size_t i = 0; i < s.size(); ++i) {
        if (merges[i][column[i]]) answer.emplace_back(i, column[i]);
      }
      answers.insert(std::move(answer));
    } while (std::next_permutation(column.begin(), column.end()));
    // By whole subtrees, equally good answers cost the same; by labels they need not.
    const bool matters = for_good || options_.mapping == LiteralMapping::kLabels;
    if (answers.size() > 1 && matters) ambiguous_ = true;
    Pairs pairs;
    for (const auto& [i, j] : *answers.begin()) pairs.emplace_back(s[i], u[j]);
    return pairs;
  }

  // Algorithm 4; nothing when no record may join (weighted only).
  std::optional<LiteralCluster> CreateCluster(RecordId seed) {
    LiteralCluster cluster{Seed(seed), {seed}};
    std::set<RecordId> pool = left_;
    pool.erase(seed);
    while (static_cast<int>(cluster.records.size()) < options_.class_size) {
      std::optional<RecordId> best;
      Units least = 0;
      for (const RecordId candidate : pool) {
        LiteralTree tree = cluster.representative ? Clone(*cluster.representative) : nullptr;
        LiteralTree record = Record(candidate);
        if (options_.weighted && !RootsMayMeet(*tree, *record)) continue;
        const Units cost = CostForSearch(tree.get(), *record);
        if (!best || cost < least) {
          best = candidate;
          least = cost;
        }
      }
      if (!best) return std::nullopt;
      Join(cluster, *best);
      pool.erase(*best);
    }
    return cluster;
  }

  // As Diversify on clones, where it does not matter which vertices stand together.
  Units CostForSearch(LiteralNode* representative, LiteralNode& record) {
    const bool before = ambiguous_;
    const Units cost = Diversify(representative, record);
    if (options_.mapping != LiteralMapping::kLabels) ambiguous_ = before;
    return cost;
  }

  void Join(LiteralCluster& cluster, RecordId joining) {
    LiteralTree record = Record(joining);
    Diversify(cluster.representative.get(), *record);
    cluster.representative = Update(std::move(cluster.representative));
    cluster.records.push_back(joining);
  }

  void Pass(double chi) {
    const std::set<RecordId> seeds = left_;
    for (const RecordId seed : seeds) {
      if (left_.count(seed) == 0) continue;
      if (static_cast<int>(left_.size()) < options_.class_size) return;
      const bool limited = accepted_costs_.size() > 1 && !std::isinf(chi);
      std::optional<LiteralCluster> cluster = CreateCluster(seed);
      if (!cluster) {
        // Nobody may join: while costs are limited it may still join others; then it is set aside.
        if (limited) continue;
        left_.erase(seed);
        set_aside_.insert(seed);
        continue;
      }
      const Units cost = ClassCost(*cluster);
      if (limited && IsTooCostly(cost, chi)) continue;
      for (const RecordId record : cluster->records) left_.erase(record);
      accepted_.push_back(std::move(*cluster));
      accepted_costs_.push_back(static_cast<double>(cost));
    }
  }

  bool IsTooCostly(Units cost, double chi) {
    const auto count = static_cast<double>(accepted_costs_.size());
    const double mean =
        std::accumulate(accepted_costs_.begin(), accepted_costs_.end(), 0.0) / count;
    double squares = 0;
    for (const double other : accepted_costs_) squares += (other - mean) * (other - mean);
    const double limit = mean + chi * std::sqrt(squares / count);
    // So near that rounding decides.
    if (std::abs(static_cast<double>(cost) - limit) < 1e-3) ambiguous_ = true;
    return static_cast<double>(cost) > limit;
  }

  // A leftover joins the class where it costs least, if that costs less than to leave it out.
  bool Absorb(RecordId leftover) {
    std::optional<size_t> best;
    Units least = RecordWeight(leftover);
    const bool before = ambiguous_;
    for (size_t i = 0; i < accepted_.size(); ++i) {
      if (!accepted_[i].representative) continue;
      most_repeats_ = Repeats(static_cast<int>(accepted_[i].records.size()) + 1);
      LiteralCluster trial{Clone(*accepted_[i].representative), accepted_[i].records};
      Join(trial, leftover);
      if (!trial.representative) continue;
      const Units more = ClassCost(trial) - ClassCost(accepted_[i]);
      if (more < least) {
        best = i;
        least = more;
      }
    }
    if (options_.mapping != LiteralMapping::kLabels) ambiguous_ = before;
    if (!best) return false;
    most_repeats_ = Repeats(static_cast<int>(accepted_[*best].records.size()) + 1);
    Join(accepted_[*best], leftover);
    return true;
  }

  const EncodedDataset* data_;
  LiteralOptions options_;
  int most_repeats_ = 0;
  Units copies_ = 1;
  bool ambiguous_ = false;
  std::set<Vertex> blocked_;
  std::set<OnceValue> shown_;
  std::set<RecordId> left_;
  std::set<RecordId> set_aside_;
  std::vector<LiteralCluster> accepted_;
  std::vector<double> accepted_costs_;
};

}  // namespace thicket::testing
