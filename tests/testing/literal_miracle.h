// MiRaCle of Nergiz et al. 2008, section IV, word for word: the reference for tests.
//
// Algorithms 2 to 5 on trees of pointers. Everything is cloned, every cost is found by really merging the clones, every
// distance by walking over the records. Nothing here is shared with matching/ or grouping/. k-anonymity only, and without
// values that may occur only once.
//
//   LiteralMiracle literal(encoded, {.pairing = LiteralPairing::kLabels, .class_size = 3});
//   LiteralClusters result = literal.Run();
//
// Where the paper leaves a choice, the project's documented one is taken (grouping/miracle.h); of equals the first wins.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "record/dataset.h"
#include "testing/literal_tree.h"

namespace thicket::testing {

enum class LiteralPairing {
  kSubtrees,  // Algorithm 4
  kLabels,    // Algorithm 5
  kBitmap,    // section III-C
};

struct LiteralMiracleOptions {
  LiteralPairing pairing = LiteralPairing::kSubtrees;
  int class_size = 2;
  int climit = 150;
  double th = 0.1;
};

struct LiteralClusters {
  struct Cluster {
    LiteralTree representative;
    std::vector<RecordId> records;
  };
  std::vector<Cluster> classes;
  std::set<RecordId> suppressed;
};

class LiteralMiracle {
 public:
  using Cluster = LiteralClusters::Cluster;

  LiteralMiracle(const EncodedDataset& data, LiteralMiracleOptions options)
      : data_(&data), options_(options) {}

  // Algorithm 2.
  LiteralClusters Run() {
    LiteralClusters result;
    std::vector<Cluster> open;
    for (RecordId record = 0; record < data_->forest().record_count(); ++record) {
      std::optional<size_t> nearest;
      double least = std::numeric_limits<double>::infinity();
      for (size_t i = 0; i < open.size(); ++i) {
        const double distance = Distance(Joined(open[i], record));
        if (distance < least) {
          least = distance;
          nearest = i;
        }
      }
      const bool may_open = open.size() < static_cast<size_t>(options_.climit);
      if (!nearest || (least > options_.th && may_open)) {
        open.push_back({Tree(data_->forest().root(record)), {record}});
        continue;
      }
      open[*nearest] = Joined(open[*nearest], record);
      if (!IsFull(open[*nearest])) continue;
      result.classes.push_back(std::move(open[*nearest]));
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(*nearest));
    }
    MergeLeftovers(std::move(open), result);
    return result;
  }

 private:
  bool IsFull(const Cluster& cluster) const {
    return cluster.records.size() >= static_cast<size_t>(options_.class_size);
  }

  // Lines 13 to 22.
  void MergeLeftovers(std::vector<Cluster> left, LiteralClusters& result) {
    while (!left.empty()) {
      Cluster cluster = std::move(left.front());
      left.erase(left.begin());
      while (!IsFull(cluster) && !left.empty()) {
        size_t nearest = 0;
        double least = std::numeric_limits<double>::infinity();
        for (size_t i = 0; i < left.size(); ++i) {
          const double distance = Distance(United(cluster, left[i]));
          if (distance < least) {
            least = distance;
            nearest = i;
          }
        }
        cluster = United(cluster, left[nearest]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(nearest));
      }
      if (IsFull(cluster)) {
        result.classes.push_back(std::move(cluster));
      } else {
        result.suppressed.insert(cluster.records.begin(), cluster.records.end());
      }
    }
  }

  LiteralTree Tree(Vertex v) const {
    auto node = std::make_unique<LiteralNode>();
    node->id = data_->forest().class_of(v);
    node->members = {v};
    const auto& domains = data_->classes[node->id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      node->labels.push_back(domains[slot].Leaf(data_->value(v, slot)));
    }
    for (const Vertex child : data_->forest().Children(v)) node->children.push_back(Tree(child));
    return node;
  }

  Cluster Joined(const Cluster& cluster, RecordId record) const {
    Cluster joined{Anonymize(*cluster.representative, *Tree(data_->forest().root(record))),
                   cluster.records};
    joined.records.push_back(record);
    return joined;
  }
  Cluster United(const Cluster& cluster, const Cluster& other) const {
    Cluster united{Clone(*cluster.representative), cluster.records};
    for (const RecordId record : other.records) united = Joined(united, record);
    return united;
  }

