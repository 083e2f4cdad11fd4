#include "utility/closed_patterns.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>
#include <utility>

#include "base/phase.h"
#include "base/stop.h"

namespace thicket {

namespace {

// A label by its place among those that may be in a pattern, the most frequent first.
using Rank = uint32_t;

// Bags as sets of ranks, ascending, each with how many bags it stands for.
class RankedSets {
 public:
  size_t size() const { return weight_.size(); }
  std::span<const Rank> of(uint32_t set) const {
    return {ranks_.data() + first_[set], first_[set + 1] - first_[set]};
  }
  uint64_t weight(uint32_t set) const { return weight_[set]; }
  void Add(std::span<const Rank> ranks, uint64_t weight) {
    ranks_.insert(ranks_.end(), ranks.begin(), ranks.end());
    first_.push_back(ranks_.size());
    weight_.push_back(weight);
  }
  uint64_t Support(std::span<const uint32_t> sets) const {
    return std::accumulate(sets.begin(), sets.end(), uint64_t{0},
                           [&](uint64_t sum, uint32_t set) { return sum + weight_[set]; });
  }
  // What all of these sets have, ascending; `least` ranks are certain, so it stops there.
  void Intersect(std::span<const uint32_t> sets, size_t least, std::vector<Rank>& common) const {
    const auto first = of(sets.front());
    common.assign(first.begin(), first.end());
    for (size_t i = 1; i < sets.size() && common.size() > least; ++i) {
      const auto other = of(sets[i]);
      auto kept = common.begin();
      auto at = other.begin();
      for (const Rank rank : common) {
        at = std::lower_bound(at, other.end(), rank);
        if (at != other.end() && *at == rank) *kept++ = rank;
      }
      common.erase(kept, common.end());
    }
  }

 private:
  std::vector<Rank> ranks_;
  std::vector<size_t> first_ = {0};
  std::vector<uint64_t> weight_;
};

// Labels in the order of their ranks: by support, then by number.
struct Ranking {
  std::vector<BagLabel> labels;
  std::vector<uint64_t> support;

