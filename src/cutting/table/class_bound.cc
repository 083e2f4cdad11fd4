#include "cutting/table/class_bound.h"

#include <algorithm>

namespace thicket {

namespace {

__extension__ using Wide = unsigned __int128;

// Of tables with more records products may have no room, and pieces are not looked at.
constexpr uint64_t kMostRecords = uint64_t{1} << 31;

}  // namespace

ClassBound::ClassBound(const TableTask& task)
    : task_(&task),
      table_(&task.table()),
      has_labels_(task.goal().metric == TableMetric::kCm),
      one_attribute_(task.table().sensitive_count() == 1),
      count_(task.table().value_count(), 0),
      kept_(task.table().value_count(), 0),
      of_kind_(has_labels_ ? task.table().kind_count() : 0, 0),
      of_label_(task.table().label_count(), 0) {
  const uint64_t most = uint64_t{1} << 31;
  for (const Fraction& theta : task.goal().promise.theta) {
    share_.push_back({theta.numerator, theta.denominator});
    is_narrow_ = is_narrow_ && theta.numerator < most && theta.denominator < most;
  }
  is_narrow_ = is_narrow_ && task.table().record_count() < most;
  const bool are_values = one_attribute_ && !table_->has_labels();
  for (uint32_t kind = 0; are_values && is_narrow_ && kind < table_->kind_count(); ++kind) {
    const Share& share = share_[table_->values(kind)[0]];
    numerator_of_kind_.push_back(static_cast<uint32_t>(share.numerator));
    denominator_of_kind_.push_back(static_cast<uint32_t>(share.denominator));
  }
  least_size_ = share_.empty() ? 1 : ~uint64_t{0};
  for (const Share& share : share_) {
    const uint64_t least =
        share.numerator == 0 ? ~uint64_t{0} : (share.denominator - 1) / share.numerator + 1;
    least_size_ = std::min(least_size_, least);
  }
}

bool ClassBound::Exceeds(uint32_t value, uint64_t count, uint64_t size) const {
  const Share& share = share_[value];
  if (is_narrow_) return count * share.denominator > share.numerator * size;
  return Wide{count} * share.denominator > Wide{share.numerator} * size;
}

uint64_t ClassBound::MostBeside(uint32_t value, uint64_t rest) const {
  const Share& share = share_[value];
  const uint64_t others = share.denominator - share.numerator;
  if (is_narrow_) return share.numerator * rest / others;
  return static_cast<uint64_t>(Wide{share.numerator} * rest / others);
}

void ClassBound::Clear() {
  for (const uint32_t value : touched_) count_[value] = 0;
  touched_.clear();
  for (const uint32_t kind : touched_kinds_) of_kind_[kind] = 0;
  touched_kinds_.clear();
  size_ = 0;
}

void ClassBound::Add(std::span<const Table::KindCount> kinds) {
  for (const auto& [kind, count] : kinds) {
    size_ += count;
    for (const uint32_t value : table_->values(kind)) {
      if (count_[value] == 0) touched_.push_back(value);
      count_[value] += count;
    }
    if (!has_labels_) continue;
    if (of_kind_[kind] == 0) touched_kinds_.push_back(kind);
    of_kind_[kind] += count;
  }
}

bool ClassBound::Violates() const {
  return std::any_of(touched_.begin(), touched_.end(),
                     [&](uint32_t value) { return Exceeds(value, count_[value], size_); });
}

LeastSuppression ClassBound::Find(bool is_final) { return FindCounted(is_final); }

LeastSuppression ClassBound::Find(std::span<const uint32_t> of_kind, uint64_t size, bool is_final) {
  const TableGoal& goal = task_->goal();
  violating_.clear();
  if (size < least_size_ && size >= goal.promise.k && goal.suppression != Suppression::kNone) {
    // Every value violates, and goes with all its records.
    const uint64_t all = SuppressesValues(goal.suppression) ? table_->sensitive_count() : 1;
    return {.size = size, .suppressed = all * size, .minority_cost = size};
  }
  if (!denominator_of_kind_.empty() && size >= goal.promise.k) {
    uint32_t violating = 0;
    for (size_t kind = 0; kind < of_kind.size(); ++kind) {
      const uint64_t count = uint64_t{of_kind[kind]} * denominator_of_kind_[kind];
      violating += count > uint64_t{numerator_of_kind_[kind]} * size ? 1 : 0;
    }
    if (violating == 0) return {.size = size};
    if (goal.suppression == Suppression::kViolatingRecords ||
        (goal.suppression == Suppression::kAllRecords && !is_final)) {
      return {.size = size, .suppressed = LeastRecordsOfKinds(of_kind, size)};
    }
  }
  Clear();
  for (uint32_t kind = 0; kind < of_kind.size(); ++kind) {
    const Table::KindCount one = {kind, of_kind[kind]};
    if (one.count > 0) Add({&one, 1});
  }
  return FindCounted(is_final);
}

LeastSuppression ClassBound::FindCounted(bool is_final) {
  const TableGoal& goal = task_->goal();
  LeastSuppression least;
  least.size = size_;
  violating_.clear();
  const bool is_small = size_ < goal.promise.k;
  const bool violates = is_small || Violates();
  const bool is_whole = !violates;
  if (violates) {
    switch (goal.suppression) {
      case Suppression::kNone:
        least.possible = false;
        break;
      case Suppression::kAllValues:
      case Suppression::kViolatingValues:
        least.possible = !is_small;
        least.suppressed = is_final ? ExactValues() : LeastValues();
        if (!is_final && one_attribute_ && goal.suppression == Suppression::kAllValues) {
          least.suppressed = std::max(least.suppressed, LeastRecords());
        }
        break;
      case Suppression::kAllRecords:
        least.suppressed = is_final || is_small ? size_ : LeastRecords();
        break;
      case Suppression::kViolatingRecords:
        least.suppressed = is_small ? size_ : LeastRecords();
        break;
    }
  }
  if (has_labels_ && is_final && least.possible) {
    least.minority_cost = least.suppressed == size_ ? size_ : MinorityCost(is_whole);
  }
  return least;
}

uint64_t ClassBound::LeastValues() {
  uint64_t least = 0;
  for (const uint32_t value : touched_) {
    if (!Exceeds(value, count_[value], size_)) continue;
    const uint64_t rest = size_ - count_[value];
    least += count_[value] - MostBeside(value, rest);
    if (table_->record_count() < kMostRecords) violating_.push_back(value);
  }
  return least;
}

uint64_t ClassBound::LeastOfPieces(uint32_t value, std::vector<Piece>& pieces) const {
  const Share& share = share_[value];
  // e of the proof, times the denominator: below 2^95, and with a count below 2^126.
  const auto excess = [&](const Piece& piece) {
    return Wide{piece.count} * share.denominator - Wide{piece.size} * share.numerator;
  };
  std::erase_if(pieces,
                [&](const Piece& piece) { return !Exceeds(value, piece.count, piece.size); });
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.count * b.size > b.count * a.size; });
  Wide missing = excess({count_[value], size_});
  uint64_t lost = 0;
  size_t last = 0;
  for (; last + 1 < pieces.size() && excess(pieces[last]) < missing; ++last) {
    lost += pieces[last].count;
    missing -= excess(pieces[last]);
  }
  const Wide over = excess(pieces[last]) - missing;
  uint64_t with = lost + pieces[last].count;
  if (last > 0) {
    const Piece& before = pieces[last - 1];
    with -= static_cast<uint64_t>(over * before.count / excess(before));
  }
  if (last + 1 == pieces.size()) return with;
  const Piece& after = pieces[last + 1];
  const Wide instead = (missing * after.count + excess(after) - 1) / excess(after);
  return std::min(with, lost + static_cast<uint64_t>(instead));
}

