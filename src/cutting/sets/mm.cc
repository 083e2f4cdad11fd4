#include "cutting/sets/mm.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "base/stop.h"
#include "cutting/sets/combination_scan.h"
#include "cutting/sets/time_limit.h"

namespace thicket {

namespace {

// Threats as the leaves of which one must go, in one array.
struct Threats {
  std::vector<size_t> first = {0};
  std::vector<Item> leaves;

  size_t size() const { return first.size() - 1; }
  std::span<const Item> of(size_t threat) const {
    return {leaves.data() + first[threat], first[threat + 1] - first[threat]};
  }
};

class Suppression {
 public:
  Suppression(const ItemSets& sets, const SetPromise& promise, const MmOptions& options,
              Progress& progress)
      : sets_(sets),
        promise_(promise),
        limit_(options.limit_s),
        progress_(progress),
        is_suppressed_(sets.forest().size(), false) {}

  MmAnswer Run() {
    BreakAll(false);
    // Without sensitive items no group is rarer than what is below it.
    if (promise_.GuardsSensitive()) BreakAll(true);
    answer_.stopped_early = is_over_;
    for (Item item = 0; item < sets_.forest().size(); ++item) {
      if (!sets_.forest().is_leaf(item) || sets_.occurrences(item) == 0) continue;
      if (!is_over_ && !is_suppressed_[item]) continue;
      answer_.suppressed.push_back(item);
      answer_.suppressed_occurrences += sets_.occurrences(item);
    }
    return std::move(answer_);
  }

 private:
  // Until nothing of any size is found. Items alone need each size once; of groups suppression may make new threats of smaller
  // sizes.
  void BreakAll(bool with_groups) {
    size_t size = 1;
    while (size <= promise_.m && !is_over_) {
      size_t longest = 0;
      const Threats threats = Find(size, with_groups, longest);
      if (threats.size() > 0 && !is_over_) {
        Break(threats);
        if (with_groups) size = 1;
        continue;
      }
      if (++size > longest) return;
    }
  }

  // By item that is a leaf and not suppressed, or above such ones if groups count: its label.
  std::vector<uint32_t> NumberLabels(bool with_groups, std::vector<Item>& items) const {
    std::vector<bool> has_leaf(sets_.forest().size(), false);
    for (Item item = static_cast<Item>(sets_.forest().size()); item-- > 0;) {
      if (sets_.forest().is_leaf(item)) {
        has_leaf[item] = !is_suppressed_[item] && sets_.occurrences(item) > 0;
      }
      if (has_leaf[item]) has_leaf[sets_.forest().parent(item)] = true;
    }
    std::vector<uint32_t> numbers(sets_.forest().size(), ScanRows::kNone);
    for (Item item = 0; item < sets_.forest().size(); ++item) {
      if (!has_leaf[item] || (!with_groups && !sets_.forest().is_leaf(item))) continue;
      numbers[item] = static_cast<uint32_t>(items.size());
      items.push_back(item);
    }
    return numbers;
  }

  ScanRows RowsOf(const std::vector<Item>& items, const std::vector<uint32_t>& numbers,
                  bool with_groups, size_t& longest) const {
    ScanRows rows;
    rows.label_count = static_cast<uint32_t>(items.size());
    rows.sensitive_count = static_cast<uint32_t>(sets_.sensitive_count());
    if (with_groups) {
      for (const Item item : items) {
        rows.parents.push_back(sets_.forest().is_root(item) ? ScanRows::kNone
                                                            : numbers[sets_.forest().parent(item)]);
      }
    }
    std::vector<uint32_t> row;
    for (size_t t = 0; t < sets_.transaction_count(); ++t) {
      StopPoint();
      row.clear();
      size_t leaves = 0;
      for (Item item : sets_.items(t)) {
        if (is_suppressed_[item]) continue;
        ++leaves;
        row.push_back(numbers[item]);
        while (with_groups && !sets_.forest().is_root(item)) {
          item = sets_.forest().parent(item);
          row.push_back(numbers[item]);
        }
      }
      longest = std::max(longest, leaves);
      rows.Add(row, sets_.count(t), sets_.sensitive(t));
    }
    return rows;
  }

