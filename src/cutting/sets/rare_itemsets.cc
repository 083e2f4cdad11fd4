#include "cutting/sets/rare_itemsets.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "cutting/sets/itemset_index.h"
#include "cutting/sets/record_threats.h"

namespace thicket {

namespace {

// An item that is known to be there, or not.
struct Decorated {
  Item item;
  bool is_there;
};
using Itemset = std::vector<Decorated>;

std::vector<Item> ItemsOf(const Itemset& itemset) {
  std::vector<Item> items;
  for (const Decorated& one : itemset) items.push_back(one.item);
  return items;
}

// The records of a cut as rows of labels, frequent labels first; records that show the same are one row.
class LabelRows {
 public:
  explicit LabelRows(const ItemSets& sets) {
    std::vector<uint64_t> frequency(sets.forest().size(), 0);
    for (size_t t = 0; t < sets.transaction_count(); ++t) {
      for (const Item item : sets.items(t)) frequency[item] += sets.count(t);
    }
    for (Item item = 0; item < frequency.size(); ++item) {
      if (frequency[item] > 0) item_.push_back(item);
    }
    std::stable_sort(item_.begin(), item_.end(),
                     [&](Item a, Item b) { return frequency[a] > frequency[b]; });
    std::vector<uint32_t> label(frequency.size(), 0);
    for (uint32_t i = 0; i < item_.size(); ++i) label[item_[i]] = i;
    std::vector<uint32_t> one;
    for (size_t t = 0; t < sets.transaction_count(); ++t) {
      // Transactions of the same items follow each other.
      if (t > 0 && std::ranges::equal(sets.items(t), sets.items(t - 1))) {
        weight_.back() += sets.count(t);
        continue;
      }
      one.clear();
      for (const Item item : sets.items(t)) one.push_back(label[item]);
      std::sort(one.begin(), one.end());
      labels_.insert(labels_.end(), one.begin(), one.end());
      first_.push_back(labels_.size());
      weight_.push_back(sets.count(t));
    }
    ListRows();
  }

  size_t size() const { return weight_.size(); }
  size_t label_count() const { return item_.size(); }
  Item item(uint32_t label) const { return item_[label]; }
  uint64_t weight(uint32_t row) const { return weight_[row]; }
  // Ascending.
  std::span<const uint32_t> labels(uint32_t row) const {
    return {labels_.data() + first_[row], first_[row + 1] - first_[row]};
  }
  // Of the labels before one.
  std::span<const uint32_t> labels(uint32_t row, uint32_t before) const {
    const std::span<const uint32_t> all = labels(row);
    return all.first(
        static_cast<size_t>(std::lower_bound(all.begin(), all.end(), before) - all.begin()));
  }
  // The rows that have a label, ascending.
  std::span<const uint32_t> rows(uint32_t label) const {
    return {rows_.data() + first_row_[label], first_row_[label + 1] - first_row_[label]};
  }

 private:
  void ListRows() {
    first_row_.assign(label_count() + 1, 0);
    for (const uint32_t label : labels_) ++first_row_[label + 1];
    for (size_t label = 0; label < label_count(); ++label) {
      first_row_[label + 1] += first_row_[label];
    }
    rows_.resize(labels_.size());
    std::vector<size_t> next(first_row_.begin(), first_row_.end() - 1);
    for (uint32_t row = 0; row < size(); ++row) {
      for (const uint32_t label : labels(row)) rows_[next[label]++] = row;
    }
  }

  std::vector<Item> item_;
  std::vector<size_t> first_ = {0};
  std::vector<uint32_t> labels_;
  std::vector<uint64_t> weight_;
  std::vector<size_t> first_row_;
  std::vector<uint32_t> rows_;
};

// Which rows have an item of the forest, as bits: how many records support an itemset of any items.
class ItemRows {
 public:
  ItemRows(const ItemSets& sets, const LabelRows& rows)
      : rows_(rows), words_((rows.size() + 63) / 64), bits_(sets.forest().size() * words_, 0) {
    for (uint32_t label = 0; label < rows.label_count(); ++label) {
      uint64_t* words = bits_.data() + rows.item(label) * words_;
      for (const uint32_t row : rows.rows(label)) words[row / 64] |= uint64_t{1} << row % 64;
    }
    for (auto item = static_cast<Item>(sets.forest().size()); item-- > 0;) {
      if (sets.forest().is_root(item)) continue;
      const uint64_t* from = bits_.data() + item * words_;
      uint64_t* to = bits_.data() + sets.forest().parent(item) * words_;
      for (size_t word = 0; word < words_; ++word) to[word] |= from[word];
    }
  }

  // How many records support the itemset, counted up to `enough`.
  uint64_t Support(const Itemset& itemset, uint64_t enough) const {
    uint64_t support = 0;
    for (size_t word = 0; word < words_; ++word) {
      uint64_t left = ~uint64_t{0};
      if (word + 1 == words_ && rows_.size() % 64 != 0)
        left = (uint64_t{1} << rows_.size() % 64) - 1;
      for (const Decorated& one : itemset) {
        const uint64_t having = bits_[one.item * words_ + word];
        left &= one.is_there ? having : ~having;
      }
      for (; left != 0; left &= left - 1) {
        support += rows_.weight(static_cast<uint32_t>(word * 64) +
                                static_cast<uint32_t>(std::countr_zero(left)));
        if (support >= enough) return support;
      }
    }
    return support;
  }

 private:
  const LabelRows& rows_;
  size_t words_;
  std::vector<uint64_t> bits_;
};

// Makes a threat as general as can be.
class Lift {
 public:
  Lift(const ItemSets& sets, const SetPromise& promise, const LabelRows& rows)
      : sets_(sets), promise_(promise), supports_(sets, rows) {}

