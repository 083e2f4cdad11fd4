#include "cutting/sets/rare_itemsets.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "cutting/sets/itemset_index.h"
#include "cutting/sets/label_rows.h"
#include "cutting/sets/record_threats.h"

namespace thicket {

namespace {

std::vector<Item> ItemsOf(const DecoratedItemset& itemset) {
  std::vector<Item> items;
  for (const DecoratedItem& one : itemset) items.push_back(one.item);
  return items;
}

// Makes a threat as general as can be.
class Lift {
 public:
  Lift(const ItemSets& sets, const SetPromise& promise, const LabelRows& rows)
      : sets_(sets), promise_(promise), supports_(sets, rows) {}

  void operator()(DecoratedItemset& threat) const {
    for (size_t i = 0; i < threat.size() && threat.size() > 1;) {
      DecoratedItemset fewer = threat;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      if (IsThreat(fewer)) {
        threat = std::move(fewer);
      } else {
        ++i;
      }
    }
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (size_t i = 0; i < threat.size(); ++i) has_changed |= Raise(threat, i);
    }
  }

 private:
  bool IsThreat(const DecoratedItemset& itemset) const {
    const uint64_t support = supports_.Support(itemset, promise_.k);
    return support > 0 && support < promise_.k;
  }

  bool Raise(DecoratedItemset& threat, size_t place) const {
    const DecoratedItem from = threat[place];
    if (sets_.forest().is_root(from.item)) return false;
    const Item parent = sets_.forest().parent(from.item);
    DecoratedItemset raised = {{parent, from.is_there}};
    uint64_t absent = from.is_there ? 0 : sets_.leaves(parent);
    for (size_t i = 0; i < threat.size(); ++i) {
      if (i == place) continue;
      const bool is_below =
          threat[i].is_there == from.is_there && sets_.IsAtOrAbove(parent, threat[i].item);
      // Something that is there says more than a group above it, which would be known in vain.
      if (is_below && from.is_there) return false;
      if (is_below) continue;
      raised.push_back(threat[i]);
      if (!threat[i].is_there) absent += sets_.leaves(threat[i].item);
    }
    if (absent > promise_.n || !IsThreat(raised)) return false;
    threat = std::move(raised);
    return true;
  }

  const ItemSets& sets_;
  const SetPromise& promise_;
  ItemRows supports_;
};

// What is found of one label, and of the labels before it.
class LabelSearch {
 public:
  LabelSearch(const ItemSets& sets, const SetPromise& promise, const Conflicts& conflicts,
              const LabelRows& rows)
      : sets_(sets), promise_(promise), conflicts_(conflicts), rows_(rows), found_here_(sets) {}

  // Itemsets whose rarest label that is there is this one.
  void RunLabel(uint32_t label) { Visit({{rows_.item(label), true}}, rows_.rows(label), label); }
  // Itemsets of absent labels only.
  void RunAbsent() {
    std::vector<uint32_t> all(rows_.size());
    std::iota(all.begin(), all.end(), 0);
    LookAtAbsent({}, all);
  }

  // Whether threats may be left that were not found.
  bool IsFull() const { return threats.size() >= kMostThreats; }

  uint64_t nodes = 0;
  std::vector<DecoratedItemset> threats;

 private:
  static constexpr size_t kMostThreats = 64;
  // Of so few rows, records are looked at one by one.
  static constexpr size_t kFewRows = 2048;

  bool IsCovered(const DecoratedItemset& itemset) const {
    const std::vector<Item> parents = conflicts_.ParentsOf(LowestItems(sets_, ItemsOf(itemset)));
    return conflicts_.Covers(parents) || found_here_.HasGeneralizationOf(parents);
  }
  void Report(DecoratedItemset threat) {
    found_here_.Add(conflicts_.ParentsOf(LowestItems(sets_, ItemsOf(threat))));
    threats.push_back(std::move(threat));
  }

  void Visit(const DecoratedItemset& itemset, std::span<const uint32_t> rows, uint32_t before) {
    StopPoint();
    ++nodes;
    if (IsFull() || IsCovered(itemset)) return;
    uint64_t support = 0;
    for (const uint32_t row : rows) support += rows_.weight(row);
    if (support < promise_.k) {
      Report(itemset);
      return;
    }
    const auto m = static_cast<uint32_t>(promise_.m - itemset.size());
    if (promise_.n > 0 && (m == 0 || rows.size() > kFewRows)) LookAtAbsent(itemset, rows);
    if (m == 0) return;
    if (rows.size() <= kFewRows && (promise_.n > 0 || AreManyItemsets(rows, before, m))) {
      LookAtRecords(itemset, rows, before, m);
    } else {
      Extend(itemset, rows, before, m);
    }
  }

