#include "grouping/candidate_pool.h"

#include <algorithm>
#include <numeric>

#include "base/stop.h"

namespace thicket {

CandidatePool::CandidatePool(const TreeModel& model) : model_(&model) {
  const Forest& forest = model.forest();
  present_ = forest.record_count();
  in_pool_.assign(present_, true);
  records_.resize(present_);
  std::iota(records_.begin(), records_.end(), RecordId{0});
  values_.resize(model.data().classes[0].domains.size());
  bits_.resize(model.sensitive_count(0));
  for (const RecordId record : records_) {
    StopPoint();
    const Vertex root = forest.root(record);
    weights_.push_back(model.record_weight(record));
    for (size_t slot = 0; slot < values_.size(); ++slot)
      values_[slot].push_back(model.data().value(root, slot));
    for (size_t a = 0; a < bits_.size(); ++a)
      bits_[a].push_back(BucketBit(model.buckets(0, root)[a]));
  }
}

size_t CandidatePool::PlaceOf(RecordId record) const {
  return static_cast<size_t>(std::lower_bound(records_.begin(), records_.end(), record) -
                             records_.begin());
}

void CandidatePool::Unhide(RecordId record) {
  if (in_pool_[record]) weights_[PlaceOf(record)] = model_->record_weight(record);
}

void CandidatePool::Remove(RecordId record) {
  weights_[PlaceOf(record)] = kGone;
  in_pool_[record] = false;
  --present_;
  if (records_.size() - present_ > records_.size() / 8) Close();
}

void CandidatePool::Close() {
  size_t next = 0;
  for (size_t place = 0; place < records_.size(); ++place) {
    if (!in_pool_[records_[place]]) continue;
    records_[next] = records_[place];
    weights_[next] = weights_[place];
    for (auto& column : values_) column[next] = column[place];
    for (auto& column : bits_) column[next] = column[place];
    ++next;
  }
  records_.resize(next);
  weights_.resize(next);
  for (auto& column : values_) column.resize(next);
  for (auto& column : bits_) column.resize(next);
  ++generation_;
}

}  // namespace thicket
