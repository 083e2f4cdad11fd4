// What has become of the labels and relations of subtrees in published data: dtree of Gkountouna et al. 2013, equation 6, as
// mining_loss.h says.
//
//   const SubtreeFates fates(space, published, least, phase);
//   fates.Distance(subtree);   // r -> a -> b published as r -> A -> b: 0.25; with A over b disassociated: 0.75
//
// O(pairs of related labels * depths of their taxonomies) to make.
#pragma once

#include <cstdint>
#include <vector>

#include "base/phase.h"
#include "utility/frequent_subtrees.h"
#include "utility/path_trees.h"

namespace thicket {

class SubtreeFates {
 public:
  // How often it goes through the records; each time it advances the phase by each of them.
  static constexpr uint64_t kRounds = 2;

  // `least` is how many records make a label or a relation frequent.
  SubtreeFates(const LabelSpace& space, const PathTrees& published, uint32_t least, Phase& phase);

  double Distance(const Subtree& subtree) const;

 private:
  void FindLabels(const PathTrees& published, Phase& phase);
  void FindRelations(const PathTrees& published, Phase& phase);
  // Between the frequent labels at or above each.
  void AddRelations(LabelId above, LabelId below, RecordId record);
  bool IsBroken(LabelId above, LabelId below) const;

  const LabelSpace* space_;
  uint32_t least_;
  // By label: the lowest frequent one at or above it, and its number among the frequent ones. What is above a frequent label
  // is frequent.
  std::vector<LabelId> fate_;
  std::vector<uint32_t> rank_;
  uint64_t rank_count_ = 0;
  RecordCounts relations_{0};
};

}  // namespace thicket
