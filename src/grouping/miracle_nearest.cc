#include "grouping/miracle_nearest.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace thicket {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// A comparison takes some microseconds, so a few at a time.
constexpr size_t kGrain = 8;

double Share(Units cost, Units most) {
  return static_cast<double>(cost) / static_cast<double>(most);
}

}  // namespace

ClusterSearch::ClusterSearch(const TreeModel& model, MergeOptions merge, Parallel& parallel)
    : model_(&model), parallel_(&parallel) {
  // Matching is always by the real loss, so that the distance is the one of the paper's metric.
  merge.cost = MergeCost::kWeighted;
  for (size_t i = 0; i < parallel.threads(); ++i) workers_.push_back({Merger(model, merge), {}, 0});
}

std::optional<ClusterSearch::Nearest> ClusterSearch::NearestOf(
    const std::vector<Representative>& clusters, RecordId record) {
  const Units weight = model_->record_weight(record);
  distances_.assign(clusters.size(), kNever);
  compared_ += clusters.size();
  parallel_->For(clusters.size(), kGrain, [&](size_t worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Units similarity = workers_[worker].merger.Similarity(clusters[i], record, 0);
      if (similarity <= 0) continue;
      const CostLine line = CostLine::Of(MergeCost::kWeighted, clusters[i], weight);
      distances_[i] = Share(line.At(similarity), line.base);
    }
  });
  return Least();
}

std::optional<ClusterSearch::Nearest> ClusterSearch::NearestTo(
    const Representative& cluster, const std::vector<Representative>& others,
    const std::vector<bool>& eligible) {
  std::vector<size_t> candidates;
  for (size_t i = 0; i < others.size(); ++i) {
    if (eligible[i]) candidates.push_back(i);
  }
  distances_.assign(others.size(), kNever);
  compared_ += candidates.size();
  for (Worker& worker : workers_) worker.least = kNever;
  parallel_->For(candidates.size(), 1, [&](size_t number, size_t begin, size_t end) {
    Worker& worker = workers_[number];
    for (size_t i = begin; i < end; ++i) {
      const size_t other = candidates[i];
      distances_[other] = Distance(cluster, others[other], worker.least, worker);
      worker.least = std::min(worker.least, distances_[other]);
    }
  });
  return Least();
}

std::optional<ClusterSearch::Nearest> ClusterSearch::Least() const {
  const auto least = std::min_element(distances_.begin(), distances_.end());
  if (least == distances_.end() || *least == kNever) return std::nullopt;
  return Nearest{static_cast<size_t>(least - distances_.begin()), *least};
}

double ClusterSearch::Distance(const Representative& cluster, const Representative& other,
                               double most, Worker& worker) const {
  const Units weight = cluster.member_weight() + other.member_weight();
  std::optional<Representative> joined;
  for (const RecordId record : other.records()) {
    joined = Join(joined ? *joined : cluster, record, worker);
    if (!joined || Share(joined->cost(), weight) > most) return kNever;
  }
  return Share(joined->cost(), weight);
}

std::optional<Representative> ClusterSearch::Join(const Representative& cluster, RecordId record,
                                                  Worker& worker) const {
  worker.merger.Pair(cluster, record, worker.pairs);
  if (worker.pairs.empty()) return std::nullopt;
  return cluster.Absorb(*model_, record, worker.pairs,
                        static_cast<int>(cluster.member_count()) + 1);
}

std::optional<Representative> ClusterSearch::Join(const Representative& cluster, RecordId record) {
  return Join(cluster, record, workers_.front());
}

std::optional<Representative> ClusterSearch::Unite(const Representative& cluster,
                                                   const Representative& other) {
  std::optional<Representative> joined = cluster;
  for (const RecordId record : other.records()) {
    joined = Join(*joined, record, workers_.front());
    if (!joined) return std::nullopt;
  }
  return joined;
}

}  // namespace thicket
