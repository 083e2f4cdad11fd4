#include "cutting/table/atoms.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "cutting/table/key_numbers.h"

namespace thicket {

void Atoms::FindKeysOfItems() {
  std::vector<Key> factor;
  Key next = 1;
  bool fits = true;
  for (size_t quasi = 0; quasi < quasi_count_; ++quasi) {
    factor.push_back(next);
    const Key count = std::max<Item>(1, items_->first_item(quasi + 1) - items_->first_item(quasi));
    fits = fits && next <= ~Key{0} / count;
    next *= count;
  }
  if (!fits) {
    Random random = Random::Seeded(quasi_count_);
    for (Key& one : factor) one = (Key{random.Next()} << 64) | random.Next() | 1;
  }
  std::vector<Key> keys(items_->size());
  for (Item item = 0; item < items_->size(); ++item) {
    const size_t quasi = items_->quasi_of(item);
    keys[item] = factor[quasi] * (item - items_->first_item(quasi));
  }
  key_of_item_ = std::make_shared<const std::vector<Key>>(std::move(keys));
}

Atoms Atoms::Of(const Table& table, const SearchForest& items) {
  Atoms atoms;
  atoms.items_ = &items;
  atoms.quasi_count_ = table.quasi_count();
  atoms.kind_count_ = table.kind_count();
  atoms.FindKeysOfItems();
  for (size_t cell = 0; cell < table.cell_count(); ++cell) {
    Key key = 0;
    TableTask::Cost loss = 0;
    for (const Item leaf : table.cell(cell)) {
      const Item item = items.OfLeaf(leaf);
      atoms.labels_.push_back(item);
      key += atoms.KeyOf(item);
      loss += items.loss(item);
    }
    atoms.key_.push_back(key);
    atoms.loss_.push_back(loss);
    atoms.record_count_.push_back(table.cell_size(cell));
    const auto kinds = table.kinds(cell);
    atoms.kinds_.insert(atoms.kinds_.end(), kinds.begin(), kinds.end());
    atoms.first_kind_.push_back(static_cast<uint32_t>(atoms.kinds_.size()));
  }
  return atoms;
}

Atoms Atoms::Merged(std::span<const Item> floor) const {
  Atoms merged;
  merged.items_ = items_;
  merged.quasi_count_ = quasi_count_;
  merged.kind_count_ = kind_count_;
  merged.key_of_item_ = key_of_item_;
  merged.NumberAtoms(*this, floor);
  merged.AddKinds(*this);
  return merged;
}

void Atoms::NumberAtoms(const Atoms& from, std::span<const Item> floor) {
  KeyNumbers numbers;
  numbers.Reset(from.size());
  merged_into_.resize(from.size());
  key_.reserve(from.size());
  record_count_.reserve(from.size());
  labels_.reserve(from.labels_.size());
  loss_.reserve(from.size());
  for (size_t atom = 0; atom < from.size(); ++atom) {
    Key key = 0;
    for (size_t quasi = 0; quasi < quasi_count_; ++quasi) {
      key += KeyOf(floor[from.label(atom, quasi)]);
    }
    const uint32_t number = numbers.Of(key);
    merged_into_[atom] = number;
    if (number < key_.size()) {
      record_count_[number] += from.record_count_[atom];
      continue;
    }
    key_.push_back(key);
    record_count_.push_back(from.record_count_[atom]);
    TableTask::Cost loss = 0;
    for (size_t quasi = 0; quasi < quasi_count_; ++quasi) {
      const Item label = floor[from.label(atom, quasi)];
      labels_.push_back(label);
      loss += items_->loss(label);
    }
    loss_.push_back(loss);
  }
}

void Atoms::AddKinds(const Atoms& from) {
  std::vector<uint32_t> first(size() + 1, 0);
  for (const uint32_t number : merged_into_) ++first[number + 1];
  for (size_t i = 0; i < size(); ++i) first[i + 1] += first[i];
  std::vector<uint32_t> order(from.size());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (uint32_t atom = 0; atom < from.size(); ++atom) order[next[merged_into_[atom]]++] = atom;
  std::vector<uint32_t> count(kind_count_, 0);
  std::vector<uint32_t> touched;
  for (size_t number = 0; number < size(); ++number) {
    touched.clear();
    for (uint32_t i = first[number]; i < first[number + 1]; ++i) {
      for (const auto& [kind, of_kind] : from.kinds(order[i])) {
        if (count[kind] == 0) touched.push_back(kind);
        count[kind] += of_kind;
      }
    }
    for (const uint32_t kind : touched) {
      kinds_.push_back({kind, count[kind]});
      count[kind] = 0;
    }
    first_kind_.push_back(static_cast<uint32_t>(kinds_.size()));
  }
}

size_t Atoms::MemoryBytes() const {
  return labels_.size() * sizeof(Item) +
         size() * (sizeof(Key) + sizeof(TableTask::Cost) + 3 * sizeof(uint32_t)) +
         kinds_.size() * sizeof(Table::KindCount);
}

}  // namespace thicket
