#include "grouping/mlevclutree.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"

namespace thicket {

namespace {

constexpr size_t kGrain = 64;

class LevelClustering {
 public:
  LevelClustering(const EncodedDataset& data, const MLevCluTreeOptions& options, Parallel& parallel,
                  Progress& progress)
      : options_(options),
        model_(data, options.rule),
        parallel_(parallel),
        progress_(progress),
        mergers_(parallel.threads(), Merger(model_, options.merge)),
        random_(Random::Seeded(options.random_seed)) {
    for (RecordId record = 0; record < data.forest().record_count(); ++record) {
      left_.push_back(record);
    }
  }

  Result<Grouping> Run() {
    progress_.Begin("anonymize", left_.size());
    while (left_.size() >= static_cast<size_t>(options_.class_size)) {
      if (progress_.cancelled()) return Interrupted();
      const RecordId seed = TakeRandom();
      std::optional<Representative> cluster = Grow(seed);
      if (!cluster) {
        leftovers_.push_back(seed);
        continue;
      }
      Leave(cluster->records());
      progress_.Advance(cluster->member_count());
      clusters_.push_back(std::move(*cluster));
    }
    leftovers_.insert(leftovers_.end(), left_.begin(), left_.end());
    std::sort(leftovers_.begin(), leftovers_.end());
    for (const RecordId record : leftovers_) {
      if (progress_.cancelled()) return Interrupted();
      progress_.Advance(1);
      const bool placed = options_.leftovers == Leftovers::kAbsorb && Absorb(record);
      if (!placed) suppressed_.push_back(record);
    }
    progress_.End();
    return Finish();
  }

 private:
  struct Candidate {
    Units cost;
    RecordId record;
    bool operator<(const Candidate& other) const {
      return std::pair(cost, record) < std::pair(other.cost, other.record);
    }
  };

  RecordId TakeRandom() {
    std::swap(left_[static_cast<size_t>(random_.Below(left_.size()))], left_.back());
    const RecordId record = left_.back();
    left_.pop_back();
    return record;
  }

  void Leave(std::vector<RecordId> records) {
    std::sort(records.begin(), records.end());
    left_.erase(std::remove_if(left_.begin(), left_.end(),
                               [&](RecordId record) {
                                 return std::binary_search(records.begin(), records.end(), record);
                               }),
                left_.end());
  }

  // Lines 4 to 14 of Algorithm 2. Nothing if too few records may join.
  std::optional<Representative> Grow(RecordId seed) {
    Representative cluster = Representative::Of(model_, seed, options_.class_size);
    if (cluster.size() == 0) return std::nullopt;
    std::vector<Candidate> order = Joinable(cluster, left_);
    std::sort(order.begin(), order.end());
    size_t next = 0;
    std::vector<RecordId> candidates;
    while (cluster.member_count() < static_cast<size_t>(options_.class_size)) {
      std::vector<Candidate> found = Joinable(cluster, candidates);
      while (found.empty() && next < order.size()) {
        const size_t end = std::min(order.size(), next + options_.candidates);
        candidates.clear();
        for (; next < end; ++next) candidates.push_back(order[next].record);
        found = Joinable(cluster, candidates);
      }
      if (found.empty()) return std::nullopt;
      const RecordId nearest = std::min_element(found.begin(), found.end())->record;
      candidates.erase(std::find(candidates.begin(), candidates.end(), nearest));
      mergers_[0].Pair(cluster, nearest, pairs_);
      cluster = cluster.Absorb(model_, nearest, pairs_, options_.class_size);
    }
    return cluster;
  }

  // Of the records those that may join, with what that costs.
  std::vector<Candidate> Joinable(const Representative& cluster,
                                  const std::vector<RecordId>& records) {
    search_.candidates += records.size();
    search_.compared += records.size();
    costs_.assign(records.size(), kMayNotJoin);
    parallel_.For(records.size(), kGrain, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const Units similarity = mergers_[worker].Similarity(cluster, records[i], 0);
        if (similarity <= 0) continue;
        costs_[i] = CostLine::Of(options_.merge.cost, cluster, model_.record_weight(records[i]))
                        .At(similarity);
      }
    });
    std::vector<Candidate> found;
    for (size_t i = 0; i < records.size(); ++i) {
      if (costs_[i] != kMayNotJoin) found.push_back({costs_[i], records[i]});
    }
    return found;
  }

  // Adds the record to the class whose cost then rises least, if by less than what the record weighs.
  bool Absorb(RecordId record) {
    Units least = model_.record_weight(record);
    Representative* best = nullptr;
    for (Representative& cluster : clusters_) {
      cluster.SetClassSize(model_, static_cast<int>(cluster.member_count()) + 1);
      const Units similarity = mergers_[0].Similarity(cluster, record, 0);
      if (similarity <= 0) continue;
      const CostLine line =
          CostLine::Of(MergeCost::kWeighted, cluster, model_.record_weight(record));
      const Units rise = line.At(similarity) - cluster.cost();
      if (rise >= least) continue;
      least = rise;
      best = &cluster;
    }
    if (best == nullptr) return false;
    mergers_[0].Pair(*best, record, pairs_);
    *best = best->Absorb(model_, record, pairs_, static_cast<int>(best->member_count()) + 1);
    return true;
  }

  Grouping Finish() {
    Grouping result;
    result.search = search_;
    for (const Representative& cluster : clusters_) {
      result.published.classes.push_back(cluster.Publish());
    }
    std::sort(suppressed_.begin(), suppressed_.end());
    result.published.suppressed = std::move(suppressed_);
    return result;
  }

  static constexpr Units kMayNotJoin = -1;

  const MLevCluTreeOptions& options_;
  TreeModel model_;
  Parallel& parallel_;
  Progress& progress_;
  std::vector<Merger> mergers_;  // by worker
  Random random_;
  std::vector<RecordId> left_;  // H of Algorithm 2
  std::vector<Representative> clusters_;
  std::vector<RecordId> leftovers_;
  std::vector<RecordId> suppressed_;
  std::vector<Units> costs_;
  std::vector<VertexPair> pairs_;
  SearchStatistics search_;
};

}  // namespace

Result<Grouping> MLevCluTree(const EncodedDataset& data, const MLevCluTreeOptions& options,
                             Parallel& parallel, Progress& progress) {
  return LevelClustering(data, options, parallel, progress).Run();
}

}  // namespace thicket
