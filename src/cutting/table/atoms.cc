#include "cutting/table/atoms.h"

#include <algorithm>
#include <array>
#include <bit>
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

// By item: its number among its siblings, and those of its ancestors, as digits: those of the highest level first, and in a level
// attribute by attribute. Empty if 64 bits have no room for the digits of all attributes.
std::vector<uint64_t> PathCodes(const SearchForest& items, std::span<const uint32_t> depth,
                                uint32_t deepest) {
  const ItemForest& forest = items.forest();
  std::vector<uint64_t> codes(items.size(), 0);
  std::vector<uint32_t> number(items.size(), 0);
  for (Item item = 0; item < items.size(); ++item) {
    uint32_t next = 0;
    for (const Item child : forest.Children(item)) number[child] = next++;
  }
  int shift = 0;
  for (uint32_t level = deepest; level > 0; --level) {
    for (size_t quasi = items.quasi_count(); quasi-- > 0;) {
      uint32_t most = 0;
      for (Item item = items.first_item(quasi); item < items.first_item(quasi + 1); ++item) {
        if (depth[item] == level) most = std::max(most, number[item]);
      }
      const int bits = std::bit_width(most);
      if (shift + bits > 64) return {};
      for (Item item = items.first_item(quasi); item < items.first_item(quasi + 1); ++item) {
        if (depth[item] == level && bits > 0) codes[item] = uint64_t{number[item]} << shift;
      }
      shift += bits;
    }
  }
  for (Item item = 0; item < items.size(); ++item) {
    if (!forest.is_root(item)) codes[item] |= codes[forest.parent(item)];
  }
  return codes;
}

// Cells by such codes.
std::vector<uint32_t> ByCodes(const Table& table, const SearchForest& items,
                              std::span<const uint64_t> code_of) {
  struct Coded {
    uint64_t code;
    uint32_t cell;
  };
  constexpr int kBits = 11;
  std::vector<Coded> order(table.cell_count());
  uint64_t all = 0;
  for (uint32_t cell = 0; cell < order.size(); ++cell) {
    uint64_t code = 0;
    for (const Item leaf : table.cell(cell)) code |= code_of[items.OfLeaf(leaf)];
    order[cell] = {code, cell};
    all |= code;
  }
  std::vector<Coded> sorted(order.size());
  for (int shift = 0; shift < 64 && all >> shift > 0; shift += kBits) {
    const auto digit = [&](const Coded& one) { return one.code >> shift & ((1U << kBits) - 1); };
    std::array<uint32_t, (1U << kBits) + 1> begin = {};
    for (const Coded& one : order) ++begin[digit(one) + 1];
    for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const Coded& one : order) sorted[begin[digit(one)]++] = one;
    order.swap(sorted);
  }
  std::vector<uint32_t> cells;
  cells.reserve(order.size());
  for (const Coded& one : order) cells.push_back(one.cell);
  return cells;
}

// Cells by their ancestors: those of the highest level first, and in a level attribute by attribute.
std::vector<uint32_t> ByLevels(const Table& table, const SearchForest& items) {
  const ItemForest& forest = items.forest();
  std::vector<uint32_t> depth(items.size(), 0);
  std::vector<uint32_t> most(items.quasi_count(), 0);
  for (Item item = 0; item < items.size(); ++item) {
    if (!forest.is_root(item)) depth[item] = depth[forest.parent(item)] + 1;
    most[items.quasi_of(item)] = std::max(most[items.quasi_of(item)], depth[item]);
  }
  const uint32_t deepest = most.empty() ? 0 : *std::max_element(most.begin(), most.end());
  const std::vector<uint64_t> codes = PathCodes(items, depth, deepest);
  if (!codes.empty()) return ByCodes(table, items, codes);
  std::vector<uint32_t> order(table.cell_count());
  std::iota(order.begin(), order.end(), 0);
  std::vector<uint32_t> sorted(order.size());
  std::vector<Item> above(items.size());
  std::vector<uint32_t> begin;
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
  std::vector<Item> labels(table.quasi_count());
  for (const uint32_t cell : ByLevels(table, items)) {
    Head head = {.record_count = table.cell_size(cell)};
    for (size_t quasi = 0; quasi < labels.size(); ++quasi) {
      labels[quasi] = items.OfLeaf(table.cell(cell)[quasi]);
      head.key += atoms.KeyOf(labels[quasi]);
      head.loss += items.loss(labels[quasi]);
    }
    atoms.AddHead(labels, head);
    const auto kinds = table.kinds(cell);
    atoms.kinds_.insert(atoms.kinds_.end(), kinds.begin(), kinds.end());
    atoms.EndKinds(atoms.size() - 1);
  }
  return atoms;
}

void Atoms::AddHead(std::span<const Item> labels, const Head& head) {
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  const uint32_t first_kind = heads_.back().first_kind;
  heads_.back() = head;
  heads_.back().first_kind = first_kind;
  heads_.emplace_back();
}

Atoms::Rise Atoms::RiseTo(std::span<const Item> floor) const {
  Rise rise = {{floor.begin(), floor.end()},
               std::vector<Key>(floor.size(), 0),
               std::vector<TableTask::Cost>(floor.size(), 0)};
  for (Item item = 0; item < floor.size(); ++item) {
    if (floor[item] == item) continue;
    rise.key[item] = KeyOf(floor[item]) - KeyOf(item);
    rise.loss[item] = items_->loss(floor[item]) - items_->loss(item);
    const size_t quasi = items_->quasi_of(item);
    if (rise.changed.empty() || rise.changed.back() != quasi) rise.changed.push_back(quasi);
  }
  return rise;
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
  merged.AppendMerged(*this, all, RiseTo(floor), workspace);
  return merged;
}

void Atoms::AppendSame(const Atoms& from, std::span<const uint32_t> members) {
  for (const uint32_t atom : members) {
    AddHead(from.labels(atom), from.heads_[atom]);
    const auto kinds = from.kinds(atom);
    kinds_.insert(kinds_.end(), kinds.begin(), kinds.end());
    EndKinds(size() - 1);
  }
}

void Atoms::AppendMerged(const Atoms& from, std::span<const uint32_t> members, const Rise& rise,
                         Workspace& workspace) {
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
    Head head = from.heads_[atom];
    bool changes = false;
    for (const size_t quasi : rise.changed) {
      const Item label = labels[quasi];
      head.key += rise.key[label];
      head.loss += rise.loss[label];
      changes = changes || rise.floor[label] != label;
    }
    auto number = static_cast<uint32_t>(size() - before);
    // An atom that stays as it is meets no other: labels that are new at the floor were above it.
    if (changes) {
      const uint32_t of_key = work.numbers.Of(head.key);
      if (of_key < work.atom_of_number.size()) {
        number = work.atom_of_number[of_key];
      } else {
        work.atom_of_number.push_back(number);
      }
    }
    work.atom_of[i] = number;
    if (before + number < size()) {
      heads_[before + number].record_count += head.record_count;
      continue;
    }
    AddHead(labels, head);
    if (!changes) continue;
    Item* shown = labels_.data() + (before + number) * quasi_count_;
    for (const size_t quasi : rise.changed) shown[quasi] = rise.floor[shown[quasi]];
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
