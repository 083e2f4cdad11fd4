#include "grouping/mlevclutree.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "grouping/candidate_pool.h"
#include "grouping/nearest_first.h"

namespace thicket {

namespace {

constexpr size_t kGrain = 8;

class LevelClustering {
 public:
  LevelClustering(const EncodedDataset& data, const MLevCluTreeOptions& options, Parallel& parallel,
                  Progress& progress)
      : options_(options),
        model_(data, options.rule),
        parallel_(parallel),
        progress_(progress),
        mergers_(parallel.threads(), Merger(model_, options.merge)),
        pool_(model_),
        nearest_(model_, options.merge, options.exhaustive, parallel),
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
      if (!PlaceLeftover(options_.leftovers, model_, mergers_[0], clusters_, record))
        suppressed_.push_back(record);
    }
    progress_.End();
    return Finish();
  }

 private:
  RecordId TakeRandom() {
    const auto place = left_.begin() + static_cast<std::ptrdiff_t>(random_.Below(left_.size()));
    const RecordId record = *place;
    left_.erase(place);
    pool_.Remove(record);
    return record;
  }

  void Leave(std::vector<RecordId> records) {
    std::sort(records.begin(), records.end());
    for (const RecordId record : records) {
      if (pool_.Contains(record)) pool_.Remove(record);
    }
    left_.erase(std::remove_if(left_.begin(), left_.end(),
                               [&](RecordId record) {
                                 return std::binary_search(records.begin(), records.end(), record);
                               }),
                left_.end());
  }

  // Lines 4 to 14 of Algorithm 2. Nothing if too few records may join.
  std::optional<Representative> Grow(RecordId seed) {
    Representative cluster = Representative::Of(model_, seed, options_.class_size);
    if (cluster.size() == 0 || !CanBeFilled(seed)) return std::nullopt;
    const Representative alone = cluster;
    nearest_.Begin(alone, pool_);
    std::vector<RecordId> candidates;
    nearest_.Take(options_.candidates, candidates);
    while (cluster.member_count() < static_cast<size_t>(options_.class_size)) {
      // They stand in the order of what they cost the seed alone.
      const bool is_first = cluster.member_count() == 1 && !candidates.empty();
      std::optional<RecordId> joins =
          is_first ? candidates.front() : CheapestOf(cluster, candidates);
      while (!joins) {
        candidates.clear();
        nearest_.Take(options_.candidates, candidates);
        if (candidates.empty()) return std::nullopt;
        joins = CheapestOf(cluster, candidates);
      }
      candidates.erase(std::find(candidates.begin(), candidates.end(), *joins));
      mergers_[0].Pair(cluster, *joins, pairs_);
      cluster = cluster.Absorb(model_, *joins, pairs_, options_.class_size);
    }
    return cluster;
  }

  // Whether there are enough roots of levels that have room; if not, nothing needs to be compared.
  bool CanBeFilled(RecordId seed) const {
    if (!options_.rule.HasLevels()) return true;
    const std::array<int, 6> capacities = options_.rule.Capacities(options_.class_size);
    const Forest& forest = model_.forest();
    for (size_t attribute = 0; attribute < model_.sensitive_count(0); ++attribute) {
      std::array<int, 6> count{};
      for (const RecordId record : left_)
        ++count[model_.buckets(0, forest.root(record))[attribute]];
      const uint32_t taken = model_.buckets(0, forest.root(seed))[attribute];
      int room = 0;
      for (uint32_t level = 1; level < count.size(); ++level) {
        room += std::min(count[level], capacities[level] - (level == taken ? 1 : 0));
      }
      if (room < options_.class_size - 1) return false;
    }
    return true;
  }

  // Of the records that may join the one that costs least, of equals the first; nothing if none may.
  std::optional<RecordId> CheapestOf(const Representative& cluster,
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
    std::optional<size_t> best;
    for (size_t i = 0; i < records.size(); ++i) {
      if (costs_[i] == kMayNotJoin) continue;
      if (!best || std::pair(costs_[i], records[i]) < std::pair(costs_[*best], records[*best])) {
        best = i;
      }
    }
    if (!best) return std::nullopt;
    return records[*best];
  }

  Grouping Finish() {
    Grouping result;
    result.search = search_;
    result.search.candidates += nearest_.statistics().candidates;
    result.search.compared += nearest_.statistics().compared;
    for (const Representative& cluster : clusters_) {
      cluster.Publish(result.published);
    }
    std::sort(suppressed_.begin(), suppressed_.end());
    result.published.Suppress(std::move(suppressed_));
    return result;
  }

  static constexpr Units kMayNotJoin = -1;

  const MLevCluTreeOptions& options_;
  TreeModel model_;
  Parallel& parallel_;
  Progress& progress_;
  std::vector<Merger> mergers_;  // by worker
  CandidatePool pool_;
  NearestFirst nearest_;
  Random random_;
  std::vector<RecordId> left_;  // H of Algorithm 2, ascending
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