  // Whether there are more itemsets to count than records to compare, roughly.
  bool AreManyItemsets(std::span<const uint32_t> rows, uint32_t before, uint32_t m) const {
    if (m <= 2) return false;
    const double comparisons = static_cast<double>(rows.size()) * static_cast<double>(rows.size());
    double itemsets = 0;
    for (const uint32_t row : rows) {
      const std::span<const uint32_t> labels = rows_.labels(row);
      const auto size = static_cast<double>(std::lower_bound(labels.begin(), labels.end(), before) -
                                            labels.begin());
      double ways = 1;
      for (double i = 0; i < m && i < size; ++i) ways *= (size - i) / (i + 1);
      itemsets += ways;
      if (itemsets > comparisons) return true;
    }
    return false;
  }

  // Of the labels before some label, in the rows of one itemset: how many records have each, and which rows.
  struct Extensions {
    // By label; 0 but for those that occur.
    std::vector<uint64_t> support;
    std::vector<uint32_t> first;
    std::vector<uint32_t> end;
    std::vector<uint32_t> labels;
    std::vector<uint32_t> rows;
  };

  void Count(std::span<const uint32_t> rows, uint32_t before, Extensions& to) const {
    to.support.resize(rows_.label_count(), 0);
    to.first.resize(rows_.label_count(), 0);
    to.end.resize(rows_.label_count(), 0);
    for (const uint32_t label : to.labels) to.support[label] = to.end[label] = 0;
    to.labels.clear();
    for (const uint32_t row : rows) {
      const uint64_t weight = rows_.weight(row);
      for (const uint32_t label : rows_.labels(row)) {
        if (label >= before) break;
        if (to.support[label] == 0) to.labels.push_back(label);
        to.support[label] += weight;
        ++to.end[label];
      }
    }
    std::sort(to.labels.begin(), to.labels.end());
  }
  void ListRows(std::span<const uint32_t> rows, uint32_t before, Extensions& to) const {
    uint32_t next = 0;
    for (const uint32_t label : to.labels) {
      to.first[label] = next;
      next += std::exchange(to.end[label], next);
    }
    to.rows.resize(next);
    for (const uint32_t row : rows) {
      for (const uint32_t label : rows_.labels(row)) {
        if (label >= before) break;
        to.rows[to.end[label]++] = row;
      }
    }
  }

  // Adds a label before `before`, which is there.
  void Extend(const DecoratedItemset& itemset, std::span<const uint32_t> rows, uint32_t before,
              uint32_t m) {
    const size_t depth = itemset.size();
    if (depth >= extensions_.size()) extensions_.resize(depth + 1);
    if (extensions_[depth] == nullptr) extensions_[depth] = std::make_unique<Extensions>();
    Extensions& longer_by = *extensions_[depth];
    Count(rows, before, longer_by);
    const bool goes_on = m > 1 || promise_.n > 0;
    if (goes_on) ListRows(rows, before, longer_by);
    DecoratedItemset longer = itemset;
    longer.emplace_back();
    for (const uint32_t label : longer_by.labels) {
      if (IsFull()) return;
      longer.back() = {rows_.item(label), true};
      if (goes_on) {
        Visit(longer,
              std::span(longer_by.rows)
                  .subspan(longer_by.first[label], longer_by.end[label] - longer_by.first[label]),
              label);
      } else {
        ++nodes;
        if (longer_by.support[label] < promise_.k && !IsCovered(longer)) Report(longer);
      }
    }
  }

  // Adds absent labels only, if these could leave fewer than k records.
  void LookAtAbsent(const DecoratedItemset& itemset, std::span<const uint32_t> rows) {
    std::vector<uint64_t> hits(rows_.label_count(), 0);
    uint64_t support = 0;
    for (const uint32_t row : rows) {
      support += rows_.weight(row);
      for (const uint32_t label : rows_.labels(row)) hits[label] += rows_.weight(row);
    }
    std::vector<std::pair<double, uint32_t>> rates;
    for (uint32_t label = 0; label < hits.size(); ++label) {
      const uint32_t leaves = sets_.leaves(rows_.item(label));
      if (hits[label] > 0 && hits[label] < support && leaves <= promise_.n) {
        rates.emplace_back(static_cast<double>(hits[label]) / leaves, label);
      }
    }
    std::sort(rates.rbegin(), rates.rend());
    uint64_t most = 0;
    uint32_t n = promise_.n;
    for (size_t i = 0; i < rates.size() && n > 0; ++i) {
      most += hits[rates[i].second];
      n -= std::min(n, sets_.leaves(rows_.item(rates[i].second)));
    }
    if (support - std::min(support, most) < promise_.k) LookAtRecords(itemset, rows, 0, 0);
  }

