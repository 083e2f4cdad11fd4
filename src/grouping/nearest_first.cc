#include "grouping/nearest_first.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

namespace {

constexpr size_t kBlock = 512;
constexpr size_t kBatch = 32;
constexpr size_t kCompareGrain = 8;

}  // namespace

NearestFirst::NearestFirst(const TreeModel& model, MergeOptions merge, bool exhaustive,
                           Parallel& parallel)
    : model_(&model),
      merge_(merge),
      exhaustive_(exhaustive),
      parallel_(&parallel),
      bound_(model),
      mergers_(parallel.threads(), Merger(model, merge)) {}

void NearestFirst::Begin(const Representative& group, const CandidatePool& pool) {
  group_ = &group;
  bound_.Load(group, pool);
  bounds_.resize(pool.places());
  const size_t blocks = (pool.places() + kBlock - 1) / kBlock;
  parallel_->For(blocks, 1, [&](size_t begin_block, size_t end_block) {
    for (size_t block = begin_block; block < end_block; ++block) {
      StopPoint();
      const size_t begin = block * kBlock;
      bound_.Bound(pool, begin, std::min(begin + kBlock, pool.places()), &bounds_[begin]);
    }
  });
  possible_.clear();
  compared_.clear();
  for (size_t place = 0; place < pool.places(); ++place) {
    // Roots that may not stand together have a bound of 0.
    if (pool.weights()[place] == CandidatePool::kGone || bounds_[place] == 0) continue;
    const RecordId record = pool.record(place);
    const CostLine line = CostLine::Of(merge_.cost, group, model_->record_weight(record));
    possible_.push_back({line.At(bounds_[place]), record});
  }
  std::make_heap(possible_.begin(), possible_.end());
  statistics_.candidates += possible_.size();
  if (exhaustive_) Compare(possible_.size());
}

void NearestFirst::Take(size_t count, std::vector<RecordId>& found) {
  while (count > 0 && !(possible_.empty() && compared_.empty())) {
    // A record that is as near as one that was not compared yet must wait: of equals the first is the nearest.
    const bool is_next = !compared_.empty() &&
                         (possible_.empty() || compared_.front().cost < possible_.front().cost);
    if (!is_next) {
      Compare(std::min(kBatch, possible_.size()));
      continue;
    }
    std::pop_heap(compared_.begin(), compared_.end());
    found.push_back(compared_.back().record);
    compared_.pop_back();
    --count;
  }
}

void NearestFirst::Compare(size_t count) {
  batch_.clear();
  for (size_t i = 0; i < count; ++i) {
    std::pop_heap(possible_.begin(), possible_.end());
    batch_.push_back(possible_.back());
    possible_.pop_back();
  }
  statistics_.compared += count;
  parallel_->For(count, kCompareGrain, [&](size_t worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      StopPoint();
      const RecordId record = batch_[i].record;
      const Units similarity = mergers_[worker].Similarity(*group_, record, 0);
      batch_[i].cost =
          CostLine::Of(merge_.cost, *group_, model_->record_weight(record)).At(similarity);
    }
  });
  for (const Candidate& candidate : batch_) {
    compared_.push_back(candidate);
    std::push_heap(compared_.begin(), compared_.end());
  }
}

}  // namespace thicket
