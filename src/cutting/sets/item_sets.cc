#include "cutting/sets/item_sets.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/stop.h"

namespace thicket {

namespace {

// Sorts and removes what is there twice.
template <typename Number>
void MakeSet(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

void SetRecords::Add(std::span<const Item> record_leaves,
                     std::span<const uint32_t> record_sensitive) {
  leaves.insert(leaves.end(), record_leaves.begin(), record_leaves.end());
  first_leaf.push_back(leaves.size());
  sensitive.insert(sensitive.end(), record_sensitive.begin(), record_sensitive.end());
  first_sensitive.push_back(sensitive.size());
}

ItemSets::ItemSets(const SetRecords& records)
    : forest_(records.parents), leaves_(records.parents.size(), 0) {
  FindPlaces();
  const std::vector<uint32_t> counts(records.record_count(), 1);
  Group(records, counts);
  occurrences_.assign(forest_.size(), 0);
  for (size_t transaction = 0; transaction < transaction_count(); ++transaction) {
    for (const Item leaf : items(transaction)) occurrences_[leaf] += count(transaction);
  }
  cost_.assign(forest_.size(), 0);
  for (auto item = static_cast<Item>(forest_.size()); item-- > 0;) {
    if (forest_.is_leaf(item)) {
      leaves_[item] = 1;
    } else {
      cost_[item] = occurrences_[item] * leaves_[item];
    }
    if (forest_.is_root(item)) {
      all_leaves_ += leaves_[item];
      all_occurrences_ += occurrences_[item];
    } else {
      leaves_[forest_.parent(item)] += leaves_[item];
      occurrences_[forest_.parent(item)] += occurrences_[item];
    }
  }
}

void ItemSets::FindPlaces() {
  const size_t size = forest_.size();
  // How many items are at or below each.
  std::vector<uint32_t> below(size, 1);
  for (auto item = static_cast<Item>(size); item-- > 0;) {
    if (!forest_.is_root(item)) below[forest_.parent(item)] += below[item];
  }
  place_.assign(size, 0);
  end_.assign(size, 0);
  at_place_.assign(size, 0);
  uint32_t next = 0;
  for (const Item root : forest_.roots()) {
    place_[root] = next;
    next += below[root];
  }
  // A parent's place is known before those of its children.
  for (Item item = 0; item < size; ++item) {
    end_[item] = place_[item] + below[item];
    at_place_[place_[item]] = item;
    uint32_t place = place_[item] + 1;
    for (const Item child : forest_.Children(item)) {
      place_[child] = place;
      place += below[child];
    }
  }
}

void ItemSets::Group(const SetRecords& records, std::span<const uint32_t> counts) {
  // Places and sensitive items of each record, without repetitions.
  SetRecords clean;
  std::vector<uint32_t> one;
  uint32_t sensitive_end = 0;
  for (size_t record = 0; record < records.record_count(); ++record) {
    one.clear();
    for (size_t i = records.first_leaf[record]; i < records.first_leaf[record + 1]; ++i) {
      one.push_back(place_[records.leaves[i]]);
    }
    MakeSet(one);
    clean.leaves.insert(clean.leaves.end(), one.begin(), one.end());
    clean.first_leaf.push_back(clean.leaves.size());
    one.assign(
        records.sensitive.begin() + static_cast<ptrdiff_t>(records.first_sensitive[record]),
        records.sensitive.begin() + static_cast<ptrdiff_t>(records.first_sensitive[record + 1]));
    MakeSet(one);
    if (!one.empty()) sensitive_end = std::max(sensitive_end, one.back() + 1);
    clean.sensitive.insert(clean.sensitive.end(), one.begin(), one.end());
    clean.first_sensitive.push_back(clean.sensitive.size());
  }
  const auto leaves_of = [&](uint32_t record) {
    return std::span(clean.leaves)
        .subspan(clean.first_leaf[record], clean.first_leaf[record + 1] - clean.first_leaf[record]);
  };
  const auto sensitive_of = [&](uint32_t record) {
    return std::span(clean.sensitive)
        .subspan(clean.first_sensitive[record],
                 clean.first_sensitive[record + 1] - clean.first_sensitive[record]);
  };
  std::vector<uint32_t> order(records.record_count());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const std::span<uint32_t> left = leaves_of(a);
    const std::span<uint32_t> right = leaves_of(b);
    if (!std::ranges::equal(left, right)) return std::ranges::lexicographical_compare(left, right);
    return std::ranges::lexicographical_compare(sensitive_of(a), sensitive_of(b));
  });
  StopPoint();
  sensitive_occurrences_.assign(sensitive_end, 0);
  transaction_of_record_.assign(records.record_count(), 0);
  for (size_t i = 0; i < order.size(); ++i) {
    const uint32_t record = order[i];
    if (i == 0 || !std::ranges::equal(leaves_of(record), leaves_of(order[i - 1])) ||
        !std::ranges::equal(sensitive_of(record), sensitive_of(order[i - 1]))) {
      for (const uint32_t place : leaves_of(record)) items_.push_back(at_place_[place]);
      first_item_.push_back(items_.size());
      sensitive_.insert(sensitive_.end(), sensitive_of(record).begin(), sensitive_of(record).end());
      first_sensitive_.push_back(sensitive_.size());
      count_.push_back(0);
    }
    transaction_of_record_[record] = static_cast<uint32_t>(count_.size() - 1);
    count_.back() += counts[record];
    record_count_ += counts[record];
    for (const uint32_t item : sensitive_of(record)) sensitive_occurrences_[item] += counts[record];
  }
}

ItemSets::Cost ItemSets::SumCosts(std::span<const Item> cut) const {
  Cost sum = 0;
  for (const Item label : cut) sum += cost_[label];
  return sum;
}

double ItemSets::Ncp(Cost cost) const {
  const double all = static_cast<double>(all_occurrences_) * static_cast<double>(all_leaves_);
  return all > 0 ? static_cast<double>(cost) / all : 0;
}

double ItemSets::Lm(std::span<const Item> cut) const {
  if (all_occurrences_ == 0 || all_leaves_ <= 1) return 0;
  Cost sum = 0;
  for (const Item label : cut) sum += occurrences_[label] * (leaves_[label] - 1);
  return static_cast<double>(sum) / static_cast<double>(all_occurrences_) /
         static_cast<double>(all_leaves_ - 1);
}

ItemSets ItemSets::Generalized(std::span<const Item> cut, std::vector<Item>& labels) const {
  // By item: its label, or nothing above the cut.
  constexpr Item kNone = ~Item{0};
  std::vector<Item> label_of(forest_.size(), kNone);
  for (const Item label : cut) label_of[label] = label;
  labels.clear();
  std::vector<Item> number(forest_.size(), kNone);
  SetRecords records;
  for (Item item = 0; item < forest_.size(); ++item) {
    if (!forest_.is_root(item) && label_of[forest_.parent(item)] != kNone) {
      label_of[item] = label_of[forest_.parent(item)];
      continue;
    }
    number[item] = static_cast<Item>(labels.size());
    labels.push_back(item);
    records.parents.push_back(number[forest_.parent(item)]);
  }
  std::vector<Item> shown;
  for (size_t transaction = 0; transaction < transaction_count(); ++transaction) {
    shown.clear();
    for (const Item leaf : items(transaction)) shown.push_back(number[label_of[leaf]]);
    records.Add(shown, sensitive(transaction));
  }
  ItemSets general;
  general.forest_ = ItemForest(records.parents);
  general.FindPlaces();
  general.Group(records, count_);
  general.transaction_of_record_.clear();
  for (const Item item : labels) {
    general.leaves_.push_back(leaves_[item]);
    general.occurrences_.push_back(occurrences_[item]);
    general.cost_.push_back(cost_[item]);
  }
  general.all_leaves_ = all_leaves_;
  general.all_occurrences_ = all_occurrences_;
  return general;
}

}  // namespace thicket
