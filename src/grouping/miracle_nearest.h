// How far clusters are from records and from each other, and which is nearest (Nergiz et al. 2008, Algorithm 2, lines 5
// and 14).
//
// A distance is the share that is lost when they become one cluster: what its records then cost, over what it would cost
// to suppress them all. It lies between 0 (all alike) and 1, so that it can be compared with the threshold `th`. Both
// numbers are whole, so their quotient is the same on every machine; of equal distances the first cluster wins.
//
//   ClusterSearch search(model, {.mapping = Mapping::kGreedy}, class_size, false, parallel);
//   if (const auto nearest = search.NearestOf(open, record, th)) {
//     open[nearest->cluster] = *search.Join(open[nearest->cluster], record);
//   }
//
// Two clusters become one by taking the records of one into the other, one after the other: their trees are matched anew,
// so that what one of them had to suppress may come back. (The paper merges their representatives.)
//
// A bound (grouping/cluster_bound.h) says first how near each can be at the best. Trees are matched from the best chance
// down, as long as the chance is not worse than what was found; what NearestTo merges it gives up as soon as it has lost
// more: costs never fall. The result is that of comparing all, which `exhaustive` does.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "grouping/candidate_search.h"
#include "grouping/child_bound.h"
#include "grouping/cluster_bound.h"
#include "grouping/threshold_clustering.h"
#include "matching/merge.h"

namespace thicket {

// A space of ThresholdClustering.
class ClusterSearch {
 public:
  using Cluster = Representative;

  // `class_size`: that of the classes in the end.
  ClusterSearch(const TreeModel& model, MergeOptions merge, int class_size, bool exhaustive,
                Parallel& parallel);

  Representative Open(RecordId record) const;
  // Of the clusters whose root the record may join; those farther than `most` need not be found. Here and in NearestTo a
  // cluster of the vector is known by its first record and its size: from call to call clusters may open, grow and close.
  std::optional<NearestCluster> NearestOf(const std::vector<Representative>& clusters,
                                          RecordId record, double most);
  // Of the clusters that are eligible and may stand with `cluster`.
  std::optional<NearestCluster> NearestTo(const Representative& cluster,
                                          const std::vector<Representative>& others,
                                          const std::vector<bool>& eligible);

  // Nothing where the roots may not stand together.
  std::optional<Representative> Join(const Representative& cluster, RecordId record);
  std::optional<Representative> Unite(const Representative& cluster, const Representative& other);

  const TreeModel& model() const { return *model_; }
  const SearchStatistics& statistics() const { return statistics_; }

 private:
  struct Worker {
    Merger merger;
    std::vector<VertexPair> pairs;
    ChildBound::Loaded loaded;
    double least = 0;
  };
  // How near a cluster can be at the best.
  struct Chance {
    double least;
    size_t cluster;
  };
  // Made for the cluster when it had so many members.
  struct KnownProfile {
    size_t members = 0;
    ClusterBound::Profile profile;
  };
  struct KnownCommon {
    size_t members = 0;
    std::vector<ClusterBound::Entry> entries;
  };

  const ClusterBound::Profile& ProfileOf(const Representative& cluster);
  const std::vector<ClusterBound::Entry>& CommonOf(const Representative& cluster);
  // Moves the best chances from the heap to taken_, `most` of those that can be as near as `distance`; false if none.
  bool TakeChances(size_t most, double distance);
  double LeastDistance(const Representative& cluster, const ClusterBound::Profile& profile,
                       const Representative& other);
  // Infinite where the record may not join, or as soon as it is certain to be more than `most`.
  double Distance(const Representative& cluster, RecordId record, double most,
                  Worker& worker) const;
  // Infinite as soon as it is certain to be more than `most`.
  double Distance(const Representative& cluster, const Representative& other, double most,
                  Worker& worker) const;
  std::optional<Representative> Join(const Representative& cluster, RecordId record,
                                     Worker& worker) const;

  const TreeModel* model_;
  Parallel* parallel_;
  int class_size_;
  bool exhaustive_;
  ClusterBound bound_;
  ChildBound child_bound_;
  std::vector<KnownProfile> profiles_;  // by first record
  std::vector<KnownCommon> commons_;    // by first record
  std::vector<Worker> workers_;
  std::vector<Chance> chances_;
  std::vector<size_t> taken_;
  std::vector<double> distances_;
  SearchStatistics statistics_;
};

}  // namespace thicket
