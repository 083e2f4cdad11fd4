#include "grouping/candidate_search.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/simd.h"
#include "base/stop.h"

namespace thicket {

namespace {

constexpr size_t kBlock =
    512;  // places that are bounded at a time, small enough for the first cache
constexpr size_t kBatch = 64;
// How many vertices of records are worth a turn of a thread.
constexpr size_t kVerticesPerTurn = 320;
constexpr Units kTooMuch = CandidateSearch::kNoLimit + 1;

// costs[i] = weights[i] + base - factor * costs[i], and kGone where the similarity is 0 and that is not allowed.
THICKET_SIMD Units TurnIntoCosts(const Units* __restrict weights, Units base, Units factor,
                                 bool joinable_only, size_t count, Units* __restrict costs) {
  const Units apart = joinable_only ? CandidatePool::kGone : 0;
  Units least = std::numeric_limits<Units>::max();
  for (size_t i = 0; i < count; ++i) {
    const Units cost = weights[i] + base - factor * costs[i] + (costs[i] == 0 ? apart : 0);
    costs[i] = cost;
    least = std::min(least, cost);
  }
  return least;
}

void Lower(std::atomic<Units>& lowest, Units cost) {
  Units before = lowest.load(std::memory_order_relaxed);
  while (cost < before && !lowest.compare_exchange_weak(before, cost, std::memory_order_relaxed)) {
  }
}

}  // namespace

CandidateSearch::CandidateSearch(const TreeModel& model, SearchOptions options, Parallel& parallel)
    : model_(&model),
      options_(options),
      parallel_(&parallel),
      bound_(model),
      child_bound_(model),
      mergers_(parallel.threads(), Merger(model, options.merge)) {
  const size_t records = std::max<size_t>(1, model.forest().record_count());
  const size_t vertices = std::max<size_t>(1, model.forest().vertex_count() / records);
  compare_grain_ = std::clamp<size_t>(kVerticesPerTurn / vertices, 1, 8);
}

void CandidateSearch::Pair(const Representative& group, RecordId record,
                           std::vector<VertexPair>& pairs) {
  mergers_.front().Pair(group, record, pairs);
}

std::optional<Units> CandidateSearch::CostOf(const Representative& group, RecordId record,
                                             Units limit, Merger& merger) {
  const CostLine line = CostLine::Of(options_.merge.cost, group, model_->record_weight(record));
  Units need = line.Need(limit);
  if (options_.joinable_only) need = std::max<Units>(need, 1);
  if (!options_.exhaustive && child_bound_.active() && child_bound_.Most(loaded_, record) < need) {
    return std::nullopt;
  }
  const Units similarity = merger.Similarity(group, record, options_.exhaustive ? 0 : need);
  if (similarity < need) return std::nullopt;
  return line.At(similarity);
}

std::optional<CandidateSearch::Found> CandidateSearch::Nearest(const Representative& group,
                                                               CandidatePool& pool, Units limit) {
  limit = std::min(limit, kNoLimit);
  for (const RecordId member : group.records()) pool.Hide(member);
  statistics_.candidates += pool.size() - group.records().size();
  const std::optional<Found> found =
      options_.exhaustive ? ScanAll(group, pool, limit) : ScanPruned(group, pool, limit);
  for (const RecordId member : group.records()) pool.Unhide(member);
  return found;
}

std::optional<CandidateSearch::Found> CandidateSearch::ScanPruned(const Representative& group,
                                                                  const CandidatePool& pool,
                                                                  Units limit) {
  bound_.Load(group, pool);
  const size_t first = BoundCosts(group, pool);
  if (least_cost_[first] > limit) return std::nullopt;
  if (child_bound_.active()) child_bound_.Load(group, loaded_);

  // One exact cost, of the record with the best chance, leaves few others a chance.
  std::optional<Found> best;
  ++statistics_.compared;
  if (const auto cost = CostOf(group, pool.record(first), limit, mergers_.front())) {
    best = Found{pool.record(first), *cost};
    // Where bounds are exact, the first of the least is the answer.
    if (*cost == least_cost_[first] && bound_.exact()) return best;
  }
  const Units most = best ? best->cost : limit;
  chances_.clear();
  for (size_t place = 0; place < pool.places(); ++place) {
    if (least_cost_[place] > most || place == first) continue;
    if (best && least_cost_[place] == most && pool.record(place) > best->record) continue;
    chances_.push_back({least_cost_[place], pool.record(place)});
  }
  CompareChances(group, limit, best);
  return best;
}

size_t CandidateSearch::BoundCosts(const Representative& group, const CandidatePool& pool) {
  const size_t blocks = (pool.places() + kBlock - 1) / kBlock;
  least_cost_.resize(pool.places());
  least_of_block_.resize(blocks);
  const CostLine line = CostLine::Of(options_.merge.cost, group, 0);
  parallel_->For(blocks, 1, [&](size_t begin_block, size_t end_block) {
    for (size_t block = begin_block; block < end_block; ++block) {
      StopPoint();
      const size_t begin = block * kBlock;
      const size_t end = std::min(begin + kBlock, pool.places());
      bound_.Bound(pool, begin, end, &least_cost_[begin]);
      least_of_block_[block] =
          TurnIntoCosts(pool.weights() + begin, line.base, line.factor, options_.joinable_only,
                        end - begin, &least_cost_[begin]);
    }
  });
  const auto block = static_cast<size_t>(
      std::min_element(least_of_block_.begin(), least_of_block_.end()) - least_of_block_.begin());
  size_t place = block * kBlock;
  while (least_cost_[place] != least_of_block_[block]) ++place;
  return place;
}

void CandidateSearch::CompareChances(const Representative& group, Units limit,
                                     std::optional<Found>& best) {
  std::sort(chances_.begin(), chances_.end(), [](const Chance& a, const Chance& b) {
    return a.least_cost != b.least_cost ? a.least_cost < b.least_cost : a.record < b.record;
  });
  for (size_t begin = 0; begin < chances_.size(); begin += kBatch) {
    const Units most = best ? best->cost : limit;
    if (chances_[begin].least_cost > most) return;
    const size_t count = std::min(kBatch, chances_.size() - begin);
    statistics_.compared += count;
    batch_cost_.assign(count, kTooMuch);
    // What any thread has found spares all of them what costs more. Who is given up depends on who was quicker, but never
    // one of the least cost.
    std::atomic<Units> lowest = most;
    parallel_->For(count, compare_grain_, [&](size_t worker, size_t from, size_t to) {
      for (size_t i = from; i < to; ++i) {
        const Units bar = lowest.load(std::memory_order_relaxed);
        if (chances_[begin + i].least_cost > bar) break;
        if (const auto cost = CostOf(group, chances_[begin + i].record, bar, mergers_[worker])) {
          batch_cost_[i] = *cost;
          Lower(lowest, *cost);
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
                                                               const CandidatePool& pool,
                                                               Units limit) {
  std::vector<Units> costs(pool.places(), kTooMuch);
  statistics_.compared += pool.size() - group.records().size();
  parallel_->For(pool.places(), kBatch, [&](size_t worker, size_t begin, size_t end) {
    for (size_t place = begin; place < end; ++place) {
      StopPoint();
      if (pool.weights()[place] == CandidatePool::kGone) continue;
      if (const auto cost = CostOf(group, pool.record(place), limit, mergers_[worker]))
        costs[place] = *cost;
    }
  });
  const auto least = std::min_element(costs.begin(), costs.end());
  if (least == costs.end() || *least > limit) return std::nullopt;
  return Found{pool.record(static_cast<size_t>(least - costs.begin())), *least};
}

}  // namespace thicket
