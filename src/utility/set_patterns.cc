#include "utility/set_patterns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"

namespace thicket {

namespace {

// What patterns are made of, numbered from rare to frequent: nodes of the taxonomy, and behind them sensitive items.
using Rank = uint32_t;
// A rank by its place among those that may be added to a pattern.
using Place = uint32_t;

constexpr size_t kSides = 2;  // the original, the published data

// Records or rests of records: places of what may be added to a pattern, ascending. Equal ones are one.
class Rests {
 public:
  // Where a place occurs.
  struct Occurrence {
    size_t at;
    uint32_t rest;
  };

  size_t size() const { return weight_.size(); }
  uint64_t weight(uint32_t rest) const { return weight_[rest]; }
  std::span<const Place> of(uint32_t rest) const {
    return {places_.data() + first_[rest], first_[rest + 1] - first_[rest]};
  }
  std::span<const Occurrence> Occurrences(Place place) const {
    return {occurrences_.data() + first_occurrence_[place],
            first_occurrence_[place + 1] - first_occurrence_[place]};
  }
  std::span<const Place> Behind(const Occurrence& occurrence) const {
    return {places_.data() + occurrence.at + 1, first_[occurrence.rest + 1] - occurrence.at - 1};
  }

  void Add(std::span<const Place> rest, uint64_t weight) {
    places_.insert(places_.end(), rest.begin(), rest.end());
    first_.push_back(places_.size());
    weight_.push_back(weight);
  }
  // Equal ones become one, and occurrences are known; places are below `place_count`.
  Rests Merged(size_t place_count) const;

 private:
  void Index(size_t place_count);

