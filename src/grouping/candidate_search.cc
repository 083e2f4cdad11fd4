#include "grouping/candidate_search.h"

#include <algorithm>
#include <limits>

namespace thicket {

namespace {

constexpr size_t kBoundGrain = 512;
constexpr size_t kBatch = 64;
constexpr size_t kCompareGrain = 8;
constexpr Units kTooMuch = std::numeric_limits<Units>::max();

}  // namespace

CandidateSearch::CandidateSearch(const TreeModel& model, SearchOptions options, Parallel& parallel)
    : model_(&model),
      options_(options),
      parallel_(&parallel),
      bound_(model),
      mergers_([&model, options] { return Merger(model, options.merge); }) {}

void CandidateSearch::Pair(const Representative& group, RecordId record,
                           std::vector<VertexPair>& pairs) {
  mergers_.local().Pair(group, record, pairs);
}

std::optional<Units> CandidateSearch::CostOf(const Representative& group, RecordId record,
                                             Units limit) {
  const CostLine line = CostLine::Of(options_.merge.cost, group, model_->record_weight(record));
  Units need = line.Need(limit);
  if (options_.joinable_only) need = std::max<Units>(need, 1);
  const Units similarity =
      mergers_.local().Similarity(group, record, options_.exhaustive ? 0 : need);
  if (similarity < need) return std::nullopt;
  return line.At(similarity);
}

std::optional<CandidateSearch::Found> CandidateSearch::Nearest(const Representative& group,
                                                               const std::vector<RecordId>& pool,
                                                               Units limit) {
  statistics_.candidates += pool.size();
  if (options_.exhaustive) return ScanAll(group, pool, limit);
  bound_.Load(group);
  BoundCosts(group, pool);
  const auto first = std::min_element(least_cost_.begin(), least_cost_.end());
  if (first == least_cost_.end() || *first > limit) return std::nullopt;

  // One exact cost, of the record with the best chance, leaves few others a chance.
  std::optional<Found> best;
  const auto first_index = static_cast<size_t>(first - least_cost_.begin());
  ++statistics_.compared;
  if (const auto cost = CostOf(group, pool[first_index], limit)) {
    best = Found{pool[first_index], *cost};
  }
  const Units most = best ? best->cost : limit;
  chances_.clear();
  for (size_t i = 0; i < pool.size(); ++i) {
    if (least_cost_[i] > most || i == first_index) continue;
    if (best && least_cost_[i] == most && pool[i] > best->record) continue;
    chances_.push_back({least_cost_[i], pool[i]});
  }
  CompareChances(group, best, limit);
  return best;
}

void CandidateSearch::BoundCosts(const Representative& group, const std::vector<RecordId>& pool) {
  least_cost_.resize(pool.size());
  parallel_->For(pool.size(), kBoundGrain, [&](size_t begin, size_t end) {
    bound_.Bound(&pool[begin], end - begin, &least_cost_[begin]);
    for (size_t i = begin; i < end; ++i) {
      const CostLine line =
          CostLine::Of(options_.merge.cost, group, model_->record_weight(pool[i]));
      const bool excluded = options_.joinable_only && least_cost_[i] == 0;
      least_cost_[i] = excluded ? kTooMuch : line.At(least_cost_[i]);
    }
  });
  for (const RecordId member : group.records()) {
    const auto place = std::lower_bound(pool.begin(), pool.end(), member);
    if (place != pool.end() && *place == member) {
      least_cost_[static_cast<size_t>(place - pool.begin())] = kTooMuch;
    }
  }
}

void CandidateSearch::CompareChances(const Representative& group, std::optional<Found>& best,
                                     Units limit) {
  std::sort(chances_.begin(), chances_.end(), [](const Chance& a, const Chance& b) {
    return a.least_cost != b.least_cost ? a.least_cost < b.least_cost : a.record < b.record;
  });
  for (size_t begin = 0; begin < chances_.size(); begin += kBatch) {
    const Units most = best ? best->cost : limit;
    if (chances_[begin].least_cost > most) return;
    const size_t count = std::min(kBatch, chances_.size() - begin);
    statistics_.compared += count;
    batch_cost_.assign(count, kTooMuch);
    parallel_->For(count, kCompareGrain, [&](size_t from, size_t to) {
      Units lowest = most;
      for (size_t i = from; i < to; ++i) {
        if (chances_[begin + i].least_cost > lowest) break;
        if (const auto cost = CostOf(group, chances_[begin + i].record, lowest)) {
          batch_cost_[i] = *cost;
          lowest = *cost;
        }
      }
    });
    for (size_t i = 0; i < count; ++i) {
      if (batch_cost_[i] == kTooMuch) continue;
      const Found found{chances_[begin + i].record, batch_cost_[i]};
      if (!best || found.cost < best->cost ||
          (found.cost == best->cost && found.record < best->record)) {
        best = found;
      }
    }
  }
}

std::optional<CandidateSearch::Found> CandidateSearch::ScanAll(const Representative& group,
                                                               const std::vector<RecordId>& pool,
                                                               Units limit) {
  std::vector<Units> costs(pool.size(), kTooMuch);
  statistics_.compared += pool.size();
  parallel_->For(pool.size(), kBatch, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (const auto cost = CostOf(group, pool[i], limit)) costs[i] = *cost;
    }
  });
  for (const RecordId member : group.records()) {
    const auto place = std::lower_bound(pool.begin(), pool.end(), member);
    if (place != pool.end() && *place == member) {
      costs[static_cast<size_t>(place - pool.begin())] = kTooMuch;
    }
  }
  const auto least = std::min_element(costs.begin(), costs.end());
  if (least == costs.end() || *least > limit) return std::nullopt;
  return Found{pool[static_cast<size_t>(least - costs.begin())], *least};
}

}  // namespace thicket
