#include "grouping/clustree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace thicket {

namespace {

constexpr Units kNoLimit = CandidateSearch::kNoLimit;

// By how many deviations a search looks beyond the limit of its pass, for the passes to come.
constexpr double kLookAhead = 2;

// Mean and deviation of the costs of the accepted clusters (Welford 1962). The paper does not say which deviation; this
// is that of the population.
class CostStatistics {
 public:
  void Add(Units cost) {
    ++count_;
    const double delta = static_cast<double>(cost) - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (static_cast<double>(cost) - mean_);
  }
  size_t count() const { return count_; }
  // The largest whole cost up to mean + chi * deviation.
  Units Limit(double chi) const {
    return static_cast<Units>(
        std::floor(mean_ + chi * std::sqrt(squares_ / static_cast<double>(count_))));
  }

 private:
  size_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// How far the passes have come, in records. A late pass tries many seeds and accepts few clusters, so each pass that has tried a
// record counts for a part of the record.
class PassProgress {
 public:
  PassProgress(const ClusTreeOptions& options, size_t records, Progress& progress)
      : progress_(progress), parts_done_(records, 0) {
    if (options.passes)
      parts_ += static_cast<uint32_t>(std::clamp(options.m / options.s, 0.0, 1e6));
    progress_.Begin("anonymize", records);
  }
  // The record was tried in one more pass.
  void Tried(RecordId record) {
    if (parts_done_[record] + 1 < parts_) Add(record, 1);
  }
  void Done(RecordId record) { Add(record, parts_ - parts_done_[record]); }

 private:
  void Add(RecordId record, uint32_t parts) {
    parts_done_[record] += parts;
    pending_ += parts;
    if (pending_ < parts_) return;
    progress_.Advance(pending_ / parts_);
    pending_ %= parts_;
  }

  Progress& progress_;
  // How many parts a record has: at least one.
  uint32_t parts_ = 1;
  std::vector<uint32_t> parts_done_;  // by record
  // Parts that are not reported yet.
  uint64_t pending_ = 0;
};

class Clustering {
 public:
  Clustering(const EncodedDataset& data, const ClusTreeOptions& options, Parallel& parallel,
             Progress& progress)
      : options_(options),
        model_(data, options.rule),
        search_(model_,
                {.merge = options.merge,
                 .joinable_only = options.merge.cost == MergeCost::kWeighted,
                 .exhaustive = options.exhaustive},
                parallel),
        progress_(progress),
        pool_(model_),
        attempts_(data.forest().record_count()),
        shown_(options, attempts_.size(), progress) {
    // Within a limit, few trees must be matched, but nothing is learned for later passes; where trees are single
    // vertices there is nothing to match. Faithful costs order the candidates but are not what the cluster costs.
    search_limited_ = options.merge.cost == MergeCost::kWeighted && !search_.bounds_are_exact();
  }

  Result<Grouping> Run() {
    double chi = options_.passes ? 0 : std::numeric_limits<double>::infinity();
    while (pool_.size() >= ClassSize()) {
      if (!Pass(chi)) return Interrupted();
      chi += options_.s;
      if (chi >= options_.m) chi = std::numeric_limits<double>::infinity();
    }
    for (RecordId record = 0; record < attempts_.size(); ++record) {
      if (pool_.Contains(record)) leftovers_.push_back(record);
    }
    if (!PlaceLeftovers()) return Interrupted();
    progress_.End();
    return Finish();
  }

 private:
  size_t ClassSize() const { return static_cast<size_t>(options_.class_size); }

  // Once over the records that are left; false if the user wants to stop.
  bool Pass(double chi) {
    for (RecordId seed = 0; seed < attempts_.size(); ++seed) {
      if (!pool_.Contains(seed)) continue;
      if (pool_.size() < ClassSize()) return true;
      if (progress_.cancelled()) return false;
      const bool limited = !std::isinf(chi) && costs_.count() > 1;
      const Units limit = limited ? costs_.Limit(chi) : kNoLimit;
      const Units search_limit =
          limited && search_limited_ ? costs_.Limit(chi + kLookAhead) : kNoLimit;
      std::optional<Representative> cluster = Grow(seed, limit, search_limit);
      if (cluster && cluster->cost() <= limit) {
        Accept(std::move(*cluster));
      } else if (!cluster && !limited) {
        leftovers_.push_back(seed);
        Remove(seed);
      } else {
        shown_.Tried(seed);
      }
    }
    return true;
  }

