#include "grouping/miracle.h"

#include <algorithm>
#include <optional>
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

class Clustering {
 public:
  Clustering(const EncodedDataset& data, const MiracleOptions& options, Parallel& parallel,
             Progress& progress)
      : options_(options),
        // Sensitive values do not decide who stands together, but for those that may occur only once.
        model_(data, DiversityRule{}),
        search_(model_, {.mapping = MappingOf(options.variant)}, parallel),
        progress_(progress) {}

  Result<Grouping> Run() {
    const auto records = static_cast<RecordId>(model_.forest().record_count());
    progress_.Begin("anonymize", records);
    for (RecordId record = 0; record < records; ++record) {
      if (progress_.cancelled()) return Interrupted();
      Place(record);
      progress_.Advance(1);
    }
    if (!MergeLeftovers()) return Interrupted();
    if (options_.variant == MiracleVariant::kDMiracle) {
      THICKET_ASSIGN(Repaired repaired,
                     RepairDiversity(std::move(closed_), options_.rule, search_, progress_));
      closed_ = std::move(repaired.classes);
      Suppress(repaired.suppressed);
    }
    progress_.End();
    return Finish();
  }

 private:
  bool IsFull(const Representative& cluster) const {
    return cluster.member_count() >= static_cast<size_t>(options_.class_size);
  }

  // Lines 3 to 12 of Algorithm 2.
  void Place(RecordId record) {
    const auto nearest = search_.NearestOf(open_, record);
    const bool may_open = open_.size() < static_cast<size_t>(options_.climit);
    if (nearest && (nearest->distance <= options_.th || !may_open)) {
      Representative& cluster = open_[nearest->cluster];
      cluster = std::move(*search_.Join(cluster, record));
      if (!IsFull(cluster)) return;
      closed_.push_back(std::move(cluster));
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(nearest->cluster));
      return;
    }
    (may_open ? open_ : aside_).push_back(Representative::Of(model_, record, options_.class_size));
  }

  // Lines 13 to 22; false if the user wants to stop.
  bool MergeLeftovers() {
    std::vector<Representative> left = std::move(open_);
    std::move(aside_.begin(), aside_.end(), std::back_inserter(left));
    std::vector<bool> free(left.size(), true);
    for (size_t i = 0; i < left.size(); ++i) {
      if (!free[i]) continue;
      free[i] = false;
      Representative cluster = left[i];
      while (!IsFull(cluster)) {
        if (progress_.cancelled()) return false;
        const auto nearest = search_.NearestTo(cluster, left, free);
        if (!nearest) break;
        cluster = std::move(*search_.Unite(cluster, left[nearest->cluster]));
        free[nearest->cluster] = false;
      }
      if (IsFull(cluster)) {
        closed_.push_back(std::move(cluster));
      } else {
        Suppress(cluster.records());
      }
    }
    return true;
  }

  void Suppress(const std::vector<RecordId>& records) {
    suppressed_.insert(suppressed_.end(), records.begin(), records.end());
  }

  Grouping Finish() {
    Grouping result;
    result.search = {search_.compared(), search_.compared()};
    for (const Representative& cluster : closed_) {
      result.published.classes.push_back(cluster.Publish());
    }
    std::sort(suppressed_.begin(), suppressed_.end());
    result.published.suppressed = std::move(suppressed_);
    return result;
  }

  const MiracleOptions& options_;
  TreeModel model_;
  ClusterSearch search_;
  Progress& progress_;
  std::vector<Representative> open_;    // C of Algorithm 2, oldest first
  std::vector<Representative> closed_;  // MR* of Algorithm 2
  std::vector<Representative> aside_;   // records that no open cluster could take in
  std::vector<RecordId> suppressed_;
};

}  // namespace

Result<Grouping> Miracle(const EncodedDataset& data, const MiracleOptions& options,
                         Parallel& parallel, Progress& progress) {
  return Clustering(data, options, parallel, progress).Run();
}

}  // namespace thicket
