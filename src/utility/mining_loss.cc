#include "utility/mining_loss.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/phase.h"
#include "utility/frequent_subtrees.h"
#include "utility/path_trees.h"
#include "utility/subtree_fates.h"

namespace thicket {

uint64_t MiningLossReport::frequent() const {
  uint64_t sum = 0;
  for (const MiningLossLevel& level : levels) sum += level.frequent;
  return sum;
}

uint64_t MiningLossReport::kept() const {
  uint64_t sum = 0;
  for (const MiningLossLevel& level : levels) sum += level.kept;
  return sum;
}

double MiningLossReport::ml2() const {
  if (frequent() == 0) return 0;
  return 1 - static_cast<double>(kept()) / static_cast<double>(frequent());
}

double MiningLossReport::dml2() const {
  if (frequent() == 0) return 0;
  double sum = 0;
  for (const MiningLossLevel& level : levels) sum += level.distance;
  return sum / static_cast<double>(frequent());
}

Result<MiningLossReport> MeasureMiningLoss(const EncodedDataset& original, const Dataset& published,
                                           const MiningLossOptions& options, Parallel& parallel,
                                           Progress& progress) {
  const LabelSpace space(original);
  THICKET_ASSIGN(const PathTrees after, PathTrees::OfPublished(space, original, published));
  const PathTrees before = PathTrees::OfOriginal(space, original);
  const double share = options.support * static_cast<double>(before.record_count());
  // The margin keeps 1 % of 100 from becoming 2 records.
  const auto least = static_cast<uint32_t>(std::max(1.0, std::ceil(share - 1e-6)));

  // By level: of the original, then of the published data.
  std::vector<std::vector<Subtree>> frequent(2 * space.level_count());
  const uint64_t rounds = kMiningRounds * space.level_count();
  Phase phase("mining", rounds * (before.record_count() + after.record_count()) +
                            SubtreeFates::kRounds * after.record_count());
  parallel.For(frequent.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      frequent[i] = FrequentSubtrees(space, i % 2 == 0 ? before : after,
                                     static_cast<uint32_t>(i / 2), least, phase);
    }
  });
  const SubtreeFates fates(space, after, least, phase);
  if (progress.cancelled()) return Interrupted();

  MiningLossReport report;
  for (size_t level = 0; level < space.level_count(); ++level) {
    const std::vector<Subtree>& still = frequent[2 * level + 1];
    MiningLossLevel of_level;
    for (const Subtree& subtree : frequent[2 * level]) {
      ++of_level.frequent;
      of_level.kept += std::binary_search(still.begin(), still.end(), subtree) ? 1 : 0;
      of_level.distance += fates.Distance(subtree);
    }
    report.levels.push_back(of_level);
  }
  return report;
}

}  // namespace thicket
