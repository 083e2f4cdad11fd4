#include "cutting/sets/aa.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

#include "base/stop.h"
#include "cutting/sets/combination_scan.h"
#include "cutting/sets/time_limit.h"

namespace thicket {

namespace {

using Cost = ItemSets::Cost;

// By item: the transactions with a leaf at or below it, ascending.
std::vector<std::vector<uint32_t>> TransactionsOf(const ItemSets& sets) {
  std::vector<std::vector<uint32_t>> transactions(sets.forest().size());
  for (uint32_t t = 0; t < sets.transaction_count(); ++t) {
    StopPoint();
    for (Item item : sets.items(t)) {
      while (transactions[item].empty() || transactions[item].back() != t) {
        transactions[item].push_back(t);
        if (sets.forest().is_root(item)) break;
        item = sets.forest().parent(item);
      }
    }
  }
  return transactions;
}

// A cut that only rises, with what its labels cost below each item.
class RisingCut {
 public:
  explicit RisingCut(const ItemSets& sets)
      : sets_(sets), is_label_(sets.forest().size(), false), cost_below_(sets.forest().size(), 0) {
    for (Item item = 0; item < sets.forest().size(); ++item) {
      is_label_[item] = sets.forest().is_leaf(item);
    }
  }

  bool IsLabel(Item item) const { return is_label_[item]; }
  Item LabelOf(Item leaf) const {
    while (!is_label_[leaf]) leaf = sets_.forest().parent(leaf);
    return leaf;
  }
  std::vector<Item> Labels() const {
    std::vector<Item> labels;
    for (Item item = 0; item < is_label_.size(); ++item) {
      if (is_label_[item]) labels.push_back(item);
    }
    return labels;
  }

  // How much more the cut would cost with these items, or what is above them, for labels.
  Cost Increase(const std::vector<Item>& items) const {
    Cost increase = 0;
    for (size_t i = 0; i < items.size(); ++i) {
      if (IsCovered(items, i)) continue;
      increase += sets_.cost(items[i]) -
                  (is_label_[items[i]] ? sets_.cost(items[i]) : cost_below_[items[i]]);
    }
    return increase;
  }
  // Raises labels to an item that is at or above them, and tells of each that is one no longer.
  void Raise(Item to, const std::function<void(Item)>& gone) {
    if (is_label_[to]) return;
    Clear(to, gone);
    is_label_[to] = true;
    const Cost more = sets_.cost(to) - cost_below_[to];
    cost_below_[to] = 0;
    for (Item item = to; !sets_.forest().is_root(item);) {
      item = sets_.forest().parent(item);
      cost_below_[item] += more;
    }
  }

 private:
  // Whether another of the items is above this one, or the same and earlier.
  bool IsCovered(const std::vector<Item>& items, size_t i) const {
    for (size_t other = 0; other < items.size(); ++other) {
      if (other == i || !sets_.IsAtOrAbove(items[other], items[i])) continue;
      if (items[other] != items[i] || other < i) return true;
    }
    return false;
  }
  void Clear(Item item, const std::function<void(Item)>& gone) {
    for (const Item child : sets_.forest().Children(item)) {
      if (is_label_[child]) {
        is_label_[child] = false;
        gone(child);
      } else {
        Clear(child, gone);
      }
    }
  }

  const ItemSets& sets_;
  std::vector<bool> is_label_;
  // By item above the labels: what those below it cost. 0 at and below labels.
  std::vector<Cost> cost_below_;
};

class Apriori {
 public:
  Apriori(const ItemSets& sets, const SetPromise& promise, const AaOptions& options,
          Progress& progress)
      : sets_(sets),
        promise_(promise),
        limit_(options.limit_s),
        progress_(progress),
        transactions_(TransactionsOf(sets)),
        cut_(sets) {}

  AaAnswer Run() {
    AaAnswer answer;
    for (const Item root : sets_.forest().roots()) {
      if (IsRare({root})) return answer;
    }
    const auto longest = static_cast<uint32_t>(LongestTransaction());
    for (uint32_t size = 1; size <= std::min(promise_.m, longest) && !is_over_ && can_mend_;
         ++size) {
      // What is mended makes labels that were not followed: until nothing is found.
      while (MendAll(size, answer) && !is_over_ && can_mend_) {
      }
    }
    if (!can_mend_) return answer;
    answer.stopped_early = is_over_;
    if (is_over_) {
      // Several roots may be rare together.
      if (sets_.forest().roots().size() > 1) return answer;
      for (const Item root : sets_.forest().roots()) cut_.Raise(root, [](Item) {});
    }
    answer.is_feasible = true;
    answer.cut = cut_.Labels();
    return answer;
  }

 private:
  size_t LongestTransaction() const {
    size_t longest = 0;
    for (size_t t = 0; t < sets_.transaction_count(); ++t) {
      longest = std::max(longest, sets_.items(t).size());
    }
    return longest;
  }

  // Whether some, but fewer than k records have something at or below each item.
  bool IsRare(const std::vector<Item>& items) const {
    const auto rarest = std::min_element(items.begin(), items.end(), [&](Item a, Item b) {
      return transactions_[a].size() < transactions_[b].size();
    });
    uint64_t support = 0;
    for (const uint32_t t : transactions_[*rarest]) {
      const bool has_all = std::all_of(items.begin(), items.end(), [&](Item item) {
        return item == *rarest ||
               std::binary_search(transactions_[item].begin(), transactions_[item].end(), t);
      });
      if (has_all) support += sets_.count(t);
      if (support >= promise_.k) return false;
    }
    return support > 0;
  }