  void operator()(Itemset& threat) const {
    for (size_t i = 0; i < threat.size() && threat.size() > 1;) {
      Itemset fewer = threat;
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
  bool IsThreat(const Itemset& itemset) const {
    const uint64_t support = supports_.Support(itemset, promise_.k);
    return support > 0 && support < promise_.k;
  }

  bool Raise(Itemset& threat, size_t place) const {
    const Decorated from = threat[place];
    if (sets_.forest().is_root(from.item)) return false;
    const Item parent = sets_.forest().parent(from.item);
    Itemset raised = {{parent, from.is_there}};
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

  uint64_t nodes = 0;
  std::vector<Itemset> threats;

 private:
  static constexpr size_t kMostThreats = 64;
  // Of so few rows, records are looked at one by one.
  static constexpr size_t kFewRows = 2048;

  bool IsFull() const { return threats.size() >= kMostThreats; }
  bool IsCovered(const Itemset& itemset) const {
    const std::vector<Item> parents = conflicts_.ParentsOf(LowestItems(sets_, ItemsOf(itemset)));
    return conflicts_.Covers(parents) || found_here_.HasGeneralizationOf(parents);
  }
  void Report(Itemset threat) {
    found_here_.Add(conflicts_.ParentsOf(LowestItems(sets_, ItemsOf(threat))));
    threats.push_back(std::move(threat));
  }

  void Visit(const Itemset& itemset, std::span<const uint32_t> rows, uint32_t before) {
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
    if ((m > 2 || promise_.n > 0) && rows.size() <= kFewRows) {
      LookAtRecords(itemset, rows, before, m);
    } else {
      Extend(itemset, rows, before, m);
    }
  }

  // Adds a label before `before`, which is there.
  void Extend(const Itemset& itemset, std::span<const uint32_t> rows, uint32_t before, uint32_t m) {
    std::vector<uint64_t> support(before, 0);
    std::vector<uint32_t> first(before + 1, 0);
    for (const uint32_t row : rows) {
      for (const uint32_t label : rows_.labels(row, before)) {
        support[label] += rows_.weight(row);
        ++first[label + 1];
      }
    }
    const bool goes_on = m > 1 || promise_.n > 0;
    std::vector<uint32_t> having;
    if (goes_on) {
      for (uint32_t label = 0; label < before; ++label) first[label + 1] += first[label];
      having.resize(first[before]);
      std::vector<uint32_t> next(first.begin(), first.end() - 1);
      for (const uint32_t row : rows) {
        for (const uint32_t label : rows_.labels(row, before)) having[next[label]++] = row;
      }
    }
    Itemset longer = itemset;
    longer.emplace_back();
    for (uint32_t label = 0; label < before && !IsFull(); ++label) {
      if (support[label] == 0) continue;
      longer.back() = {rows_.item(label), true};
      if (goes_on) {
        Visit(longer, std::span(having).subspan(first[label], first[label + 1] - first[label]),
              label);
      } else {
        ++nodes;
        if (support[label] < promise_.k && !IsCovered(longer)) Report(longer);
      }
    }
  }

  // Adds absent labels only, if these could leave fewer than k records.
  void LookAtAbsent(const Itemset& itemset, std::span<const uint32_t> rows) {
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
  void LookAtRecords(const Itemset& itemset, std::span<const uint32_t> rows, uint32_t before,
                     uint32_t m) {
    // The labels of these rows, those that may be there first.
    std::vector<uint32_t> here;
    std::vector<uint32_t> number(rows_.label_count(), 0);
    const auto end = promise_.n > 0 ? static_cast<uint32_t>(rows_.label_count()) : before;
    for (const uint32_t row : rows) {
      for (const uint32_t label : rows_.labels(row, end)) {
        if (number[label]++ == 0) here.push_back(label);
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
      for (const uint32_t label : rows_.labels(row, end)) one.push_back(number[label]);
      records.Add(one, rows_.weight(row));
    }
    Itemset longer;
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
};

}  // namespace

RareCount FindRareItemsets(const ItemSets& general, const SetPromise& promise, Conflicts& conflicts,
                           Parallel& parallel) {
  RareCount count;
  const LabelRows rows(general);
  std::unique_ptr<Lift> lift;
  const auto keep = [&](const LabelSearch& search) {
    count.nodes += search.nodes;
    for (const Itemset& found : search.threats) {
      Itemset threat = found;
      if (conflicts.CoversThreat(LowestItems(general, ItemsOf(threat)))) continue;
      if (lift == nullptr) lift = std::make_unique<Lift>(general, promise, rows);
      (*lift)(threat);
      ++count.threats;
      conflicts.AddThreat(LowestItems(general, ItemsOf(threat)));
    }
  };
  if (promise.n > 0) {
    LabelSearch search(general, promise, conflicts, rows);
    search.RunAbsent();
    keep(search);
  }
  if (promise.m == 0) return count;
  // Labels are searched some at a time, each with the conflicts known before: whatever the number of threads.
  constexpr uint32_t kAtOnce = 16;
  for (auto end = static_cast<uint32_t>(rows.label_count()); end > 0;) {
    const uint32_t begin = end - std::min(end, kAtOnce);
    std::vector<LabelSearch> searches(end - begin, LabelSearch(general, promise, conflicts, rows));
    parallel.For(end - begin, 1, [&](size_t from, size_t to) {
      for (size_t i = from; i < to; ++i) {
        searches[i].RunLabel(end - 1 - static_cast<uint32_t>(i));
      }
    });
    for (const LabelSearch& search : searches) keep(search);
    end = begin;
  }
  return count;
}

}  // namespace thicket