uint64_t ClassBound::ExactValues() const {
  uint64_t starred = 0;
  const bool all = task_->goal().suppression == Suppression::kAllValues;
  std::vector<uint32_t> violated;
  for (const uint32_t value : touched_) {
    if (!Exceeds(value, count_[value], size_)) continue;
    if (all) {
      violated.push_back(table_->attribute_of(value));
    } else {
      starred += count_[value];
    }
  }
  // Every record has one value of each attribute.
  std::sort(violated.begin(), violated.end());
  const auto end = std::unique(violated.begin(), violated.end());
  return starred + static_cast<uint64_t>(end - violated.begin()) * size_;
}

uint64_t ClassBound::LeastRecords() {
  uint64_t kept = size_;
  if (one_attribute_) {
    for (const uint32_t value : touched_) kept_[value] = count_[value];
    for (bool changed = true; changed;) {
      changed = false;
      for (const uint32_t value : touched_) {
        if (!Exceeds(value, kept_[value], kept)) continue;
        const uint64_t rest = kept - kept_[value];
        kept_[value] = MostBeside(value, rest);
        kept = rest + kept_[value];
        changed = true;
      }
    }
  } else {
    // A record that goes may help several attributes: the lemma holds for each value by itself.
    for (const uint32_t value : touched_) {
      if (!Exceeds(value, count_[value], size_)) continue;
      const uint64_t rest = size_ - count_[value];
      kept = std::min(kept, rest + MostBeside(value, rest));
    }
  }
  return kept < std::max(task_->goal().promise.k, least_size_) ? size_ : size_ - kept;
}

// As LeastRecords(), where a kind is a value: what is left in the end does not depend on the order of values.
uint64_t ClassBound::LeastRecordsOfKinds(std::span<const uint32_t> of_kind, uint64_t size) {
  kept_of_kind_.assign(of_kind.begin(), of_kind.end());
  uint64_t kept = size;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t kind = 0; kind < of_kind.size(); ++kind) {
      const uint64_t numerator = numerator_of_kind_[kind];
      const uint64_t denominator = denominator_of_kind_[kind];
      if (kept_of_kind_[kind] * denominator <= numerator * kept) continue;
      const uint64_t rest = kept - kept_of_kind_[kind];
      kept_of_kind_[kind] = numerator * rest / (denominator - numerator);
      kept = rest + kept_of_kind_[kind];
      changed = true;
    }
  }
  return kept < task_->goal().promise.k ? size : size - kept;
}

uint64_t ClassBound::Minority() {
  uint64_t most = 0;
  std::fill(of_label_.begin(), of_label_.end(), 0);
  for (const uint32_t kind : touched_kinds_) of_label_[table_->label(kind)] += of_kind_[kind];
  for (const uint64_t count : of_label_) most = std::max(most, count);
  return size_ - most;
}

// As ClassJudge::FindMinority: all records but those of one label that stay.
uint64_t ClassBound::MinorityCost(bool is_whole) {
  if (is_whole) return Minority();
  uint64_t most = 0;
  std::fill(of_label_.begin(), of_label_.end(), 0);
  for (const uint32_t kind : touched_kinds_) {
    of_label_[table_->label(kind)] += std::min(of_kind_[kind], kept_[table_->values(kind)[0]]);
  }
  for (const uint64_t count : of_label_) most = std::max(most, count);
  return size_ - most;
}

}  // namespace thicket
