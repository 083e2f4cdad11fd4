#include "cutting/table/class_judge.h"

#include <algorithm>

namespace thicket {

namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

ClassJudge::ClassJudge(const TableTask& task)
    : task_(&task),
      count_(task.table().value_count(), 0),
      kept_(task.table().value_count(), 0),
      starred_(task.table().value_count(), false),
      of_label_(task.table().label_count(), 0) {}

void ClassJudge::Count(std::span<const Table::KindCount> kinds) {
  for (const uint32_t value : touched_) {
    count_[value] = 0;
    kept_[value] = 0;
    starred_[value] = false;
  }
  touched_.clear();
  for (const auto& [kind, count] : kinds) {
    for (const uint32_t value : task_->table().values(kind)) {
      if (count_[value] == 0) touched_.push_back(value);
      count_[value] += count;
    }
  }
}

bool ClassJudge::Violates(uint64_t size) const {
  const std::vector<Fraction>& theta = task_->goal().promise.theta;
  return std::any_of(touched_.begin(), touched_.end(), [&](uint32_t value) {
    return theta[value].IsExceededBy(count_[value], size);
  });
}

ClassOutcome ClassJudge::Judge(std::span<const Table::KindCount> kinds) {
  Count(kinds);
  ClassOutcome outcome;
  for (const Table::KindCount& kind : kinds) outcome.size += kind.count;
  outcome.kept = outcome.size;
  for (const uint32_t value : touched_) kept_[value] = count_[value];
  const bool is_small = outcome.size < task_->goal().promise.k;
  outcome.violates = is_small || Violates(outcome.size);
  if (outcome.violates) {
    switch (task_->goal().suppression) {
      case Suppression::kNone:
        outcome.valid = false;
        break;
      case Suppression::kAllRecords:
        outcome.kept = 0;
        for (const uint32_t value : touched_) kept_[value] = 0;
        break;
      case Suppression::kAllValues:
      case Suppression::kViolatingValues:
        outcome.valid = !is_small;
        SuppressValues(outcome);
        break;
      case Suppression::kViolatingRecords:
        SuppressRecords(outcome);
        break;
    }
  }
  if (task_->goal().metric == TableMetric::kCm) FindMinority(outcome, kinds);
  return outcome;
}

void ClassJudge::SuppressValues(ClassOutcome& outcome) {
  const Table& table = task_->table();
  const std::vector<Fraction>& theta = task_->goal().promise.theta;
  const bool all = task_->goal().suppression == Suppression::kAllValues;
  std::vector<bool> violated(table.sensitive_count(), false);
  for (const uint32_t value : touched_) {
    starred_[value] = theta[value].IsExceededBy(count_[value], outcome.size);
    if (all && starred_[value]) violated[table.attribute_of(value)] = true;
  }
  for (const uint32_t value : touched_) {
    if (all) starred_[value] = violated[table.attribute_of(value)];
    if (starred_[value]) outcome.suppressed_values += count_[value];
  }
}

// Lemma 3.3 until nothing violates. What stays of each value only falls, and never below the largest number that can stay,
// so that the counts that are left are the largest of all that keep the promise, whatever the order.
void ClassJudge::SuppressRecords(ClassOutcome& outcome) {
  const std::vector<Fraction>& theta = task_->goal().promise.theta;
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t value : touched_) {
      const Fraction& share = theta[value];
      if (kept_[value] == 0 || !share.IsExceededBy(kept_[value], outcome.kept)) continue;
      // The largest m with m <= share (rest + m), where the share is below 1: it is exceeded.
      const uint64_t rest = outcome.kept - kept_[value];
      const Wide most = Wide{share.numerator} * rest / (share.denominator - share.numerator);
      outcome.kept = rest + static_cast<uint64_t>(most);
      kept_[value] = static_cast<uint64_t>(most);
      changed = true;
    }
  }
  if (outcome.kept >= task_->goal().promise.k) return;
  outcome.kept = 0;
  for (const uint32_t value : touched_) kept_[value] = 0;
}

// The cost of a class is that of all its records but those of one label that stay. Of each value so many stay, and those of
// the label first: the label of which most can stay costs least.
void ClassJudge::FindMinority(ClassOutcome& outcome, std::span<const Table::KindCount> kinds) {
  const Table& table = task_->table();
  favoured_label_ = 0;
  if (outcome.kept == 0) return;
  merged_.assign(kinds.begin(), kinds.end());
  std::sort(merged_.begin(), merged_.end(),
            [](const auto& a, const auto& b) { return a.kind < b.kind; });
  std::fill(of_label_.begin(), of_label_.end(), 0);
  for (size_t i = 0; i < merged_.size();) {
    const uint32_t kind = merged_[i].kind;
    uint64_t count = 0;
    for (; i < merged_.size() && merged_[i].kind == kind; ++i) count += merged_[i].count;
    if (outcome.kept < outcome.size) count = std::min(count, kept_[table.values(kind)[0]]);
    of_label_[table.label(kind)] += count;
  }
  const auto most = std::max_element(of_label_.begin(), of_label_.end());
  favoured_label_ = static_cast<uint32_t>(most - of_label_.begin());
  outcome.minority = outcome.kept - *most;
}

TableTask::Cost ClassJudge::CostOf(const ClassOutcome& outcome,
                                   TableTask::Cost loss_of_record) const {
  const TableTask::Cost lost = (outcome.size - outcome.kept) * task_->record_cost();
  switch (task_->goal().metric) {
    case TableMetric::kLm:
      return lost + outcome.kept * loss_of_record + outcome.suppressed_values * task_->value_cost();
    case TableMetric::kDm:
      return lost + outcome.kept * outcome.kept;
    case TableMetric::kCm:
      return lost + outcome.minority;
  }
  return lost;
}

}  // namespace thicket
