#include "grouping/leftovers.h"

#include <algorithm>

namespace thicket {

bool AbsorbLeftover(const TreeModel& model, Merger& merger, std::vector<Representative>& classes,
                    RecordId record) {
  const Units weight = model.record_weight(record);
  Units least = weight;
  Representative* best = nullptr;
  for (Representative& group : classes) {
    if (group.size() == 0) continue;
    group.SetClassSize(model, static_cast<int>(group.member_count()) + 1);
    const CostLine line = CostLine::Of(MergeCost::kWeighted, group, weight);
    const Units need = std::max<Units>(1, line.Need(group.cost() + least - 1));
    const Units similarity = merger.Similarity(group, record, need);
    if (similarity < need) continue;
    least = line.At(similarity) - group.cost();
    best = &group;
  }
  if (best == nullptr) return false;
  std::vector<VertexPair> pairs;
  merger.Pair(*best, record, pairs);
  *best = best->Absorb(model, record, pairs, static_cast<int>(best->member_count()) + 1);
  return true;
}

}  // namespace thicket
