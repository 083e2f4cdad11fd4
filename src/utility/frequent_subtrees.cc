#include "utility/frequent_subtrees.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

namespace {

constexpr LabelId kNone = LabelSpace::kNone;

// One record at one level: its nodes' labels as ranks of the frequent ones, or kNone.
struct RankedTree {
  PathTree tree;
  std::vector<uint32_t> rank;
  // The different ranks, ascending.
  std::vector<uint32_t> set;

  void Read(const PathTrees& trees, RecordId record, const std::vector<uint32_t>& rank_of_label) {
    trees.Read(record, tree);
    rank.assign(tree.nodes.size(), kNone);
    set.clear();
    for (size_t i = 1; i < tree.nodes.size(); ++i) {
      rank[i] = rank_of_label[tree.nodes[i].label];
      if (rank[i] != kNone) set.push_back(rank[i]);
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }

  // Calls use(above) for every ranked node above the node, from below to above.
  template <typename Use>
  void Above(size_t node, const Use& use) const {
    for (uint32_t i = tree.nodes[node].parent; i != 0; i = tree.nodes[i].parent) {
      if (rank[i] != kNone) use(i);
    }
  }
};

class Miner {
 public:
  Miner(const LabelSpace& space, const PathTrees& trees, uint32_t level, uint32_t least,
        Phase& phase)
      : space_(space), trees_(trees), least_(least), phase_(phase), projected_(space.size()) {
    for (LabelId label = 0; label < space.size(); ++label) {
      projected_[label] = ProjectToLevel(space, label, level);
    }
  }

  std::vector<Subtree> Run() {
    MineLabels();
    MinePairs();
    MinePaths();
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  uint64_t label_count() const { return labels_.size(); }
  uint64_t PairKey(uint64_t a, uint64_t b) const { return a * label_count() + b; }

  template <typename Use>
  void EachRecord(const Use& use) {
    for (RecordId record = 0; record < trees_.record_count(); ++record) {
      StopPoint();
      phase_.Advance();
      ranked_.Read(trees_, record, rank_of_label_);
      use(record);
    }
  }

  void MineLabels() {
    rank_of_label_ = projected_;
    RecordCounts counts(projected_.size());
    EachRecord([&](RecordId record) {
      for (const uint32_t label : ranked_.set) counts.Add(label, record);
    });
    std::vector<uint32_t> rank(projected_.size(), kNone);
    for (const uint64_t label : counts.Frequent(least_)) {
      rank[label] = static_cast<uint32_t>(labels_.size());
      labels_.push_back(static_cast<LabelId>(label));
      found_.push_back({{labels_.back(), kNone, kNone}, true});
    }
    for (size_t label = 0; label < projected_.size(); ++label) {
      rank_of_label_[label] = projected_[label] == kNone ? kNone : rank[projected_[label]];
    }
  }

  void MinePairs() {
    RecordCounts sets(label_count() * label_count());
    RecordCounts paths(label_count() * label_count());
    EachRecord([&](RecordId record) {
      const std::vector<uint32_t>& set = ranked_.set;
      for (size_t i = 0; i < set.size(); ++i) {
        for (size_t j = i + 1; j < set.size(); ++j) {
          if (space_.MayRelate(labels_[set[i]], labels_[set[j]])) continue;
          sets.Add(PairKey(set[i], set[j]), record);
        }
      }
      for (size_t node = 1; node < ranked_.rank.size(); ++node) {
        if (ranked_.rank[node] == kNone) continue;
        ranked_.Above(node, [&](uint32_t above) {
          paths.Add(PairKey(ranked_.rank[above], ranked_.rank[node]), record);
        });
      }
    });
    for (const uint64_t key : sets.Frequent(least_)) AddPair(key, false);
    is_frequent_.assign(label_count() * label_count(), false);
    for (const uint64_t key : paths.Frequent(least_)) {
      AddPair(key, true);
      is_frequent_[key] = true;
      number_.emplace(key, static_cast<uint32_t>(number_.size()));
    }
  }

  void AddPair(uint64_t key, bool is_path) {
    found_.push_back(
        {{labels_[key / label_count()], labels_[key % label_count()], kNone}, is_path});
  }

  void MinePaths() {
    // Keys: the number of the upper pair, and the lowest label.
    std::vector<uint64_t> pairs(number_.size());
    for (const auto& [key, number] : number_) pairs[number] = key;
    RecordCounts paths(pairs.size() * label_count());
    EachRecord([&](RecordId record) {
      for (size_t low = 1; low < ranked_.rank.size(); ++low) {
        if (ranked_.rank[low] != kNone) AddPathsTo(low, record, paths);
      }
    });
    for (const uint64_t key : paths.Frequent(least_)) {
      const uint64_t upper = pairs[key / label_count()];
      found_.push_back({{labels_[upper / label_count()], labels_[upper % label_count()],
                         labels_[key % label_count()]},
                        true});
    }
  }

  void AddPathsTo(size_t low, RecordId record, RecordCounts& paths) const {
    const uint32_t lowest = ranked_.rank[low];
    ranked_.Above(low, [&](uint32_t middle) {
      if (!is_frequent_[PairKey(ranked_.rank[middle], lowest)]) return;
      ranked_.Above(middle, [&](uint32_t top) {
        const uint64_t upper = PairKey(ranked_.rank[top], ranked_.rank[middle]);
        if (!is_frequent_[upper] || !is_frequent_[PairKey(ranked_.rank[top], lowest)]) return;
        paths.Add(number_.at(upper) * label_count() + lowest, record);
      });
    });
  }

  const LabelSpace& space_;
  const PathTrees& trees_;
  uint32_t least_;
  Phase& phase_;
  // By label: its projection, and the rank of that among the frequent labels (while these are not known, itself).
  std::vector<LabelId> projected_;
  std::vector<uint32_t> rank_of_label_;
  std::vector<LabelId> labels_;
  // The paths of two labels, by key: whether they are frequent, and if so their number.
  std::vector<bool> is_frequent_;
  std::unordered_map<uint64_t, uint32_t> number_;
  RankedTree ranked_;
  std::vector<Subtree> found_;
};

}  // namespace

std::vector<uint64_t> RecordCounts::Frequent(uint32_t least) const {
  std::vector<uint64_t> keys;
  for (uint64_t key = 0; key < dense_.size(); ++key) {
    if (dense_[key].records >= least) keys.push_back(key);
  }
  for (const auto& [key, count] : sparse_) {
    if (count.records >= least) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

LabelId ProjectToLevel(const LabelSpace& space, LabelId label, uint32_t level) {
  while (space.level(label) > level) label = space.parent(label);
  return space.level(label) == level || space.is_leaf(label) ? label : kNone;
}

std::vector<Subtree> FrequentSubtrees(const LabelSpace& space, const PathTrees& trees,
                                      uint32_t level, uint32_t least, Phase& phase) {
  return Miner(space, trees, level, least, phase).Run();
}

}  // namespace thicket
