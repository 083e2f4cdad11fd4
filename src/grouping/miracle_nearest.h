// How far clusters are from records and from each other, and which is nearest (Nergiz et al. 2008, Algorithm 2, lines 5
// and 14).
//
// A distance is the share that is lost when they become one cluster: what its records then cost, over what it would cost
// to suppress them all. It lies between 0 (all alike) and 1, so that it can be compared with the threshold `th`. Both
// numbers are whole, so their quotient is the same on every machine; of equal distances the first cluster wins.
//
//   ClusterSearch search(model, {.mapping = Mapping::kGreedy}, parallel);
//   if (const auto nearest = search.NearestOf(open, record)) {
//     open[nearest->cluster] = *search.Join(open[nearest->cluster], record);
//   }
//
// Two clusters become one by taking the records of one into the other, one after the other: their trees are matched anew,
// so that what one of them had to suppress may come back. (The paper merges their representatives.)
//
// NearestOf compares the record with every cluster, in parallel. NearestTo really merges, but gives a pair up as soon as it
// has lost more than the best one of its thread: costs never fall.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "matching/merge.h"

namespace thicket {

class ClusterSearch {
 public:
  ClusterSearch(const TreeModel& model, MergeOptions merge, Parallel& parallel);

  struct Nearest {
    size_t cluster;
    double distance;
  };
  // Of the clusters whose root the record may join.
  std::optional<Nearest> NearestOf(const std::vector<Representative>& clusters, RecordId record);
  // Of the clusters that are eligible and may stand with `cluster`.
  std::optional<Nearest> NearestTo(const Representative& cluster,
                                   const std::vector<Representative>& others,
                                   const std::vector<bool>& eligible);

  // Nothing where the roots may not stand together.
  std::optional<Representative> Join(const Representative& cluster, RecordId record);
  std::optional<Representative> Unite(const Representative& cluster, const Representative& other);

  const TreeModel& model() const { return *model_; }
  // How many pairs were compared.
  uint64_t compared() const { return compared_; }

 private:
  struct Worker {
    Merger merger;
    std::vector<VertexPair> pairs;
    double least = 0;
  };

  std::optional<Representative> Join(const Representative& cluster, RecordId record,
                                     Worker& worker) const;
  // Infinite as soon as it is certain to be more than `most`.
  double Distance(const Representative& cluster, const Representative& other, double most,
                  Worker& worker) const;
  std::optional<Nearest> Least() const;

  const TreeModel* model_;
  Parallel* parallel_;
  std::vector<Worker> workers_;
  std::vector<double> distances_;
  uint64_t compared_ = 0;
};

}  // namespace thicket