  size_t size() const { return labels.size(); }
};

template <typename Use>
void ForDifferent(std::span<const BagLabel> labels, const Use& use) {
  for (size_t i = 0; i < labels.size(); ++i) {
    if (i == 0 || labels[i] != labels[i - 1]) use(labels[i]);
  }
}

Ranking RankLabels(const LabelBags& bags, uint64_t least) {
  std::vector<uint64_t> support;
  for (size_t bag = 0; bag < bags.size(); ++bag) {
    StopPoint();
    ForDifferent(bags.labels(bag), [&](BagLabel label) {
      if (label >= support.size()) support.resize(label + 1, 0);
      ++support[label];
    });
  }
  Ranking ranking;
  for (BagLabel label = 0; label < support.size(); ++label) {
    if (support[label] >= least) ranking.labels.push_back(label);
  }
  std::stable_sort(ranking.labels.begin(), ranking.labels.end(),
                   [&](BagLabel a, BagLabel b) { return support[a] > support[b]; });
  for (const BagLabel label : ranking.labels) ranking.support.push_back(support[label]);
  return ranking;
}

// Bags without labels that have no rank; equal ones are one, empty ones none.
RankedSets RankBags(const LabelBags& bags, const Ranking& ranking) {
  std::vector<Rank> rank_of;
  for (Rank rank = 0; rank < ranking.size(); ++rank) {
    if (ranking.labels[rank] >= rank_of.size()) rank_of.resize(ranking.labels[rank] + 1, ~Rank{0});
    rank_of[ranking.labels[rank]] = rank;
  }
  RankedSets all;
  std::vector<Rank> ranks;
  for (size_t bag = 0; bag < bags.size(); ++bag) {
    StopPoint();
    ranks.clear();
    ForDifferent(bags.labels(bag), [&](BagLabel label) {
      if (label < rank_of.size() && rank_of[label] != ~Rank{0}) ranks.push_back(rank_of[label]);
    });
    std::sort(ranks.begin(), ranks.end());
    if (!ranks.empty()) all.Add(ranks, 1);
  }
  std::vector<uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const auto x = all.of(a);
    const auto y = all.of(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  RankedSets merged;
  for (size_t begin = 0; begin < order.size();) {
    StopPoint();
    const auto ranks_here = all.of(order[begin]);
    size_t end = begin + 1;
    while (end < order.size() && std::equal(ranks_here.begin(), ranks_here.end(),
                                            all.of(order[end]).begin(), all.of(order[end]).end())) {
      ++end;
    }
    merged.Add(ranks_here, end - begin);
    begin = end;
  }
  return merged;
}

// By rank: the sets that have it.
std::vector<std::vector<uint32_t>> Occurrences(const RankedSets& sets, size_t ranks) {
  std::vector<std::vector<uint32_t>> found(ranks);
  for (uint32_t set = 0; set < sets.size(); ++set) {
    for (const Rank rank : sets.of(set)) found[rank].push_back(set);
  }
  return found;
}

// What the n-th closed pattern around a single label has for a support, or `least` where there are fewer: the n-th
// best of all patterns has no less.
uint64_t SupportOfSingles(const RankedSets& sets, const Ranking& ranking, size_t count,
                          uint64_t least) {
  const std::vector<std::vector<uint32_t>> occurrences = Occurrences(sets, ranking.size());
  std::vector<Rank> closure;
  size_t found = 0;
  for (Rank rank = 0; rank < ranking.size(); ++rank) {
    StopPoint();
    sets.Intersect(occurrences[rank], 1, closure);
    // A label that comes first and has the same bags has the same closure.
    const bool is_new = std::none_of(closure.begin(), closure.end(), [&](Rank other) {
      return other < rank && ranking.support[other] == ranking.support[rank];
    });
    if (is_new && ++found == count) return ranking.support[rank];
  }
  return least;
}

// The best patterns so far, the worst of them on top.
class BestPatterns {
 public:
  explicit BestPatterns(size_t count) : count_(count) {}

  void Offer(ClosedPattern pattern) {
    if (patterns_.size() == count_) {
      if (!(pattern < patterns_.front())) return;
      std::pop_heap(patterns_.begin(), patterns_.end());
      patterns_.back() = std::move(pattern);
    } else {
      patterns_.push_back(std::move(pattern));
    }
    std::push_heap(patterns_.begin(), patterns_.end());
  }
  // What a pattern needs to be among them, apart from equals; 0 as long as there is room.
  uint64_t NeededSupport() const {
    return patterns_.size() == count_ ? patterns_.front().support : 0;
  }
  std::vector<ClosedPattern>& patterns() { return patterns_; }

 private:
  size_t count_;
  std::vector<ClosedPattern> patterns_;
};

// Walks through the closed patterns from one label on. The needed support is shared by all threads, and only rises.
class ClosedMiner {
 public:
  ClosedMiner(const RankedSets& sets, const Ranking& ranking, size_t count,
              std::atomic<uint64_t>& needed)
      : sets_(sets), ranking_(ranking), needed_(needed), best_(count), support_(ranking.size()) {}

  // The pattern's closure must be new: nothing in it comes before `core` but what `before` has.
  void Extend(std::span<const Rank> before, Rank core, std::span<const uint32_t> occurrences) {
    StopPoint();
    const uint64_t support = sets_.Support(occurrences);
    if (support < needed_.load(std::memory_order_relaxed)) return;
    std::vector<Rank> closure;
    sets_.Intersect(occurrences, before.size() + 1, closure);
    if (!KeepsPrefix(before, core, closure)) return;
    Offer(closure, support);
    if (support > needed_.load(std::memory_order_relaxed)) ExtendAll(closure, core, occurrences);
  }

  std::vector<ClosedPattern>& patterns() { return best_.patterns(); }

 private:
  struct Extension {
    Rank core;
    std::vector<uint32_t> occurrences;
  };

  static bool KeepsPrefix(std::span<const Rank> before, Rank core,
                          const std::vector<Rank>& closure) {
    const auto prefix = [&](const auto& ranks) {
      return std::lower_bound(ranks.begin(), ranks.end(), core) - ranks.begin();
    };
    return prefix(before) == prefix(closure);
  }
  void Offer(const std::vector<Rank>& closure, uint64_t support) {
    ClosedPattern pattern{{}, support};
    for (const Rank rank : closure) pattern.labels.push_back(ranking_.labels[rank]);
    std::sort(pattern.labels.begin(), pattern.labels.end());
    best_.Offer(std::move(pattern));
    const uint64_t mine = best_.NeededSupport();
    uint64_t now = needed_.load(std::memory_order_relaxed);
    while (mine > now && !needed_.compare_exchange_weak(now, mine, std::memory_order_relaxed)) {
    }
  }
  void ExtendAll(const std::vector<Rank>& closure, Rank core,
                 std::span<const uint32_t> occurrences) {
    for (const Extension& extension : Extensions(closure, core, occurrences)) {
      Extend(closure, extension.core, extension.occurrences);
    }
  }
  // Those that have the support that is needed, the most frequent label first.
  std::vector<Extension> Extensions(const std::vector<Rank>& closure, Rank core,
                                    std::span<const uint32_t> occurrences);

  const RankedSets& sets_;
  const Ranking& ranking_;
  std::atomic<uint64_t>& needed_;
  BestPatterns best_;
  // By rank; all 0 between calls.
  std::vector<uint64_t> support_;
};

std::vector<ClosedMiner::Extension> ClosedMiner::Extensions(const std::vector<Rank>& closure,
                                                            Rank core,
                                                            std::span<const uint32_t> occurrences) {
  const auto behind = [&](uint32_t set) {
    const auto ranks = sets_.of(set);
    const auto begin = std::upper_bound(ranks.begin(), ranks.end(), core);
    return ranks.subspan(static_cast<size_t>(begin - ranks.begin()));
  };
  std::vector<Rank> touched;
  for (const uint32_t set : occurrences) {
    for (const Rank rank : behind(set)) {
      if (support_[rank] == 0) touched.push_back(rank);
      support_[rank] += sets_.weight(set);
    }
  }
  const uint64_t needed = needed_.load(std::memory_order_relaxed);
  std::vector<Rank> eligible;
  for (const Rank rank : touched) {
    const bool is_in = std::binary_search(closure.begin(), closure.end(), rank);
    if (!is_in && support_[rank] >= needed) eligible.push_back(rank);
    support_[rank] = 0;
  }
  std::sort(eligible.begin(), eligible.end());
  std::vector<Extension> extensions;
  // For a moment the numbers of the extensions, from 1.
  for (const Rank rank : eligible) {
    extensions.push_back({rank, {}});
    support_[rank] = extensions.size();
  }
  if (!extensions.empty()) {
    for (const uint32_t set : occurrences) {
      for (const Rank rank : behind(set)) {
        if (support_[rank] > 0) extensions[support_[rank] - 1].occurrences.push_back(set);
      }
    }
  }
  for (const Rank rank : eligible) support_[rank] = 0;
  return extensions;
}

}  // namespace

std::vector<ClosedPattern> MineClosedPatterns(const LabelBags& bags,
                                              const ClosedPatternOptions& options,
                                              Parallel& parallel) {
  if (options.count == 0) return {};
  const uint64_t least = std::max<uint64_t>(1, options.least_support);
  uint64_t start = least;
  {
    const Ranking ranking = RankLabels(bags, least);
    start = SupportOfSingles(RankBags(bags, ranking), ranking, options.count, least);
  }
  // A closure has no label that is rarer than the pattern.
  const Ranking ranking = RankLabels(bags, start);
  const RankedSets sets = RankBags(bags, ranking);
  const std::vector<std::vector<uint32_t>> occurrences = Occurrences(sets, ranking.size());
  std::atomic<uint64_t> needed = start;
  std::vector<ClosedMiner> miners(parallel.threads(),
                                  ClosedMiner(sets, ranking, options.count, needed));
  Phase phase("patterns", ranking.size());
  parallel.For(ranking.size(), 1, [&](size_t worker, size_t begin, size_t end) {
    for (size_t rank = begin; rank < end; ++rank) {
      miners[worker].Extend({}, static_cast<Rank>(rank), occurrences[rank]);
      phase.Advance();
    }
  });
  BestPatterns best(options.count);
  for (ClosedMiner& miner : miners) {
    for (ClosedPattern& pattern : miner.patterns()) best.Offer(std::move(pattern));
  }
  std::vector<ClosedPattern> patterns = std::move(best.patterns());
  std::sort(patterns.begin(), patterns.end());
  return patterns;
}

}  // namespace thicket
