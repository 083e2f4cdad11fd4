#include "cutting/table/atoms.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"

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

namespace {

// Cells by their ancestors: those of the highest level first, and in a level attribute by attribute.
std::vector<uint32_t> ByLevels(const Table& table, const SearchForest& items) {
  const ItemForest& forest = items.forest();
  std::vector<uint32_t> depth(items.size(), 0);
  std::vector<uint32_t> most(items.quasi_count(), 0);
  for (Item item = 0; item < items.size(); ++item) {
    if (!forest.is_root(item)) depth[item] = depth[forest.parent(item)] + 1;
    most[items.quasi_of(item)] = std::max(most[items.quasi_of(item)], depth[item]);
  }
  std::vector<uint32_t> order(table.cell_count());
  std::iota(order.begin(), order.end(), 0);
  std::vector<uint32_t> sorted(order.size());
  std::vector<Item> above(items.size());
  std::vector<uint32_t> begin;
  const uint32_t deepest = most.empty() ? 0 : *std::max_element(most.begin(), most.end());
  for (uint32_t level = deepest; level > 0; --level) {
    for (size_t quasi = items.quasi_count(); quasi-- > 0;) {
      if (level > most[quasi]) continue;
      const Item first = items.first_item(quasi);
      const Item end = items.first_item(quasi + 1);
      for (Item item = first; item < end; ++item) {
        above[item] = depth[item] <= level ? item : above[forest.parent(item)];
      }
      const auto of_cell = [&](uint32_t cell) {
        return above[items.OfLeaf(table.cell(cell)[quasi])] - first;
      };
      begin.assign(end - first + 1, 0);
      for (const uint32_t cell : order) ++begin[of_cell(cell) + 1];
      for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
      for (const uint32_t cell : order) sorted[begin[of_cell(cell)]++] = cell;
      order.swap(sorted);
    }
  }
  return order;
}

}  // namespace

Atoms Atoms::Of(const Table& table, const SearchForest& items) {
  Atoms atoms;
  atoms.items_ = &items;
  atoms.quasi_count_ = table.quasi_count();
  atoms.kind_count_ = table.kind_count();
  atoms.FindKeysOfItems();
  atoms.heads_.reserve(table.cell_count() + 1);
  atoms.labels_.reserve(table.cell_count() * table.quasi_count());
  std::vector<Item> same(items.size());
  std::iota(same.begin(), same.end(), 0);
  std::vector<Item> labels(table.quasi_count());
  for (const uint32_t cell : ByLevels(table, items)) {
    for (size_t quasi = 0; quasi < labels.size(); ++quasi) {
      labels[quasi] = items.OfLeaf(table.cell(cell)[quasi]);
    }
    atoms.AddHead(labels, same, table.cell_size(cell));
    const auto kinds = table.kinds(cell);
    atoms.kinds_.insert(atoms.kinds_.end(), kinds.begin(), kinds.end());
    atoms.EndKinds(atoms.size() - 1);
  }
  return atoms;
}

void Atoms::AddHead(std::span<const Item> labels, std::span<const Item> floor,
                    uint32_t record_count) {
  Head& head = heads_.back();
  head.record_count = record_count;
  for (const Item label : labels) {
    const Item shown = floor[label];
    labels_.push_back(shown);
    head.key += KeyOf(shown);
    head.loss += items_->loss(shown);
  }
  heads_.emplace_back();
}

Atoms Atoms::Empty() const {
  Atoms none;
  none.items_ = items_;
  none.quasi_count_ = quasi_count_;
  none.kind_count_ = kind_count_;
  none.key_of_item_ = key_of_item_;
  return none;
}

Atoms Atoms::Merged(std::span<const Item> floor) const {
  std::vector<uint32_t> all(size());
  std::iota(all.begin(), all.end(), 0);
  Atoms merged = Empty();
  Workspace workspace;
  merged.AppendMerged(*this, all, floor, workspace);
  return merged;
}

void Atoms::AppendSame(const Atoms& from, std::span<const uint32_t> members) {
  for (const uint32_t atom : members) {
    const std::span<const Item> labels = from.labels(atom);
    labels_.insert(labels_.end(), labels.begin(), labels.end());
    const uint32_t first_kind = heads_.back().first_kind;
    heads_.back() = from.heads_[atom];
    heads_.back().first_kind = first_kind;
    heads_.emplace_back();
    const auto kinds = from.kinds(atom);
    kinds_.insert(kinds_.end(), kinds.begin(), kinds.end());
    EndKinds(size() - 1);
  }
}

void Atoms::AppendMerged(const Atoms& from, std::span<const uint32_t> members,
                         std::span<const Item> floor, Workspace& workspace) {
  Workspace& work = workspace;
  work.numbers.Reset(members.size());
  work.atom_of_number.clear();
  work.atom_of.resize(members.size());
  const size_t before = size();
  for (size_t i = 0; i < members.size(); ++i) {
    const uint32_t atom = members[i];
    if (i + kAhead < members.size()) from.Fetch(members[i + kAhead]);
    from.FetchKinds(atom);
    const std::span<const Item> labels = from.labels(atom);
    Key key = 0;
    bool changes = false;
    for (const Item label : labels) {
      key += KeyOf(floor[label]);
      changes = changes || floor[label] != label;
    }
    auto number = static_cast<uint32_t>(size() - before);
    // An atom that stays as it is meets no other: labels that are new at the floor were above it.
    if (changes) {
      const uint32_t of_key = work.numbers.Of(key);
      if (of_key < work.atom_of_number.size()) {
        number = work.atom_of_number[of_key];
      } else {
        work.atom_of_number.push_back(number);
      }
    }
    work.atom_of[i] = number;
    if (before + number < size()) {
      heads_[before + number].record_count += from.record_count(atom);
    } else {
      AddHead(labels, floor, from.record_count(atom));
    }
  }
  // Members by atom, and the kinds of each.
  const size_t added = size() - before;
  work.first.assign(added + 1, 0);
  for (const uint32_t number : work.atom_of) ++work.first[number + 1];
  for (size_t i = 0; i < added; ++i) work.first[i + 1] += work.first[i];
  work.order.resize(members.size());
  for (size_t i = members.size(); i-- > 0;) {
    work.order[--work.first[work.atom_of[i] + 1]] = members[i];
  }
  // Each end has moved to its beginning.
  work.first.push_back(static_cast<uint32_t>(members.size()));
  work.count.resize(kind_count_, 0);
  for (size_t number = 0; number < added; ++number) {
    const uint32_t begin = work.first[number + 1];
    AddKinds(from, {work.order.data() + begin, work.first[number + 2] - begin}, work);
    EndKinds(before + number);
  }
}

void Atoms::AddKinds(const Atoms& from, std::span<const uint32_t> members, Workspace& workspace) {
  if (members.size() == 1) {
    const auto kinds = from.kinds(members[0]);
    kinds_.insert(kinds_.end(), kinds.begin(), kinds.end());
    return;
  }
  workspace.touched.clear();
  for (const uint32_t atom : members) {
    for (const auto& [kind, count] : from.kinds(atom)) {
      if (workspace.count[kind] == 0) workspace.touched.push_back(kind);
      workspace.count[kind] += count;
    }
  }
  for (const uint32_t kind : workspace.touched) {
    kinds_.push_back({kind, workspace.count[kind]});
    workspace.count[kind] = 0;
  }
}

size_t Atoms::MemoryBytes() const {
  return labels_.size() * sizeof(Item) + heads_.size() * sizeof(Head) +
         kinds_.size() * sizeof(Table::KindCount);
}

}  // namespace thicket
