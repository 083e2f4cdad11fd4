#include "grouping/leftovers.h"

#include <algorithm>

namespace thicket {

namespace {

// Whether the record may stand with some class at all.
bool FitsAnywhere(Merger& merger, const std::vector<Representative>& classes, RecordId record) {
  return std::any_of(classes.begin(), classes.end(), [&](const Representative& group) {
    return group.size() > 0 && merger.Similarity(group, record, 1) > 0;
  });
}

}  // namespace

LeftoverFate PlaceLeftover(Leftovers how, const TreeModel& model, Merger& merger,
                           std::vector<Representative>& classes, RecordId record) {
  if (how == Leftovers::kSuppress) return LeftoverFate::kSuppressed;
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
  if (best == nullptr) {
    return FitsAnywhere(merger, classes, record) ? LeftoverFate::kCostsMore
                                                 : LeftoverFate::kSuppressed;
  }
  std::vector<VertexPair> pairs;
  merger.Pair(*best, record, pairs);
  *best = best->Absorb(model, record, pairs, static_cast<int>(best->member_count()) + 1);
  return LeftoverFate::kAbsorbed;
}

}  // namespace thicket
