#include "grouping/leftovers.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

namespace {

// How many vertices of suppressed records are held against classes, at most, to count those that cost too much.
constexpr size_t kMostHeld = size_t{1} << 23;

// The class whose cost rises least when it takes in the record, if by less than what the record weighs.
Representative* CheapestClass(const TreeModel& model, Merger& merger,
                              std::vector<Representative>& classes, RecordId record) {
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
  return best;
}

// Whether the record may stand with some class at all.
bool FitsAnywhere(Merger& merger, const std::vector<Representative>& classes, RecordId record) {
  return std::any_of(classes.begin(), classes.end(), [&](const Representative& group) {
    return group.size() > 0 && merger.Similarity(group, record, 1) > 0;
  });
}

}  // namespace

bool PlaceLeftover(Leftovers how, const TreeModel& model, Merger& merger,
                   std::vector<Representative>& classes, RecordId record) {
  if (how == Leftovers::kSuppress) return false;
  Representative* best = CheapestClass(model, merger, classes, record);
  if (best == nullptr) return false;
  std::vector<VertexPair> pairs;
  merger.Pair(*best, record, pairs);
  *best = best->Absorb(model, record, pairs, static_cast<int>(best->member_count()) + 1);
  return true;
}

std::optional<size_t> CountCostlyLeftovers(const EncodedDataset& data, const DiversityRule& rule,
                                           const MergeOptions& merge,
                                           const Publication& published) {
  if (published.suppressed().empty()) return 0;
  size_t vertices = 0;
  for (const RecordId record : published.suppressed()) {
    vertices += data.forest().record_size(record);
  }
  if (vertices > kMostHeld / std::max<size_t>(1, published.tree_count())) return std::nullopt;
  const TreeModel model(data, rule);
  Merger merger(model, {.mapping = merge.mapping, .cost = MergeCost::kWeighted});
  std::vector<Representative> classes;
  for (const PublishedTree tree : published.trees()) {
    StopPoint();
    classes.push_back(Representative::From(model, tree));
  }
  size_t count = 0;
  for (const RecordId record : published.suppressed()) {
    StopPoint();
    const bool is_cheap = CheapestClass(model, merger, classes, record) != nullptr;
    if (!is_cheap && FitsAnywhere(merger, classes, record)) ++count;
  }
  return count;
}

}  // namespace thicket