  std::vector<Place> places_;
  std::vector<size_t> first_ = {0};
  std::vector<uint64_t> weight_;
  std::vector<Occurrence> occurrences_;
  std::vector<size_t> first_occurrence_;
};

Rests Rests::Merged(size_t place_count) const {
  std::vector<uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  const auto is_less = [&](uint32_t a, uint32_t b) {
    const auto x = of(a);
    const auto y = of(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  };
  std::sort(order.begin(), order.end(), is_less);
  Rests merged;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && !is_less(order[i - 1], order[i])) {
      merged.weight_.back() += weight_[order[i]];
    } else {
      merged.Add(of(order[i]), weight_[order[i]]);
    }
  }
  merged.Index(place_count);
  return merged;
}

void Rests::Index(size_t place_count) {
  first_occurrence_.assign(place_count + 1, 0);
  for (const Place place : places_) ++first_occurrence_[place + 1];
  std::partial_sum(first_occurrence_.begin(), first_occurrence_.end(), first_occurrence_.begin());
  occurrences_.resize(places_.size());
  std::vector<size_t> next(first_occurrence_.begin(), first_occurrence_.end() - 1);
  for (uint32_t rest = 0; rest < size(); ++rest) {
    for (size_t at = first_[rest]; at < first_[rest + 1]; ++at) {
      occurrences_[next[places_[at]]++] = {at, rest};
    }
  }
}

using Least = std::array<uint64_t, kSides>;

// What may be added to a pattern, and where.
struct Conditional {
  // By place.
  std::vector<Rank> ranks;
  std::array<Rests, kSides> rests;
};

// What a record's sets support: its labels with all that is above them, and its secrets behind all nodes. Distinct.
void Expand(const Taxonomy& taxonomy, const LabelSets& sets, size_t record,
            std::vector<uint32_t>& items) {
  items.clear();
  for (Node node : sets.labels(record)) {
    items.push_back(node);
    while (node != Taxonomy::kRoot) items.push_back(node = taxonomy.parent(node));
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  for (const uint32_t secret : sets.secrets(record)) {
    items.push_back(static_cast<uint32_t>(taxonomy.node_count()) + secret);
  }
}

// Which items of both data sets are frequent in either, in the order of their ranks; and what may not stand together.
class Ranking {
 public:
  Ranking(const Taxonomy& taxonomy, const std::array<const LabelSets*, kSides>& sets,
          const Least& least)
      : taxonomy_(taxonomy) {
    size_t items = taxonomy.node_count();
    for (const LabelSets* side : sets) {
      items = std::max(items, taxonomy.node_count() + side->secret_count());
    }
    std::vector<std::array<uint64_t, kSides>> counts(items);
    std::vector<uint32_t> expanded;
    for (size_t side = 0; side < kSides; ++side) {
      for (size_t record = 0; record < sets[side]->size(); ++record) {
        StopPoint();
        Expand(taxonomy, *sets[side], record, expanded);
        for (const uint32_t item : expanded) ++counts[item][side];
      }
    }
    for (uint32_t item = 0; item < items; ++item) {
      if (counts[item][0] >= least[0] || counts[item][1] >= least[1]) items_.push_back(item);
    }
    const auto most = [&](uint32_t item) { return std::max(counts[item][0], counts[item][1]); };
    std::sort(items_.begin(), items_.end(), [&](uint32_t a, uint32_t b) {
      return most(a) != most(b) ? most(a) < most(b) : a < b;
    });
    rank_of_.assign(items, kRare);
    for (Rank rank = 0; rank < items_.size(); ++rank) rank_of_[items_[rank]] = rank;
    Relate();
  }

  size_t size() const { return items_.size(); }
  bool AreRelated(Rank a, Rank b) const { return related_[a * items_.size() + b]; }

  Rests RestsOf(const LabelSets& sets) const {
    Rests rests;
    std::vector<uint32_t> expanded;
    std::vector<Rank> ranks;
    for (size_t record = 0; record < sets.size(); ++record) {
      StopPoint();
      Expand(taxonomy_, sets, record, expanded);
      ranks.clear();
      for (const uint32_t item : expanded) {
        if (rank_of_[item] != kRare) ranks.push_back(rank_of_[item]);
      }
      std::sort(ranks.begin(), ranks.end());
      if (!ranks.empty()) rests.Add(ranks, 1);
    }
    return rests.Merged(size());
  }

 private:
  static constexpr Rank kRare = ~Rank{0};

  // Nodes of which one is above the other.
  void Relate() {
    related_.assign(items_.size() * items_.size(), false);
    for (Rank rank = 0; rank < items_.size(); ++rank) {
      if (items_[rank] >= taxonomy_.node_count()) continue;
      for (Node node = items_[rank]; node != Taxonomy::kRoot;) {
        node = taxonomy_.parent(node);
        if (rank_of_[node] == kRare) continue;
        related_[rank * items_.size() + rank_of_[node]] = true;
        related_[rank_of_[node] * items_.size() + rank] = true;
      }
    }
  }

  const Taxonomy& taxonomy_;
  std::vector<uint32_t> items_;
  std::vector<Rank> rank_of_;
  std::vector<bool> related_;
};

// Grows patterns on one thread.
class Miner {
 public:
  Miner(const Ranking& ranking, const Least& least, bool count_original)
      : ranking_(ranking), least_(least), count_original_(count_original) {}

  // All patterns that have the rank at `place` and only later ones beside it. `all` is what may be added to the empty pattern.
  void MineFrom(const Conditional& all, Place place) {
    Supports supports = {};
    for (size_t side = 0; side < kSides; ++side) {
      for (const Rests::Occurrence& occurrence : all.rests[side].Occurrences(place)) {
        supports[side] += all.rests[side].weight(occurrence.rest);
      }
    }
    if (!IsFollowed(supports)) return;
    Count(supports);
    Grow(all, place);
  }

  const PatternReport& report() const { return report_; }

 private:
  using Supports = std::array<uint64_t, kSides>;
  static constexpr Place kNowhere = ~Place{0};

  bool IsFollowed(const Supports& supports) const {
    return (count_original_ && supports[0] >= least_[0]) || supports[1] >= least_[1];
  }

  void Count(const Supports& supports) {
    const bool is_original = supports[0] >= least_[0];
    const bool is_published = supports[1] >= least_[1];
    report_.original += is_original ? 1 : 0;
    report_.published += is_published ? 1 : 0;
    if (!is_original || !is_published) return;
    ++report_.common;
    report_.support += supports[0];
    report_.off +=
        supports[0] > supports[1] ? supports[0] - supports[1] : supports[1] - supports[0];
  }

  // `above` is what may be added to a pattern: counts the patterns that have `place` and later ones beside it.
  void Grow(const Conditional& above, Place place) {
    StopPoint();
    const std::vector<Supports> supports = SupportsBehind(above, place);
    Conditional below;
    std::vector<Place> place_below(above.ranks.size(), kNowhere);
    for (Place other = place + 1; other < above.ranks.size(); ++other) {
      if (!IsFollowed(supports[other])) continue;
      Count(supports[other]);
      place_below[other] = static_cast<Place>(below.ranks.size());
      below.ranks.push_back(above.ranks[other]);
    }
    if (below.ranks.size() < 2) return;
    for (size_t side = 0; side < kSides; ++side) {
      Rests rests;
      std::vector<Place> kept;
      for (const Rests::Occurrence& occurrence : above.rests[side].Occurrences(place)) {
        kept.clear();
        for (const Place other : above.rests[side].Behind(occurrence)) {
          if (place_below[other] != kNowhere && supports[other][side] >= least_[side]) {
            kept.push_back(place_below[other]);
          }
        }
        // A single one was counted already.
        if (kept.size() > 1) rests.Add(kept, above.rests[side].weight(occurrence.rest));
      }
      below.rests[side] = rests.Merged(below.ranks.size());
    }
    for (Place other = 0; other + 1 < below.ranks.size(); ++other) Grow(below, other);
  }

  // By place behind `place`: how many records support it together with `place`. 0 for what may not stand with it.
  std::vector<Supports> SupportsBehind(const Conditional& above, Place place) const {
    std::vector<Supports> supports(above.ranks.size());
    for (size_t side = 0; side < kSides; ++side) {
      const Rests& rests = above.rests[side];
      for (const Rests::Occurrence& occurrence : rests.Occurrences(place)) {
        const uint64_t weight = rests.weight(occurrence.rest);
        for (const Place other : rests.Behind(occurrence)) supports[other][side] += weight;
      }
    }
    for (Place other = place + 1; other < above.ranks.size(); ++other) {
      if (ranking_.AreRelated(above.ranks[place], above.ranks[other])) supports[other] = {};
    }
    return supports;
  }

  const Ranking& ranking_;
  const Least& least_;
  bool count_original_;
  PatternReport report_;
};

uint64_t LeastRecords(double support, size_t records) {
  // The margin keeps 1 % of 100 from becoming 2 records.
  return static_cast<uint64_t>(
      std::max(1.0, std::ceil(support * static_cast<double>(records) - 1e-6)));
}

}  // namespace

PatternReport MeasurePatterns(const Taxonomy& taxonomy, const LabelSets& original,
                              const LabelSets& published, const PatternOptions& options,
                              Parallel& parallel) {
  const Least least = {LeastRecords(options.support, original.size()),
                       LeastRecords(options.support, published.size())};
  const Ranking ranking(taxonomy, {&original, &published}, least);
  Conditional all{std::vector<Rank>(ranking.size()),
                  {ranking.RestsOf(original), ranking.RestsOf(published)}};
  std::iota(all.ranks.begin(), all.ranks.end(), Rank{0});
  PatternReport report;
  std::mutex adding;
  Phase phase("patterns", ranking.size());
  parallel.For(ranking.size(), 1, [&](size_t begin, size_t end) {
    Miner miner(ranking, least, options.count_original);
    for (size_t rank = begin; rank < end; ++rank) {
      miner.MineFrom(all, static_cast<Place>(rank));
      phase.Advance();
    }
    const std::lock_guard<std::mutex> lock(adding);
    report.original += miner.report().original;
    report.published += miner.report().published;
    report.common += miner.report().common;
    report.off += miner.report().off;
    report.support += miner.report().support;
  });
  return report;
}

}  // namespace thicket
