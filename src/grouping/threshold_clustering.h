// Clusters side by side, each record joins the nearest one: Algorithm 2 of Nergiz et al. 2008, for whatever can tell how
// near a record is to a cluster.
//
//   ThresholdClustering<ClusterSearch> clustering({.class_size = 5, .climit = 150, .th = 0.1}, search);
//   THICKET_TRY(clustering.Run(record_count, progress));
//   clustering.closed();   // classes of at least five records
//
// `Space` has a type Cluster with member_count() and records(), and
//
//   Cluster Open(RecordId record);
//   std::optional<NearestCluster> NearestOf(const std::vector<Cluster>& clusters, RecordId record, double most);
//   std::optional<NearestCluster> NearestTo(const Cluster& cluster, const std::vector<Cluster>& others,
//                                           const std::vector<bool>& eligible);
//   std::optional<Cluster> Join(const Cluster& cluster, RecordId record);
//   std::optional<Cluster> Unite(const Cluster& cluster, const Cluster& other);
//
// where NearestOf may leave out clusters that are farther than `most`, of equally near ones the first is found, and
// nothing comes back where nothing may stand together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "record/forest.h"

namespace thicket {

struct NearestCluster {
  size_t cluster;
  double distance;
};

struct ThresholdOptions {
  // A cluster with so many records is closed.
  int class_size = 2;
  // How many clusters may be open at a time.
  int climit = 150;
  // From which distance on a record opens a cluster.
  double th = 0.1;
};

template <typename Space>
class ThresholdClustering {
 public:
  using Cluster = typename Space::Cluster;

  ThresholdClustering(ThresholdOptions options, Space& space) : options_(options), space_(space) {}

  // Fails only if the user wants to stop.
  Status Run(RecordId records, Progress& progress) {
    for (RecordId record = 0; record < records; ++record) {
      if (progress.cancelled()) return Interrupted();
      Place(record);
      progress.Advance(1);
    }
    return MergeLeftovers(progress);
  }

  // MR* of Algorithm 2.
  std::vector<Cluster>& closed() { return closed_; }
  std::vector<RecordId>& suppressed() { return suppressed_; }

 private:
  bool IsFull(const Cluster& cluster) const {
    return cluster.member_count() >= static_cast<size_t>(options_.class_size);
  }

  // Lines 3 to 12.
  void Place(RecordId record) {
    const bool may_open = open_.size() < static_cast<size_t>(options_.climit);
    const double most = may_open ? options_.th : std::numeric_limits<double>::infinity();
    const auto nearest = space_.NearestOf(open_, record, most);
    if (nearest && nearest->distance <= most) {
      Cluster& cluster = open_[nearest->cluster];
      cluster = std::move(*space_.Join(cluster, record));
      if (!IsFull(cluster)) return;
      closed_.push_back(std::move(cluster));
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(nearest->cluster));
      return;
    }
    (may_open ? open_ : aside_).push_back(space_.Open(record));
  }

  // Lines 13 to 22.
  Status MergeLeftovers(const Progress& progress) {
    std::vector<Cluster> left = std::move(open_);
    std::move(aside_.begin(), aside_.end(), std::back_inserter(left));
    std::vector<bool> free(left.size(), true);
    for (size_t i = 0; i < left.size(); ++i) {
      if (!free[i]) continue;
      free[i] = false;
      Cluster cluster = left[i];
      while (!IsFull(cluster)) {
        if (progress.cancelled()) return Interrupted();
        const auto nearest = space_.NearestTo(cluster, left, free);
        if (!nearest) break;
        cluster = std::move(*space_.Unite(cluster, left[nearest->cluster]));
        free[nearest->cluster] = false;
      }
      if (IsFull(cluster)) {
        closed_.push_back(std::move(cluster));
      } else {
        const std::vector<RecordId>& records = cluster.records();
        suppressed_.insert(suppressed_.end(), records.begin(), records.end());
      }
    }
    return {};
  }

  ThresholdOptions options_;
  Space& space_;
  std::vector<Cluster> open_;  // C of Algorithm 2, oldest first
  std::vector<Cluster> closed_;
  std::vector<Cluster> aside_;  // records that no open cluster could take in
  std::vector<RecordId> suppressed_;
};

}  // namespace thicket