  // Adds labels before `before` that are there, and any absent ones.
  void LookAtRecords(const DecoratedItemset& itemset, std::span<const uint32_t> rows,
                     uint32_t before, uint32_t m) {
    // The labels of these rows, those that may be there first.
    std::vector<uint32_t> here;
    std::vector<uint32_t> number(rows_.label_count(), 0);
    const auto end = promise_.n > 0 ? rows_.label_count() : before;
    for (const uint32_t row : rows) {
      for (const uint32_t label : rows_.labels(row)) {
        if (label < end && number[label]++ == 0) here.push_back(label);
      }
    }
    std::sort(here.begin(), here.end());
    std::vector<uint32_t> absence;
    uint32_t there_end = 0;
    for (uint32_t i = 0; i < here.size(); ++i) {
      number[here[i]] = i;
      there_end += here[i] < before ? 1 : 0;
      absence.push_back(sets_.leaves(rows_.item(here[i])));
    }
    RecordThreats records(promise_.k, std::move(absence), there_end);
    std::vector<uint32_t> one;
    for (const uint32_t row : rows) {
      one.clear();
      for (const uint32_t label : rows_.labels(row)) {
        if (label < end) one.push_back(number[label]);
      }
      records.Add(one, rows_.weight(row));
    }
    DecoratedItemset longer;
    const auto add = [&](std::span<const RecordThreats::Known> known) {
      longer = itemset;
      for (const RecordThreats::Known& one_known : known) {
        longer.push_back({rows_.item(here[one_known.label]), one_known.is_there});
      }
    };
    records.Find(
        m, promise_.n,
        [&](std::span<const RecordThreats::Known> known) {
          ++nodes;
          add(known);
          return IsCovered(longer);
        },
        [&](std::span<const RecordThreats::Known> known) {
          add(known);
          Report(longer);
          return !IsFull();
        });
  }

  const ItemSets& sets_;
  const SetPromise& promise_;
  const Conflicts& conflicts_;
  const LabelRows& rows_;
  // Conflicts of the threats found here.
  ItemsetIndex found_here_;
  // By depth.
  std::vector<std::unique_ptr<Extensions>> extensions_;
};

}  // namespace

bool RareItemsets::FindAny(std::span<const Item> cut, const SetPromise& promise) {
  Conflicts conflicts(*sets_);
  const bool found = Find(cut, promise, conflicts, true);
  // These conflicts are nobody's.
  is_done_.assign(is_done_.size(), false);
  return found;
}

bool RareItemsets::Find(std::span<const Item> cut, const SetPromise& promise, Conflicts& conflicts,
                        bool in_haste) {
  // What is absent is not told apart by what was looked at.
  if (promise.n > 0 || !(promise == done_for_)) is_done_.assign(is_done_.size(), false);
  done_for_ = promise;
  const LabelRows rows(*sets_, cut, is_done_);
  is_done_.assign(is_done_.size(), false);
  for (uint32_t label = 0; label < rows.label_count(); ++label) is_done_[rows.item(label)] = true;
  const uint64_t before = threats_;
  std::unique_ptr<Lift> lift;
  const auto keep = [&](const LabelSearch& search) {
    nodes_ += search.nodes;
    for (const DecoratedItemset& found : search.threats) {
      DecoratedItemset threat = found;
      if (conflicts.CoversThreat(LowestItems(*sets_, ItemsOf(threat)))) continue;
      if (lift == nullptr) lift = std::make_unique<Lift>(*sets_, promise, rows);
      (*lift)(threat);
      ++threats_;
      conflicts.AddThreat(LowestItems(*sets_, ItemsOf(threat)));
    }
  };
  if (promise.n > 0) {
    LabelSearch search(*sets_, promise, conflicts, rows);
    search.RunAbsent();
    keep(search);
  }
  Phase phase("threats", promise.m > 0 ? rows.label_count() - rows.done_count() : 0);
  // Labels are searched some at a time, each with the conflicts known before: whatever the number of threads.
  constexpr uint32_t kAtOnce = 16;
  for (uint32_t end = rows.label_count(); promise.m > 0 && end > rows.done_count();) {
    const uint32_t begin = end - std::min(end - rows.done_count(), kAtOnce);
    std::vector<std::unique_ptr<LabelSearch>> searches(end - begin);
    parallel_->For(end - begin, 1, [&](size_t from, size_t to) {
      for (size_t i = from; i < to; ++i) {
        searches[i] = std::make_unique<LabelSearch>(*sets_, promise, conflicts, rows);
        searches[i]->RunLabel(end - 1 - static_cast<uint32_t>(i));
        phase.Advance();
      }
    });
    for (size_t i = 0; i < searches.size(); ++i) {
      keep(*searches[i]);
      if (searches[i]->IsFull()) is_done_[rows.item(end - 1 - static_cast<uint32_t>(i))] = false;
    }
    end = begin;
    if (!in_haste || threats_ == before) continue;
    for (uint32_t label = rows.done_count(); label < end; ++label) {
      is_done_[rows.item(label)] = false;
    }
    break;
  }
  return threats_ > before;
}

}  // namespace thicket
