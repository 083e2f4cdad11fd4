#include "grouping/miracle_nearest.h"

#include <algorithm>
#include <limits>

#include "base/stop.h"

namespace thicket {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// How many comparisons are made at a time, however many threads there are.
constexpr size_t kBatch = 8;

// Of a heap the best chance comes first, the first cluster of equals.
constexpr auto kWorse = [](const auto& a, const auto& b) {
  return a.least != b.least ? a.least > b.least : a.cluster > b.cluster;
};

double Share(Units cost, Units most) {
  return static_cast<double>(cost) / static_cast<double>(most);
}

}  // namespace

ClusterSearch::ClusterSearch(const TreeModel& model, MergeOptions merge, int class_size,
                             bool exhaustive, Parallel& parallel)
    : model_(&model),
      parallel_(&parallel),
      class_size_(class_size),
      exhaustive_(exhaustive),
      bound_(model, merge.mapping == Mapping::kEqual),
      child_bound_(model),
      profiles_(model.forest().record_count()),
      commons_(model.forest().record_count()) {
  // Matching is always by the real loss, so that the distance is the one of the paper's metric.
  merge.cost = MergeCost::kWeighted;
  for (size_t i = 0; i < parallel.threads(); ++i) {
    workers_.push_back({Merger(model, merge), {}, {}, 0});
  }
}

Representative ClusterSearch::Open(RecordId record) const {
  return Representative::Of(*model_, record, class_size_);
}

const ClusterBound::Profile& ClusterSearch::ProfileOf(const Representative& cluster) {
  KnownProfile& known = profiles_[cluster.records().front()];
  if (known.members != cluster.member_count()) {
    known = {cluster.member_count(), bound_.ProfileOf(cluster)};
  }
  return known.profile;
}

const std::vector<ClusterBound::Entry>& ClusterSearch::CommonOf(const Representative& cluster) {
  KnownCommon& known = commons_[cluster.records().front()];
  if (known.members != cluster.member_count()) {
    known = {cluster.member_count(), bound_.CommonOf(cluster.records())};
  }
  return known.entries;
}

std::optional<NearestCluster> ClusterSearch::NearestOf(const std::vector<Representative>& clusters,
                                                       RecordId record, double most) {
  const Units weight = model_->record_weight(record);
  statistics_.candidates += clusters.size();
  chances_.clear();
  for (size_t i = 0; i < clusters.size(); ++i) {
    StopPoint();
    if (exhaustive_) {
      chances_.push_back({0, i});
      continue;
    }
    const CostLine line = CostLine::Of(MergeCost::kWeighted, clusters[i], weight);
    const Units similarity = bound_.Most(clusters[i], ProfileOf(clusters[i]), record);
    const double least = Share(line.At(similarity), line.base);
    if (least <= most) chances_.push_back({least, i});
  }
  // Few chances are taken, so they are not sorted but taken from a heap: the best one by itself, which is often enough.
  std::make_heap(chances_.begin(), chances_.end(), kWorse);
  NearestCluster nearest{clusters.size(), kNever};
  for (size_t most_taken = 1; TakeChances(most_taken, nearest.distance); most_taken = kBatch) {
    statistics_.compared += taken_.size();
    distances_.resize(taken_.size());
    parallel_->For(taken_.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        distances_[i] = Distance(clusters[taken_[i]], record, nearest.distance, workers_[worker]);
      }
    });
    for (size_t i = 0; i < taken_.size(); ++i) {
      if (distances_[i] < nearest.distance ||
          (distances_[i] == nearest.distance && taken_[i] < nearest.cluster)) {
        nearest = {taken_[i], distances_[i]};
      }
    }
  }
  if (nearest.distance == kNever) return std::nullopt;
  return nearest;
}

bool ClusterSearch::TakeChances(size_t most, double distance) {
  taken_.clear();
  while (taken_.size() < most && !chances_.empty() && chances_.front().least <= distance) {
    std::pop_heap(chances_.begin(), chances_.end(), kWorse);
    taken_.push_back(chances_.back().cluster);
    chances_.pop_back();
  }
  return !taken_.empty();
}

double ClusterSearch::Distance(const Representative& cluster, RecordId record, double most,
                               Worker& worker) const {
  const CostLine line = CostLine::Of(MergeCost::kWeighted, cluster, model_->record_weight(record));
  if (!exhaustive_ && child_bound_.active()) {
    child_bound_.Load(cluster, worker.loaded);
    const Units bound = child_bound_.Most(worker.loaded, record);
    if (Share(line.At(bound), line.base) > most) return kNever;
  }
  const Units similarity = worker.merger.Similarity(cluster, record, 0);
  return similarity <= 0 ? kNever : Share(line.At(similarity), line.base);
}

double ClusterSearch::LeastDistance(const Representative& cluster,
                                    const ClusterBound::Profile& profile,
                                    const Representative& other) {
  const Units similarity = bound_.Most(cluster, profile, other.records(), CommonOf(other));
  const Units weight = cluster.member_weight() + other.member_weight();
  const auto members = static_cast<Units>(cluster.member_count() + other.member_count());
  return Share(weight - members * similarity, weight);
}

std::optional<NearestCluster> ClusterSearch::NearestTo(const Representative& cluster,
                                                       const std::vector<Representative>& others,
                                                       const std::vector<bool>& eligible) {
  const ClusterBound::Profile profile = bound_.ProfileOf(cluster);
  chances_.clear();
  for (size_t i = 0; i < others.size(); ++i) {
    StopPoint();
    if (!eligible[i]) continue;
    chances_.push_back({exhaustive_ ? 0 : LeastDistance(cluster, profile, others[i]), i});
  }
  std::sort(chances_.rbegin(), chances_.rend(), kWorse);
  distances_.assign(others.size(), kNever);
  for (Worker& worker : workers_) worker.least = kNever;
  parallel_->For(chances_.size(), 1, [&](size_t number, size_t begin, size_t end) {
    Worker& worker = workers_[number];
    for (size_t i = begin; i < end; ++i) {
      StopPoint();
      if (chances_[i].least > worker.least) continue;
      const size_t other = chances_[i].cluster;
      distances_[other] = Distance(cluster, others[other], worker.least, worker);
      worker.least = std::min(worker.least, distances_[other]);
    }
  });
  statistics_.candidates += chances_.size();
  // How many one thread would have compared; several compare a few more, depending on who is quicker.
  double least_so_far = kNever;
  for (const Chance& chance : chances_) {
    if (chance.least > least_so_far) continue;
    ++statistics_.compared;
    least_so_far = std::min(least_so_far, distances_[chance.cluster]);
  }
  const auto least = std::min_element(distances_.begin(), distances_.end());
  if (least == distances_.end() || *least == kNever) return std::nullopt;
  return NearestCluster{static_cast<size_t>(least - distances_.begin()), *least};
}

double ClusterSearch::Distance(const Representative& cluster, const Representative& other,
                               double most, Worker& worker) const {
  const Units weight = cluster.member_weight() + other.member_weight();
  const std::vector<RecordId>& records = other.records();
  std::optional<Representative> joined;
  for (size_t i = 0; i + 1 < records.size(); ++i) {
    joined = Join(joined ? *joined : cluster, records[i], worker);
    if (!joined || Share(joined->cost(), weight) > most) return kNever;
  }
  // What the last one costs can be told without taking it in.
  return Distance(joined ? *joined : cluster, records.back(), most, worker);
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