  // Algorithm 3.
  LiteralTree Anonymize(const LiteralNode& a, const LiteralNode& b) const {
    LiteralTree merged = Generalize(a, b);
    std::set<ClassId> tables;
    for (const LiteralTree& child : a.children) tables.insert(child->id);
    for (const ClassId table : tables) {
      std::map<size_t, LiteralTree> by_position;
      AnonymizeSets(Rows(a, table), Rows(b, table), by_position);
      for (auto& [position, child] : by_position) merged->children.push_back(std::move(child));
    }
    return merged;
  }

  LiteralTree Generalize(const LiteralNode& a, const LiteralNode& b) const {
    auto merged = std::make_unique<LiteralNode>();
    merged->id = a.id;
    merged->members = a.members;
    merged->members.insert(merged->members.end(), b.members.begin(), b.members.end());
    for (size_t slot = 0; slot < a.labels.size(); ++slot) {
      const LiteralDomain domain(data_->classes[a.id].domains[slot]);
      merged->labels.push_back(domain.Mrca(a.labels[slot], b.labels[slot]));
    }
    return merged;
  }

  using Set = std::vector<const LiteralNode*>;
  static Set Rows(const LiteralNode& node, ClassId table) {
    Set rows;
    for (const LiteralTree& child : node.children) {
      if (child->id == table) rows.push_back(child.get());
    }
    return rows;
  }

  // Algorithms 4 and 5: the smaller set's rows in turn, the representative's if both are equally large.
  void AnonymizeSets(const Set& a, const Set& b, std::map<size_t, LiteralTree>& found) const {
    const bool a_takes = a.size() <= b.size() || options_.pairing == LiteralPairing::kBitmap;
    std::set<size_t> taken;
    for (size_t taker = 0; taker < (a_takes ? a : b).size(); ++taker) {
      std::optional<size_t> best;
      Units least = std::numeric_limits<Units>::max();
      for (size_t offer = 0; offer < (a_takes ? b : a).size(); ++offer) {
        if (taken.count(offer) > 0) continue;
        const LiteralNode& x = *a[a_takes ? taker : offer];
        const LiteralNode& y = *b[a_takes ? offer : taker];
        if (options_.pairing == LiteralPairing::kBitmap && x.labels != y.labels) continue;
        const Units cost = PairCost(x, y);
        if (cost < least) {
          least = cost;
          best = offer;
        }
      }
      if (!best) continue;
      taken.insert(*best);
      const size_t i = a_takes ? taker : *best;
      found[i] = Anonymize(*a[i], *b[a_takes ? *best : taker]);
    }
  }

  Units PairCost(const LiteralNode& a, const LiteralNode& b) const {
    if (options_.pairing == LiteralPairing::kBitmap) return 0;
    if (options_.pairing == LiteralPairing::kLabels) return LabelCost(*Generalize(a, b));
    const LiteralTree merged = Anonymize(a, b);
    const auto copies = static_cast<Units>(a.members.size());
    const Units kept = Weight(*merged);
    return (copies + 1) * TreeCost(*merged) + copies * (Weight(a) - kept) + Weight(b) - kept;
  }

  Units LabelCost(const LiteralNode& node) const {
    Units cost = 0;
    for (size_t slot = 0; slot < node.labels.size(); ++slot) {
      cost += LiteralDomain(data_->classes[node.id].domains[slot]).Cost(node.labels[slot]);
    }
    return cost;
  }
  Units TreeCost(const LiteralNode& node) const {
    Units cost = LabelCost(node);
    for (const LiteralTree& child : node.children) cost += TreeCost(*child);
    return cost;
  }
  // A suppressed vertex costs a unit more than its labels.
  static Units Weight(const LiteralNode& node) {
    Units weight = static_cast<Units>(node.labels.size()) * 1048576 + 1;
    for (const LiteralTree& child : node.children) weight += Weight(*child);
    return weight;
  }

  // What the cluster's records lose, over what they could lose.
  double Distance(const Cluster& cluster) const {
    const auto copies = static_cast<Units>(cluster.records.size());
    Units most = 0;
    for (const RecordId record : cluster.records) {
      most += Weight(*Tree(data_->forest().root(record)));
    }
    const Units cost =
        most - copies * (Weight(*cluster.representative) - TreeCost(*cluster.representative));
    return static_cast<double>(cost) / static_cast<double>(most);
  }

  const EncodedDataset* data_;
  LiteralMiracleOptions options_;
};

}  // namespace thicket::testing
