#include "cutting/sets/label_rows.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

namespace thicket {

namespace {

constexpr uint32_t kNoLabel = ~uint32_t{0};

}  // namespace

LabelRows::LabelRows(const ItemSets& sets, std::span<const Item> cut,
                     const std::vector<bool>& is_done) {
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

void LabelRows::ListItems(const ItemSets& sets, const std::vector<Item>& shown,
                          const std::vector<bool>& is_done) {
  std::vector<uint64_t> frequency(sets.forest().size(), 0);
  for (size_t t = 0; t < sets.transaction_count(); ++t) {
    Item last = kNoLabel;
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

void LabelRows::ListRows() {
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

ItemRows::ItemRows(const ItemSets& sets, const LabelRows& rows)
    : rows_(rows), words_((rows.size() + 63) / 64), number_(sets.forest().size(), kNoLabel) {
  uint32_t count = 0;
  for (uint32_t label = 0; label < rows.label_count(); ++label) {
    for (Item item = rows.item(label); number_[item] == kNoLabel;
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
    if (number_[item] == kNoLabel || sets.forest().is_root(item)) continue;
    const uint64_t* from = bits_.data() + number_[item] * words_;
    uint64_t* to = bits_.data() + number_[sets.forest().parent(item)] * words_;
    for (size_t word = 0; word < words_; ++word) to[word] |= from[word];
  }
}

uint64_t ItemRows::Support(const DecoratedItemset& itemset, uint64_t enough) const {
  uint64_t support = 0;
  for (size_t word = 0; word < words_; ++word) {
    uint64_t left = ~uint64_t{0};
    if (word + 1 == words_ && rows_.size() % 64 != 0) {
      left = (uint64_t{1} << rows_.size() % 64) - 1;
    }
    for (const DecoratedItem& one : itemset) {
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

}  // namespace thicket
