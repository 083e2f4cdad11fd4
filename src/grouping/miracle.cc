#include "grouping/miracle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "grouping/miracle_nearest.h"
#include "grouping/miracle_repair.h"

namespace thicket {

namespace {

Mapping MappingOf(MiracleVariant variant) {
  switch (variant) {
    case MiracleVariant::kMiracle:
    case MiracleVariant::kDMiracle:
      return Mapping::kGreedy;
    case MiracleVariant::kMiracleX:
      return Mapping::kGreedyLabels;
    case MiracleVariant::kBitmap:
      return Mapping::kEqual;
  }
  return Mapping::kGreedy;
}

Grouping Finish(const std::vector<Representative>& classes, std::vector<RecordId> suppressed,
                const SearchStatistics& search) {
  Grouping result;
  result.search = search;
  for (const Representative& group : classes) group.Publish(result.published);
  std::sort(suppressed.begin(), suppressed.end());
  result.published.Suppress(std::move(suppressed));
  return result;
}

}  // namespace

Result<Grouping> Miracle(const EncodedDataset& data, const MiracleOptions& options,
                         Parallel& parallel, Progress& progress) {
  // Sensitive values do not decide who stands together, but for those that may occur only once.
  const TreeModel model(data, DiversityRule{});
  ClusterSearch search(model, {.mapping = MappingOf(options.variant)}, options.class_size,
                       options.exhaustive, parallel);
  ThresholdClustering<ClusterSearch> clustering({options.class_size, options.climit, options.th},
                                                search);
  const auto records = static_cast<RecordId>(data.forest().record_count());
  progress.Begin("anonymize", records);
  THICKET_TRY(clustering.Run(records, progress));
  std::vector<Representative> classes = std::move(clustering.closed());
  std::vector<RecordId> suppressed = std::move(clustering.suppressed());
  if (options.variant == MiracleVariant::kDMiracle) {
    THICKET_ASSIGN(Repaired repaired,
                   RepairDiversity(std::move(classes), options.rule, search, progress));
    classes = std::move(repaired.classes);
    suppressed.insert(suppressed.end(), repaired.suppressed.begin(), repaired.suppressed.end());
  }
  progress.End();
  return Finish(classes, std::move(suppressed), search.statistics());
}

}  // namespace thicket
