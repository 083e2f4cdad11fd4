// The frequent subtrees of a data set at one level of the taxonomies; what they are is said in mining_loss.h.
//
//   const std::vector<Subtree> frequent = FrequentSubtrees(space, trees, 2, least, phase);
//
// Level-wise, as Apriori does: labels, then pairs of frequent labels, then paths of three whose pairs are all frequent.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/phase.h"
#include "utility/path_trees.h"

namespace thicket {

struct Subtree {
  // A path from above to below, or a set in ascending order. LabelSpace::kNone after the last.
  std::array<LabelId, 3> labels = {LabelSpace::kNone, LabelSpace::kNone, LabelSpace::kNone};
  bool is_path = true;

  size_t size() const {
    size_t count = 0;
    while (count < labels.size() && labels[count] != LabelSpace::kNone) ++count;
    return count;
  }
  friend bool operator==(const Subtree&, const Subtree&) = default;
  friend bool operator<(const Subtree& a, const Subtree& b) {
    return a.labels != b.labels ? a.labels < b.labels : a.is_path < b.is_path;
  }
};

// In how many records each of some keys occurs. Records come one after the other. An array where the keys are few, a hash
// table where they are not.
class RecordCounts {
 public:
  explicit RecordCounts(uint64_t key_count) {
    if (key_count <= kMostDense) dense_.resize(key_count);
  }

  void Add(uint64_t key, RecordId record) {
    Count& count = dense_.empty() ? sparse_[key] : dense_[key];
    if (count.last == record + 1) return;
    count.last = record + 1;
    ++count.records;
  }
  uint32_t of(uint64_t key) const {
    if (!dense_.empty()) return dense_[key].records;
    const auto found = sparse_.find(key);
    return found == sparse_.end() ? 0 : found->second.records;
  }
  // Keys that occur in at least `least` (> 0) records, ascending.
  std::vector<uint64_t> Frequent(uint32_t least) const;

 private:
  static constexpr uint64_t kMostDense = uint64_t{1} << 24;
  struct Count {
    // The last record that was counted, plus 1.
    uint32_t last = 0;
    uint32_t records = 0;
  };
  std::vector<Count> dense_;
  std::unordered_map<uint64_t, Count> sparse_;
};

// The label's projection to the level; kNone if it cannot be projected.
LabelId ProjectToLevel(const LabelSpace& space, LabelId label, uint32_t level);

// How often FrequentSubtrees goes through the records; each time it advances the phase by each of them.
inline constexpr uint64_t kMiningRounds = 3;

// Sorted. `least` is how many records must hold a subtree.
std::vector<Subtree> FrequentSubtrees(const LabelSpace& space, const PathTrees& trees,
                                      uint32_t level, uint32_t least, Phase& phase);

}  // namespace thicket