  Threats Find(size_t size, bool with_groups, size_t& longest) {
    std::vector<Item> items;
    const std::vector<uint32_t> numbers = NumberLabels(with_groups, items);
    const ScanRows rows = RowsOf(items, numbers, with_groups, longest);
    CombinationScan scan(rows, promise_, limit_, progress_);
    Threats threats;
    scan.Run(size, [&](std::span<const uint32_t> found) {
      AddThreat(found, items, threats);
      return threats.leaves.size() < kMostLeaves;
    });
    is_over_ = scan.is_over();
    answer_.threats += scan.threats();
    answer_.nodes += scan.looked_at();
    return threats;
  }

  // Each leaf of a threat breaks the threat. Of a group any leaf below it may, or none by itself: of the rarest item of the
  // threat one leaf goes, and what is left is looked at again.
  void AddThreat(std::span<const uint32_t> found, const std::vector<Item>& items,
                 Threats& threats) const {
    Item rarest = items[found.front()];
    bool has_group = false;
    for (const uint32_t label : found) {
      const Item item = items[label];
      has_group = has_group || !sets_.forest().is_leaf(item);
      if (sets_.occurrences(item) < sets_.occurrences(rarest)) rarest = item;
    }
    if (has_group) {
      AddLeavesBelow(rarest, threats);
    } else {
      for (const uint32_t label : found) threats.leaves.push_back(items[label]);
    }
    threats.first.push_back(threats.leaves.size());
  }
  void AddLeavesBelow(Item item, Threats& threats) const {
    for (uint32_t place = sets_.place(item); place < sets_.end(item); ++place) {
      const Item leaf = sets_.at_place(place);
      if (!sets_.forest().is_leaf(leaf) || is_suppressed_[leaf]) continue;
      if (sets_.occurrences(leaf) > 0) threats.leaves.push_back(leaf);
    }
  }

  // Suppresses the leaf that breaks most threats per occurrence, until all are broken; of equals the lowest.
  void Break(const Threats& threats) {
    std::vector<std::vector<uint32_t>> threats_of(sets_.forest().size());
    for (uint32_t threat = 0; threat < threats.size(); ++threat) {
      for (const Item leaf : threats.of(threat)) threats_of[leaf].push_back(threat);
    }
    std::vector<uint64_t> left(sets_.forest().size());
    const auto is_worse = [&](const Candidate& a, const Candidate& b) {
      // a.threats / occurrences(a) < b.threats / occurrences(b), exactly.
      const auto of_a = Wide{a.threats} * sets_.occurrences(b.leaf);
      const auto of_b = Wide{b.threats} * sets_.occurrences(a.leaf);
      return of_a != of_b ? of_a < of_b : a.leaf > b.leaf;
    };
    std::priority_queue<Candidate, std::vector<Candidate>, decltype(is_worse)> queue(is_worse);
    for (Item leaf = 0; leaf < threats_of.size(); ++leaf) {
      left[leaf] = threats_of[leaf].size();
      if (left[leaf] > 0) queue.push({leaf, left[leaf]});
    }
    std::vector<bool> is_broken(threats.size(), false);
    while (!queue.empty()) {
      StopPoint();
      const Candidate best = queue.top();
      queue.pop();
      if (left[best.leaf] == 0 || is_suppressed_[best.leaf]) continue;
      if (left[best.leaf] != best.threats) {
        // Threats were broken since: what is left of them decides.
        queue.push({best.leaf, left[best.leaf]});
        continue;
      }
      is_suppressed_[best.leaf] = true;
      for (const uint32_t threat : threats_of[best.leaf]) {
        if (is_broken[threat]) continue;
        is_broken[threat] = true;
        for (const Item leaf : threats.of(threat)) --left[leaf];
      }
    }
  }

  __extension__ using Wide = unsigned __int128;
  struct Candidate {
    Item leaf;
    uint64_t threats;
  };
  // Threats that are held at a time; the others are found again.
  static constexpr size_t kMostLeaves = size_t{1} << 25;

  const ItemSets& sets_;
  const SetPromise& promise_;
  TimeLimit limit_;
  Progress& progress_;
  std::vector<bool> is_suppressed_;
  bool is_over_ = false;
  MmAnswer answer_;
};

}  // namespace

MmAnswer FindSuppressedItems(const ItemSets& sets, const SetPromise& promise,
                             const MmOptions& options, Progress& progress) {
  return Suppression(sets, promise, options, progress).Run();
}

}  // namespace thicket
