// Looks for combinations of labels that stand together in too few records, or with a sensitive item in too many of them.
//
// What the rivals of OG do for each size of combinations: all of one size are counted, depth first, each with the records that have
// its first labels. Only what some record has is looked at.
//
//   CombinationScan scan(rows, promise, limit, progress);
//   scan.Run(2, [&](std::span<const uint32_t> labels) { ...; return true; });   // for each threat of two labels
//
// Labels are numbered from 0; numbers say in which order combinations are followed. The caller may give labels up while the scan is on
// (Drop): no combination with such a label is looked at any more. A label may stand above another one (`parents`): the two are
// never in one combination.
//
// Time is linear in the occurrences of combinations of size - 1 labels, times the labels that follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "cutting/sets/set_goal.h"
#include "cutting/sets/time_limit.h"

namespace thicket {

// Records by what is shown of them. Equal ones may be one with a count.
struct ScanRows {
  std::vector<size_t> first_label = {0};
  // Ascending within a row.
  std::vector<uint32_t> labels = {};
  std::vector<uint32_t> counts = {};
  std::vector<size_t> first_sensitive = {0};
  std::vector<uint32_t> sensitive = {};
  uint32_t label_count = 0;
  uint32_t sensitive_count = 0;
  // By label: the next one above it that is a label, or kNone. Empty where no label is above another.
  std::vector<uint32_t> parents = {};

  static constexpr uint32_t kNone = ~uint32_t{0};

  size_t size() const { return counts.size(); }
  // Sorts the labels, of which each counts once.
  void Add(std::vector<uint32_t>& row, uint32_t count, std::span<const uint32_t> secrets);
};

class CombinationScan {
 public:
  // Called for each threat; false ends the scan. Labels in ascending order.
  using Found = std::function<bool(std::span<const uint32_t> labels)>;

  // All must outlive it. Of the promise k and most_share count. `progress` is advanced by the combinations that are counted.
  CombinationScan(const ScanRows& rows, const SetPromise& promise, const TimeLimit& limit,
                  Progress& progress);

  // All threats of exactly `size` labels, at least 1. A StopPoint() (base/stop.h) is at each combination that is followed.
  void Run(size_t size, const Found& found);
  void Drop(uint32_t label) { is_dropped_[label] = true; }
  bool IsDropped(uint32_t label) const { return is_dropped_[label]; }

  // Whether the limit of time ended a run: then threats may be left.
  bool is_over() const { return is_over_; }
  // Combinations that were counted, and threats that were found, in all runs.
  uint64_t looked_at() const { return looked_at_; }
  uint64_t threats() const { return threats_; }

 private:
  // A row, and where in it the labels begin that may follow.
  struct Rest {
    uint32_t row;
    size_t at;
  };
  // Of one depth: what follows, and where.
  struct Level {
    std::vector<uint32_t> labels;
    std::vector<size_t> first;
    std::vector<Rest> rests;
  };

  bool Follow(std::span<const Rest> rests, size_t size, const Found& found);
  void FillLevel(std::span<const Rest> rests, Level& level);
  bool IsThreat(std::span<const Rest> rests);
  bool MayFollow(uint32_t label) const;
  bool IsPrefixDropped() const;
  bool AreRelated(uint32_t a, uint32_t b) const;

  const ScanRows& rows_;
  const SetPromise& promise_;
  const TimeLimit& limit_;
  Progress& progress_;
  std::vector<bool> is_dropped_;
  std::vector<uint32_t> prefix_;
  std::vector<Level> levels_;
  // By label and by sensitive item; zero between calls.
  std::vector<size_t> label_counts_;
  std::vector<uint64_t> sensitive_counts_;
  std::vector<uint32_t> combination_;
  uint64_t looked_at_ = 0;
  uint64_t threats_ = 0;
  bool is_over_ = false;
};

}  // namespace thicket
