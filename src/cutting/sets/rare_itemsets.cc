#include "cutting/sets/rare_itemsets.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <unordered_map>
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

constexpr uint32_t kNone = ~uint32_t{0};

// The records of a cut as rows of labels; records that show the same are one row. Labels that are done with come first, then
// frequent ones.
class LabelRows {
 public:
  LabelRows(const ItemSets& sets, std::span<const Item> cut, const std::vector<bool>& is_done) {
    // By place: the label's item.
    std::vector<Item> shown(sets.forest().size(), 0);
    for (const Item label : cut) {
      for (uint32_t place = sets.place(label); place < sets.end(label); ++place) {
        shown[place] = label;
      }
    }
    ListItems(sets, shown, is_done);
    std::vector<uint32_t> number(sets.forest().size(), 0);
    for (uint32_t i = 0; i < item_.size(); ++i) number[item_[i]] = i;
    std::unordered_multimap<uint64_t, uint32_t> row_of_hash;
    row_of_hash.reserve(sets.transaction_count());
    std::vector<uint32_t> one;
    for (size_t t = 0; t < sets.transaction_count(); ++t) {
      one.clear();
      for (const Item leaf : sets.items(t)) one.push_back(number[shown[sets.place(leaf)]]);
      std::sort(one.begin(), one.end());
      one.erase(std::unique(one.begin(), one.end()), one.end());
      uint64_t hash = one.size();
      for (const uint32_t label : one) hash = (hash ^ label) * 0x9E3779B97F4A7C15U + (hash >> 29);
      bool is_there = false;
      const auto [begin, end] = row_of_hash.equal_range(hash);
      for (auto found = begin; found != end && !is_there; ++found) {
        is_there = std::ranges::equal(labels(found->second), one);
        if (is_there) weight_[found->second] += sets.count(t);
      }
      if (is_there) continue;
      row_of_hash.emplace(hash, static_cast<uint32_t>(weight_.size()));
      labels_.insert(labels_.end(), one.begin(), one.end());
      first_.push_back(labels_.size());
      weight_.push_back(sets.count(t));
    }
    ListRows();
  }

  size_t size() const { return weight_.size(); }
  uint32_t label_count() const { return static_cast<uint32_t>(item_.size()); }
  // How many labels are done with.
  uint32_t done_count() const { return done_count_; }
  Item item(uint32_t label) const { return item_[label]; }
  uint64_t weight(uint32_t row) const { return weight_[row]; }
  // Ascending.
  std::span<const uint32_t> labels(uint32_t row) const {
    return {labels_.data() + first_[row], first_[row + 1] - first_[row]};
  }
  // The rows that have a label, ascending.
  std::span<const uint32_t> rows(uint32_t label) const {
    return {rows_.data() + first_row_[label], first_row_[label + 1] - first_row_[label]};
  }

 private:
  // The labels that occur.
  void ListItems(const ItemSets& sets, const std::vector<Item>& shown,
                 const std::vector<bool>& is_done) {
    std::vector<uint64_t> frequency(sets.forest().size(), 0);
    for (size_t t = 0; t < sets.transaction_count(); ++t) {
      Item last = kNone;
      // Leaves of one label follow each other.
      for (const Item leaf : sets.items(t)) {
        const Item label = shown[sets.place(leaf)];
        if (std::exchange(last, label) != label) frequency[label] += sets.count(t);
      }
    }
    for (Item item = 0; item < frequency.size(); ++item) {
      if (frequency[item] == 0) continue;
      item_.push_back(item);
      done_count_ += is_done[item] ? 1 : 0;
    }
    std::stable_sort(item_.begin(), item_.end(), [&](Item a, Item b) {
      return is_done[a] != is_done[b] ? is_done[a] : frequency[a] > frequency[b];
    });
  }

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
  uint32_t done_count_ = 0;
  std::vector<size_t> first_ = {0};
  std::vector<uint32_t> labels_;
  std::vector<uint64_t> weight_;
  std::vector<size_t> first_row_;
  std::vector<uint32_t> rows_;
};

// Which rows have a label or an item above some, as bits: how many records support an itemset of any of these.
class ItemRows {
 public:
  ItemRows(const ItemSets& sets, const LabelRows& rows)
      : rows_(rows), words_((rows.size() + 63) / 64), number_(sets.forest().size(), kNone) {
    uint32_t count = 0;
    for (uint32_t label = 0; label < rows.label_count(); ++label) {
      for (Item item = rows.item(label); number_[item] == kNone;
           item = sets.forest().parent(item)) {
        number_[item] = count++;
      }
    }
    bits_.assign(count * words_, 0);
    for (uint32_t label = 0; label < rows.label_count(); ++label) {
      uint64_t* words = bits_.data() + number_[rows.item(label)] * words_;
      for (const uint32_t row : rows.rows(label)) words[row / 64] |= uint64_t{1} << row % 64;
    }
    for (auto item = static_cast<Item>(sets.forest().size()); item-- > 0;) {
      if (number_[item] == kNone || sets.forest().is_root(item)) continue;
      const uint64_t* from = bits_.data() + number_[item] * words_;
      uint64_t* to = bits_.data() + number_[sets.forest().parent(item)] * words_;
      for (size_t word = 0; word < words_; ++word) to[word] |= from[word];
    }
  }

  // How many records support the itemset, counted up to `enough`.
  uint64_t Support(const Itemset& itemset, uint64_t enough) const {
    uint64_t support = 0;
    for (size_t word = 0; word < words_; ++word) {
      uint64_t left = ~uint64_t{0};
      if (word + 1 == words_ && rows_.size() % 64 != 0) {
        left = (uint64_t{1} << rows_.size() % 64) - 1;
      }
      for (const Decorated& one : itemset) {
        const uint64_t having = bits_[number_[one.item] * words_ + word];
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
  // By item: its place among the bits.
  std::vector<uint32_t> number_;
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

  // Whether threats may be left that were not found.
  bool IsFull() const { return threats.size() >= kMostThreats; }

  uint64_t nodes = 0;
  std::vector<Itemset> threats;

 private:
  static constexpr size_t kMostThreats = 64;
  // Of so few rows, records are looked at one by one.
  static constexpr size_t kFewRows = 2048;

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
  void Extend(const Itemset& itemset, std::span<const uint32_t> rows, uint32_t before, uint32_t m) {
    const size_t depth = itemset.size();
    if (depth >= extensions_.size()) extensions_.resize(depth + 1);
    if (extensions_[depth] == nullptr) extensions_[depth] = std::make_unique<Extensions>();
    Extensions& longer_by = *extensions_[depth];
    Count(rows, before, longer_by);
    const bool goes_on = m > 1 || promise_.n > 0;
    if (goes_on) ListRows(rows, before, longer_by);
    Itemset longer = itemset;
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
    for (const Itemset& found : search.threats) {
      Itemset threat = found;
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
  // Labels are searched some at a time, each with the conflicts known before: whatever the number of threads.
  constexpr uint32_t kAtOnce = 16;
  for (uint32_t end = rows.label_count(); promise.m > 0 && end > rows.done_count();) {
    const uint32_t begin = end - std::min(end - rows.done_count(), kAtOnce);
    std::vector<std::unique_ptr<LabelSearch>> searches(end - begin);
    parallel_->For(end - begin, 1, [&](size_t from, size_t to) {
      for (size_t i = from; i < to; ++i) {
        searches[i] = std::make_unique<LabelSearch>(*sets_, promise, conflicts, rows);
        searches[i]->RunLabel(end - 1 - static_cast<uint32_t>(i));
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
