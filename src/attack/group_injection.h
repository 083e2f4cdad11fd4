// Whether every member of groups on the left can have a fitting member of its own of groups on the right: base/injection.h for many
// that are equal.
//
//   GroupInjection groups(demand, supply);   // members by group
//   groups.Exists(order, [&](uint32_t left, const auto& use) { ... use(right) for all that fit, until it returns false ... });
//
// Groups take what is free in the order given; where nothing is, others are moved aside along shortest paths. Those with little to choose
// from should come first, so that hardly anybody has to move. A group that nobody can make room for ends it. O(pairs that fit) where
// nobody moves, and the same again for each path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/stop.h"

namespace thicket {

class GroupInjection {
 public:
  GroupInjection(std::vector<uint32_t> demand, std::vector<uint32_t> supply)
      : demand_(std::move(demand)),
        free_(std::move(supply)),
        holders_(free_.size()),
        reached_by_(free_.size(), kNone),
        reached_from_(demand_.size(), kNone) {}

  template <typename ForEachFitting>
  bool Exists(const std::vector<uint32_t>& order, const ForEachFitting& for_each) {
    const auto total = [](const std::vector<uint32_t>& of) {
      return std::accumulate(of.begin(), of.end(), uint64_t{0});
    };
    if (total(demand_) > total(free_)) return false;
    for (const uint32_t left : order) {
      StopPoint();
      uint32_t& need = demand_[left];
      for_each(left, [&](uint32_t right) {
        const uint32_t taken = std::min(need, free_[right]);
        if (taken > 0) Take(right, left, taken);
        return need > 0;
      });
      while (need > 0) {
        if (!Augment(left, for_each)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  // Who has how many of a group on the right.
  struct Holder {
    uint32_t left;
    uint32_t count;
  };

  Holder& HolderOf(uint32_t right, uint32_t left) {
    std::vector<Holder>& holders = holders_[right];
    const auto found = std::find_if(holders.begin(), holders.end(),
                                    [&](const Holder& holder) { return holder.left == left; });
    if (found != holders.end()) return *found;
    return holders.emplace_back(Holder{left, 0});
  }

  void Take(uint32_t right, uint32_t left, uint32_t count) {
    free_[right] -= count;
    demand_[left] -= count;
    HolderOf(right, left).count += count;
  }

  // Moves others aside for members of `start`; false if nothing can be made free.
  template <typename ForEachFitting>
  bool Augment(uint32_t start, const ForEachFitting& for_each) {
    queue_.assign(1, start);
    touched_.clear();
    uint32_t end = kNone;
    for (size_t next = 0; next < queue_.size() && end == kNone; ++next) {
      StopPoint();
      const uint32_t left = queue_[next];
      for_each(left, [&](uint32_t right) {
        if (reached_by_[right] != kNone) return true;
        reached_by_[right] = left;
        touched_.push_back(right);
        if (free_[right] > 0) {
          end = right;
          return false;
        }
        for (const Holder& holder : holders_[right]) {
          if (holder.count == 0 || holder.left == start) continue;
          if (reached_from_[holder.left] != kNone) continue;
          reached_from_[holder.left] = right;
          queue_.push_back(holder.left);
        }
        return true;
      });
    }
    if (end != kNone) Move(start, end);
    for (const uint32_t right : touched_) reached_by_[right] = kNone;
    for (const uint32_t left : queue_) reached_from_[left] = kNone;
    return end != kNone;
  }

  // Along the path that was found: everybody on it takes members of the group that was reached from there, and gives up as many of the one
  // before.
  void Move(uint32_t start, uint32_t end) {
    uint32_t count = std::min(demand_[start], free_[end]);
    for (uint32_t left = reached_by_[end]; left != start;) {
      const uint32_t before = reached_from_[left];
      count = std::min(count, HolderOf(before, left).count);
      left = reached_by_[before];
    }
    free_[end] -= count;
    demand_[start] -= count;
    for (uint32_t right = end;;) {
      const uint32_t left = reached_by_[right];
      HolderOf(right, left).count += count;
      if (left == start) return;
      right = reached_from_[left];
      HolderOf(right, left).count -= count;
    }
  }

  std::vector<uint32_t> demand_;  // members that have nothing yet
  std::vector<uint32_t> free_;
  std::vector<std::vector<Holder>> holders_;  // by right
  // Of the path that is looked for: the left group that reached the right one, and the right one whose holder the left one is.
  std::vector<uint32_t> reached_by_;
  std::vector<uint32_t> reached_from_;
  std::vector<uint32_t> queue_;
  std::vector<uint32_t> touched_;
};

}  // namespace thicket