  // What a seed's attempts so far have shown: whom it takes in, what the cluster costs then, and what it costs at least
  // after one more. Records only ever leave the pool, so what was nearest is nearest as long as it is there.
  struct Attempt {
    struct Step {
      RecordId record;
      Units cost;
    };
    std::vector<Step> steps;
    Units next_cost = 0;
  };

  // Algorithm 4. Nothing if no record may join, or if the cluster's cost is bound to be above the limit: it never falls.
  // Records that cost up to `search_limit` are remembered, so that a later pass finds them without a search.
  std::optional<Representative> Grow(RecordId seed, Units limit, Units search_limit) {
    if (options_.exhaustive) {
      attempts_[seed] = {};
      limit = search_limit = kNoLimit;
    }
    Attempt& attempt = attempts_[seed];
    std::vector<Attempt::Step>& steps = attempt.steps;
    const auto gone = std::find_if(steps.begin(), steps.end(), [&](const Attempt::Step& step) {
      return !pool_.Contains(step.record);
    });
    if (gone != steps.end()) {
      steps.erase(gone, steps.end());
      attempt.next_cost = 0;
    }
    if (attempt.next_cost > limit || (!steps.empty() && steps.back().cost > limit)) {
      return std::nullopt;
    }
    Representative cluster = Representative::Of(model_, seed, options_.class_size);
    for (size_t i = 0; i + 1 < ClassSize(); ++i) {
      if (i >= steps.size()) {
        const auto nearest = search_.Nearest(cluster, pool_, search_limit);
        if (!nearest) {
          attempt.next_cost = search_limit + 1;
          return std::nullopt;
        }
        steps.push_back({nearest->record, 0});
        attempt.next_cost = 0;
      }
      search_.Pair(cluster, steps[i].record, pairs_);
      cluster = cluster.Absorb(model_, steps[i].record, pairs_, options_.class_size);
      steps[i].cost = cluster.cost();
      if (cluster.cost() > limit) return std::nullopt;
    }
    return cluster;
  }

  void Accept(Representative cluster) {
    costs_.Add(cluster.cost());
    for (const RecordId record : cluster.records()) {
      Remove(record);
      shown_.Done(record);
    }
    clusters_.push_back(std::move(cluster));
  }

  void Remove(RecordId record) {
    pool_.Remove(record);
    attempts_[record] = {};
  }

  bool PlaceLeftovers() {
    std::sort(leftovers_.begin(), leftovers_.end());
    Merger merger(model_, options_.merge);
    for (const RecordId record : leftovers_) {
      if (progress_.cancelled()) return false;
      shown_.Done(record);
      if (!PlaceLeftover(options_.leftovers, model_, merger, clusters_, record))
        suppressed_.push_back(record);
    }
    return true;
  }

  Grouping Finish() {
    Grouping result;
    result.search = search_.statistics();
    for (const Representative& cluster : clusters_) {
      if (cluster.size() > 0) {
        cluster.Publish(result.published);
      } else {
        // Roots that may not stand together: the whole class is suppressed (Algorithm 1, line 5).
        suppressed_.insert(suppressed_.end(), cluster.records().begin(), cluster.records().end());
      }
    }
    std::sort(suppressed_.begin(), suppressed_.end());
    result.published.Suppress(std::move(suppressed_));
    return result;
  }

  const ClusTreeOptions& options_;
  TreeModel model_;
  CandidateSearch search_;
  bool search_limited_ = false;
  Progress& progress_;
  CandidatePool pool_;             // F of Algorithm 5
  std::vector<Attempt> attempts_;  // by seed
  PassProgress shown_;
  std::vector<Representative> clusters_;  // R of Algorithm 5
  CostStatistics costs_;
  std::vector<RecordId> leftovers_;
  std::vector<RecordId> suppressed_;
  std::vector<VertexPair> pairs_;
};

}  // namespace

Result<Grouping> ClusTree(const EncodedDataset& data, const ClusTreeOptions& options,
                          Parallel& parallel, Progress& progress) {
  return Clustering(data, options, parallel, progress).Run();
}

}  // namespace thicket