  // Labels by descending support, and the transactions in these numbers. Equal ones are one.
  ScanRows RowsOf(const std::vector<Item>& labels) const {
    std::vector<uint32_t> number(sets_.forest().size(), 0);
    for (uint32_t i = 0; i < labels.size(); ++i) number[labels[i]] = i;
    std::vector<std::pair<std::vector<uint32_t>, uint32_t>> sorted;
    for (size_t t = 0; t < sets_.transaction_count(); ++t) {
      StopPoint();
      std::vector<uint32_t> row;
      for (const Item leaf : sets_.items(t)) row.push_back(number[cut_.LabelOf(leaf)]);
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      sorted.emplace_back(std::move(row), sets_.count(t));
    }
    std::sort(sorted.begin(), sorted.end());
    ScanRows rows;
    rows.label_count = static_cast<uint32_t>(labels.size());
    for (size_t i = 0; i < sorted.size(); ++i) {
      if (i > 0 && sorted[i].first == sorted[i - 1].first) {
        rows.counts.back() += sorted[i].second;
      } else {
        rows.Add(sorted[i].first, sorted[i].second, {});
      }
    }
    return rows;
  }

  std::vector<Item> LabelsBySupport() const {
    std::vector<Item> labels = cut_.Labels();
    std::vector<uint64_t> support(sets_.forest().size(), 0);
    for (const Item label : labels) {
      for (const uint32_t t : transactions_[label]) support[label] += sets_.count(t);
    }
    std::stable_sort(labels.begin(), labels.end(),
                     [&](Item a, Item b) { return support[a] > support[b]; });
    return labels;
  }

  // Whether anything had to be mended.
  bool MendAll(uint32_t size, AaAnswer& answer) {
    const std::vector<Item> labels = LabelsBySupport();
    const ScanRows rows = RowsOf(labels);
    std::vector<uint32_t> number(sets_.forest().size(), ScanRows::kNone);
    for (uint32_t i = 0; i < labels.size(); ++i) number[labels[i]] = i;
    // Of the promise the scan asks for k only.
    const SetPromise rare{.k = promise_.k, .m = promise_.m};
    CombinationScan scan(rows, rare, limit_, progress_);
    scan.Run(size, [&](std::span<const uint32_t> found) {
      std::vector<Item> items;
      for (const uint32_t label : found) items.push_back(labels[label]);
      const std::vector<Item> raised = CheapestMending(items);
      can_mend_ = !raised.empty();
      for (const Item to : raised) {
        cut_.Raise(to, [&](Item gone) {
          if (number[gone] != ScanRows::kNone) scan.Drop(number[gone]);
        });
      }
      return can_mend_;
    });
    is_over_ = scan.is_over();
    answer.threats += scan.threats();
    answer.nodes += scan.looked_at();
    return scan.threats() > 0;
  }

  // The cheapest way to raise some of the items that makes them frequent together: cheapest first, one step of one item at a time. A step
  // never makes a way cheaper, so the first way that does is the cheapest. Only what is highest is left of items above others. Nothing if
  // even the roots are rare together.
  std::vector<Item> CheapestMending(std::vector<Item> items) const {
    using Way = std::pair<Cost, std::vector<Item>>;
    std::priority_queue<Way, std::vector<Way>, std::greater<>> ways;
    std::set<std::vector<Item>> seen;
    ways.push({0, std::move(items)});
    while (!ways.empty()) {
      StopPoint();
      std::vector<Item> way = ways.top().second;
      ways.pop();
      if (!IsRare(way)) return Highest(way);
      // Too many to try: the cheapest so far goes on alone.
      const bool goes_alone = seen.size() > kMostWays;
      if (goes_alone) ways = {};
      for (size_t i = 0; i < way.size(); ++i) {
        if (sets_.forest().is_root(way[i])) continue;
        std::vector<Item> next = way;
        next[i] = sets_.forest().parent(next[i]);
        if (seen.insert(next).second || goes_alone)
          ways.push({cut_.Increase(next), std::move(next)});
      }
    }
    return {};
  }

  std::vector<Item> Highest(const std::vector<Item>& items) const {
    std::vector<Item> highest;
    for (const Item item : items) {
      const bool is_below = std::any_of(items.begin(), items.end(), [&](Item other) {
        return other != item && sets_.IsAtOrAbove(other, item);
      });
      if (!is_below) highest.push_back(item);
    }
    return highest;
  }

  static constexpr size_t kMostWays = 20'000;

  const ItemSets& sets_;
  const SetPromise& promise_;
  TimeLimit limit_;
  Progress& progress_;
  std::vector<std::vector<uint32_t>> transactions_;
  RisingCut cut_;
  bool is_over_ = false;
  bool can_mend_ = true;
};

}  // namespace

AaAnswer FindAprioriCut(const ItemSets& sets, const SetPromise& promise, const AaOptions& options,
                        Progress& progress) {
  return Apriori(sets, promise, options, progress).Run();
}

}  // namespace thicket
