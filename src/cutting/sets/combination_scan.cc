#include "cutting/sets/combination_scan.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

void ScanRows::Add(std::vector<uint32_t>& row, uint32_t count, std::span<const uint32_t> secrets) {
  std::sort(row.begin(), row.end());
  row.erase(std::unique(row.begin(), row.end()), row.end());
  labels.insert(labels.end(), row.begin(), row.end());
  first_label.push_back(labels.size());
  sensitive.insert(sensitive.end(), secrets.begin(), secrets.end());
  first_sensitive.push_back(sensitive.size());
  counts.push_back(count);
}

CombinationScan::CombinationScan(const ScanRows& rows, const SetPromise& promise,
                                 const TimeLimit& limit, Progress& progress)
    : rows_(rows),
      promise_(promise),
      limit_(limit),
      progress_(progress),
      is_dropped_(rows.label_count, false),
      label_counts_(rows.label_count, 0),
      sensitive_counts_(rows.sensitive_count, 0) {}

void CombinationScan::Run(size_t size, const Found& found) {
  levels_.assign(size, {});
  prefix_.clear();
  std::vector<Rest> all;
  for (uint32_t row = 0; row < rows_.size(); ++row) all.push_back({row, rows_.first_label[row]});
  Follow(all, size, found);
}

bool CombinationScan::AreRelated(uint32_t a, uint32_t b) const {
  for (uint32_t above = a; above != ScanRows::kNone; above = rows_.parents[above]) {
    if (above == b) return true;
  }
  for (uint32_t above = b; above != ScanRows::kNone; above = rows_.parents[above]) {
    if (above == a) return true;
  }
  return false;
}

bool CombinationScan::MayFollow(uint32_t label) const {
  if (is_dropped_[label]) return false;
  if (rows_.parents.empty()) return true;
  return std::none_of(prefix_.begin(), prefix_.end(),
                      [&](uint32_t other) { return AreRelated(other, label); });
}

bool CombinationScan::IsPrefixDropped() const {
  return std::any_of(prefix_.begin(), prefix_.end(),
                     [&](uint32_t label) { return is_dropped_[label]; });
}

// Sorts what follows by label.
void CombinationScan::FillLevel(std::span<const Rest> rests, Level& level) {
  level.labels.clear();
  for (const Rest& rest : rests) {
    for (size_t at = rest.at; at < rows_.first_label[rest.row + 1]; ++at) {
      if (label_counts_[rows_.labels[at]]++ == 0) level.labels.push_back(rows_.labels[at]);
    }
  }
  std::sort(level.labels.begin(), level.labels.end());
  level.first.assign(1, 0);
  for (const uint32_t label : level.labels) {
    level.first.push_back(level.first.back() + label_counts_[label]);
    label_counts_[label] = level.first[level.first.size() - 2];
  }
  level.rests.resize(level.first.back());
  for (const Rest& rest : rests) {
    for (size_t at = rest.at; at < rows_.first_label[rest.row + 1]; ++at) {
      level.rests[label_counts_[rows_.labels[at]]++] = {rest.row, at + 1};
    }
  }
  for (const uint32_t label : level.labels) label_counts_[label] = 0;
}

bool CombinationScan::IsThreat(std::span<const Rest> rests) {
  uint64_t support = 0;
  uint64_t most = 0;
  const bool counts_secrets = promise_.GuardsSensitive();
  for (const Rest& rest : rests) {
    support += rows_.counts[rest.row];
    if (!counts_secrets) {
      if (support >= promise_.k) return false;
      continue;
    }
    for (size_t at = rows_.first_sensitive[rest.row]; at < rows_.first_sensitive[rest.row + 1];
         ++at) {
      most = std::max(most, sensitive_counts_[rows_.sensitive[at]] += rows_.counts[rest.row]);
    }
  }
  if (!counts_secrets) return true;
  for (const Rest& rest : rests) {
    for (size_t at = rows_.first_sensitive[rest.row]; at < rows_.first_sensitive[rest.row + 1];
         ++at) {
      sensitive_counts_[rows_.sensitive[at]] = 0;
    }
  }
  return support < promise_.k || promise_.most_share.IsExceededBy(most, support);
}

// Whether the scan goes on.
bool CombinationScan::Follow(std::span<const Rest> rests, size_t size, const Found& found) {
  StopPoint();
  is_over_ = is_over_ || limit_.IsOver();
  if (is_over_) return false;
  Level& level = levels_[prefix_.size()];
  FillLevel(rests, level);
  const bool is_last = prefix_.size() + 1 == size;
  if (is_last) progress_.Advance(level.labels.size());
  for (size_t i = 0; i < level.labels.size(); ++i) {
    const uint32_t label = level.labels[i];
    if (!MayFollow(label)) continue;
    const std::span<const Rest> with(level.rests.data() + level.first[i],
                                     level.first[i + 1] - level.first[i]);
    ++looked_at_;
    prefix_.push_back(label);
    bool goes_on = true;
    if (!is_last) {
      goes_on = Follow(with, size, found);
    } else if (IsThreat(with)) {
      ++threats_;
      combination_ = prefix_;
      goes_on = found(combination_);
    }
    prefix_.pop_back();
    if (!goes_on) return false;
    if (IsPrefixDropped()) return true;
  }
  return true;
}

}  // namespace thicket
