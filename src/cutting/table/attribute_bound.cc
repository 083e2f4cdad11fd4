#include "cutting/table/attribute_bound.h"

#include <algorithm>

namespace thicket {

namespace {

constexpr uint32_t kNone = ~uint32_t{0};

}  // namespace

AttributeBound::AttributeBound(const TableTask& task, const SearchForest& items, size_t few_kinds)
    : task_(&task),
      items_(&items),
      bound_(task),
      of_label_(task.table().label_count(), 0),
      few_kinds_(task.table().kind_count() <= few_kinds),
      records_(SuppressesRecords(task.goal().suppression)),
      values_(SuppressesValues(task.goal().suppression)),
      metric_(task.goal().metric),
      violating_number_(values_ ? task.table().value_count() : 0, kNone) {
  only_groups_ = few_kinds_ && metric_ == TableMetric::kLm && !values_;
  item_of_place_.resize(items.size());
  for (Item item = 0; item < items.size(); ++item) item_of_place_[items.place(item)] = item;
}

void AttributeBound::MeasureByPlace(const Atoms& atoms, std::span<const uint32_t> members,
                                    Item top) {
  const uint32_t first = items_->place(top);
  const uint32_t range = items_->end(top) - first;
  for (size_t place = by_place_.size(); place < range; ++place) Clear(by_place_.emplace_back());
  for (size_t i = 0; i < members.size(); ++i) {
    const uint32_t atom = members[i];
    if (i + Atoms::kAhead < members.size()) atoms.Fetch(members[i + Atoms::kAhead]);
    const Item label = atoms.label(atom, quasi_);
    AddRow({.label = label,
            .place = 0,
            .records = atoms.record_count(atom),
            .loss = atoms.loss(atom) - items_->loss(label),
            .key = atoms.KeyWithout(atom, quasi_),
            .kinds = atoms.kinds(atom)},
           by_place_[items_->place(label) - first]);
  }
  // What is below an item follows it.
  for (uint32_t place = range; place-- > 0;) {
    Merged& merged = by_place_[place];
    if (merged.size == 0) continue;
    const Item item = item_of_place_[first + place];
    const Group group = LookMerged(0, 0, merged);
    costs_->push_back(ItemCostOf(group, item));
    if (place > 0) {
      AddMerged(merged, by_place_[items_->place(items_->forest().parent(item)) - first]);
    }
    Clear(merged);
  }
}

void AttributeBound::Sort(const Atoms& atoms, std::span<const uint32_t> members, Item top) {
  const uint32_t first = items_->place(top);
  const uint32_t range = items_->end(top) - first;
  sorted_.resize(members.size());
  if (range <= 2 * members.size()) {
    begin_of_place_.assign(range + 1, 0);
    for (size_t i = 0; i < members.size(); ++i) {
      if (i + Atoms::kAhead < members.size()) atoms.Fetch(members[i + Atoms::kAhead]);
      ++begin_of_place_[items_->place(atoms.label(members[i], quasi_)) - first + 1];
    }
    for (size_t i = 1; i <= range; ++i) begin_of_place_[i] += begin_of_place_[i - 1];
    for (const uint32_t atom : members) {
      sorted_[begin_of_place_[items_->place(atoms.label(atom, quasi_)) - first]++] = atom;
    }
    return;
  }
  places_.clear();
  for (const uint32_t atom : members) {
    places_.push_back(uint64_t{items_->place(atoms.label(atom, quasi_))} << 32 | atom);
  }
  std::sort(places_.begin(), places_.end());
  for (size_t i = 0; i < places_.size(); ++i) sorted_[i] = static_cast<uint32_t>(places_[i]);
}

void AttributeBound::NumberPeers() {
  has_peers_ = true;
  numbers_.Reset(rows_.size());
  peers_of_.resize(rows_.size());
  for (size_t row = 0; row < rows_.size(); ++row) peers_of_[row] = numbers_.Of(rows_[row].key);
  peer_records_.assign(numbers_.count(), 0);
  first_of_peers_.assign(numbers_.count(), kNone);
  next_peer_.resize(rows_.size());
}

void AttributeBound::Measure(const Atoms& atoms, std::span<const uint32_t> members, Item top,
                             size_t quasi, Cost others, std::vector<ItemCost>& costs) {
  whole_ = false;
  others_ = others;
  top_loss_ = items_->loss(top);
  quasi_ = quasi;
  costs_ = &costs;
  // Where labels are few beside atoms.
  if (only_groups_ && items_->end(top) - items_->place(top) <= 2 * members.size()) {
    MeasureByPlace(atoms, members, top);
    return;
  }
  Sort(atoms, members, top);
  rows_.clear();
  for (const uint32_t atom : sorted_) {
    const Item label = atoms.label(atom, quasi);
    rows_.push_back({.label = label,
                     .place = items_->place(label),
                     .records = atoms.record_count(atom),
                     .loss = atoms.loss(atom) - items_->loss(label),
                     .key = atoms.KeyWithout(atom, quasi),
                     .kinds = atoms.kinds(atom)});
    atoms.FetchKinds(atom);
  }
  has_peers_ = false;
  Walk(top, 0, static_cast<uint32_t>(rows_.size()), 0);
}

LeastSuppression AttributeBound::MeasureCounts(const Atoms& atoms,
                                               std::span<const uint32_t> members,
                                               std::span<const Asked> asked, Cost loss,
                                               std::vector<ItemCost>& costs,
                                               std::vector<size_t>& ends) {
  if (!counts_) counts_.emplace(*items_, task_->table().kind_count());
  for (size_t i = 0; i < members.size(); ++i) {
    const uint32_t atom = members[i];
    if (i + 2 * Atoms::kAhead < members.size()) atoms.Fetch(members[i + 2 * Atoms::kAhead]);
    if (i + Atoms::kAhead < members.size()) atoms.FetchKinds(members[i + Atoms::kAhead]);
    const std::span<const Item> labels = atoms.labels(atom);
    const std::span<const Table::KindCount> kinds = atoms.kinds(atom);
    const uint64_t records = atoms.record_count(atom);
    for (const Asked& one : asked) counts_->Add(labels[one.quasi], records, kinds);
  }
  const bool is_lm = metric_ == TableMetric::kLm;
  LeastSuppression whole;
  for (const Asked& one : asked) {
    top_loss_ = items_->loss(one.top);
    others_ = loss - top_loss_;
    counts_->Visit(one.top, [&](Item item, std::span<const uint32_t> of_kind, uint64_t size) {
      Group group;
      group.least = bound_.Find(of_kind, size, /*is_final=*/false);
      if (item == one.top) whole = group.least;
      if (is_lm && group.least.possible && group.least.suppressed == 0) return;
      group.most_loss = others_;
      costs.push_back(ItemCostOf(group, item));
    });
    ends.push_back(costs.size());
  }
  return whole;
}

void AttributeBound::AddFinalCosts(const Atoms& atoms, std::span<const uint32_t> members, Item top,
                                   size_t quasi, Cost others, std::vector<Cost>& part) {
  if (!counts_) counts_.emplace(*items_, task_->table().kind_count());
  for (const uint32_t atom : members) {
    counts_->Add(atoms.label(atom, quasi), atoms.record_count(atom), atoms.kinds(atom));
  }
  counts_->Visit(top, [&](Item item, std::span<const uint32_t> of_kind, uint64_t size) {
    Group group;
    group.is_final = true;
    group.most_loss = others;
    group.least = bound_.Find(of_kind, size, /*is_final=*/true);
    part[item] = Sum(part[item], CostOf(group, items_->loss(item)));
  });
}

AttributeBound::Cost AttributeBound::MeasureWhole(const Atoms& atoms,
                                                  std::span<const uint32_t> members) {
  whole_ = true;
  rows_.clear();
  for (size_t i = 0; i < members.size(); ++i) {
    const uint32_t atom = members[i];
    if (i + Atoms::kAhead < members.size()) atoms.Fetch(members[i + Atoms::kAhead]);
    atoms.FetchKinds(atom);
    rows_.push_back({.label = 0,
                     .place = 0,
                     .records = atoms.record_count(atom),
                     .loss = atoms.loss(atom),
                     .key = atoms.key(atom),
                     .kinds = atoms.kinds(atom)});
  }
  has_peers_ = false;
  const auto end = static_cast<uint32_t>(rows_.size());
  if (!few_kinds_) return CostOf(Look(0, end), 0);
  if (merged_.empty()) merged_.emplace_back();
  Clear(merged_[0]);
  for (const Row& row : rows_) AddRow(row, merged_[0]);
  return CostOf(LookMerged(0, end, merged_[0]), 0);
}

Item AttributeBound::ChildTowards(Item item, Item label) const {
  const ItemForest& forest = items_->forest();
  while (forest.parent(label) != item) label = forest.parent(label);
  return label;
}

uint32_t AttributeBound::EndBelow(Item item, uint32_t begin, uint32_t end) const {
  const uint32_t last = items_->end(item);
  while (begin < end && rows_[begin].place < last) ++begin;
  return begin;
}

void AttributeBound::Walk(Item item, uint32_t begin, uint32_t end, size_t depth) {
  const Item first = rows_[begin].label;
  const uint32_t last = rows_[end - 1].place;
  // Down to where the records part, or end: all these items have the same group.
  Item low = item;
  while (low != first) {
    const Item child = ChildTowards(low, first);
    if (last >= items_->end(child)) break;
    low = child;
  }
  if (depth == merged_.size()) merged_.emplace_back();
  if (few_kinds_) Clear(merged_[depth]);
  if (low == first) {
    for (uint32_t i = begin; few_kinds_ && i < end; ++i) AddRow(rows_[i], merged_[depth]);
  } else {
    for (uint32_t from = begin; from < end;) {
      const Item child = ChildTowards(low, rows_[from].label);
      const uint32_t to = EndBelow(child, from + 1, end);
      Walk(child, from, to, depth + 1);
      if (few_kinds_) AddMerged(merged_[depth + 1], merged_[depth]);
      from = to;
    }
  }
  const Group group = few_kinds_ ? LookMerged(begin, end, merged_[depth]) : Look(begin, end);
  for (Item one = low;; one = items_->forest().parent(one)) {
    costs_->push_back(ItemCostOf(group, one));
    if (one == item) break;
  }
}

void AttributeBound::Clear(Merged& merged) const {
  merged.of_kind.assign(task_->table().kind_count(), 0);
  merged.size = 0;
  merged.is_final = true;
  merged.most_loss = 0;
}

void AttributeBound::AddRow(const Row& row, Merged& merged) {
  if (merged.size == 0) merged.key = row.key;
  merged.is_final = merged.is_final && merged.key == row.key;
  merged.size += row.records;
  merged.most_loss = std::max(merged.most_loss, row.loss);
  for (const auto& [kind, count] : row.kinds) merged.of_kind[kind] += count;
}

void AttributeBound::AddMerged(const Merged& other, Merged& merged) {
  if (merged.size == 0) merged.key = other.key;
  merged.is_final = merged.is_final && other.is_final && merged.key == other.key;
  merged.size += other.size;
  merged.most_loss = std::max(merged.most_loss, other.most_loss);
  for (size_t kind = 0; kind < merged.of_kind.size(); ++kind) {
    merged.of_kind[kind] += other.of_kind[kind];
  }
}

AttributeBound::Group AttributeBound::LookMerged(uint32_t begin, uint32_t end,
                                                 const Merged& merged) {
  Group group;
  group.is_final = merged.is_final;
  group.most_loss = merged.most_loss;
  group.least = bound_.Find(merged.of_kind, merged.size, merged.is_final);
  if (metric_ != TableMetric::kLm && !group.is_final && group.least.possible) {
    AddGroups(begin, end, group);
  }
  if (!bound_.violating().empty()) AddPieces(begin, end, group);
  return group;
}

AttributeBound::Group AttributeBound::Look(uint32_t begin, uint32_t end) {
  Group group;
  group.is_final = true;
  bound_.Clear();
  for (uint32_t i = begin; i < end; ++i) {
    bound_.Add(rows_[i].kinds);
    group.is_final = group.is_final && rows_[i].key == rows_[begin].key;
    group.most_loss = std::max(group.most_loss, rows_[i].loss);
  }
  group.least = bound_.Find(group.is_final);
  if (metric_ != TableMetric::kLm && !group.is_final && group.least.possible) {
    AddGroups(begin, end, group);
  }
  if (!bound_.violating().empty()) AddPieces(begin, end, group);
  return group;
}

void AttributeBound::AddGroups(uint32_t begin, uint32_t end, Group& group) {
  if (AreAtoms(begin, end)) {
    AddRows(begin, end, group);
  } else {
    AddPeers(begin, end, group);
  }
}

void AttributeBound::AddRows(uint32_t begin, uint32_t end, Group& group) {
  for (uint32_t row = begin; row < end; ++row) {
    const uint64_t size = rows_[row].records;
    group.largest = std::max(group.largest, size);
    if (metric_ == TableMetric::kDm) {
      group.general += GeneralCost(size);
      continue;
    }
    std::fill(of_label_.begin(), of_label_.end(), 0);
    for (const auto& [kind, count] : rows_[row].kinds) {
      of_label_[task_->table().label(kind)] += count;
    }
    group.general += size - *std::max_element(of_label_.begin(), of_label_.end());
  }
}

void AttributeBound::AddPeers(uint32_t begin, uint32_t end, Group& group) {
  if (!has_peers_) NumberPeers();
  touched_.clear();
  for (uint32_t row = begin; row < end; ++row) {
    const uint32_t peers = peers_of_[row];
    if (peer_records_[peers] == 0) {
      touched_.push_back(peers);
      first_of_peers_[peers] = kNone;
    }
    peer_records_[peers] += rows_[row].records;
    next_peer_[row] = first_of_peers_[peers];
    first_of_peers_[peers] = row;
  }
  for (const uint32_t peers : touched_) {
    const uint64_t size = peer_records_[peers];
    peer_records_[peers] = 0;
    group.largest = std::max(group.largest, size);
    if (metric_ == TableMetric::kDm) {
      group.general += GeneralCost(size);
      continue;
    }
    std::fill(of_label_.begin(), of_label_.end(), 0);
    for (uint32_t row = first_of_peers_[peers]; row != kNone; row = next_peer_[row]) {
      for (const auto& [kind, count] : rows_[row].kinds) {
        of_label_[task_->table().label(kind)] += count;
      }
    }
    group.general += size - *std::max_element(of_label_.begin(), of_label_.end());
  }
}

void AttributeBound::AddPieces(uint32_t begin, uint32_t end, Group& group) {
  const std::span<const uint32_t> violating = bound_.violating();
  const size_t width = violating.size();
  for (uint32_t i = 0; i < width; ++i) violating_number_[violating[i]] = i;
  const bool are_atoms = AreAtoms(begin, end);
  if (!are_atoms && !has_peers_) NumberPeers();
  touched_.clear();
  piece_size_.clear();
  in_piece_.clear();
  for (uint32_t row = begin; row < end; ++row) {
    size_t piece = row - begin;
    if (!are_atoms) {
      const uint32_t peers = peers_of_[row];
      if (peer_records_[peers] == 0) {
        touched_.push_back(peers);
        peer_records_[peers] = static_cast<uint32_t>(touched_.size());
      }
      piece = peer_records_[peers] - 1;
    }
    if (piece == piece_size_.size()) {
      piece_size_.push_back(0);
      in_piece_.resize(in_piece_.size() + width, 0);
    }
    piece_size_[piece] += rows_[row].records;
    uint32_t* counts = in_piece_.data() + piece * width;
    for (const auto& [kind, count] : rows_[row].kinds) {
      for (const uint32_t value : task_->table().values(kind)) {
        if (violating_number_[value] != kNone) counts[violating_number_[value]] += count;
      }
    }
  }
  uint64_t lost = 0;
  for (size_t i = 0; i < width; ++i) {
    pieces_.clear();
    for (size_t piece = 0; piece < piece_size_.size(); ++piece) {
      const uint64_t count = in_piece_[piece * width + i];
      if (count > 0) pieces_.push_back({count, piece_size_[piece]});
    }
    lost += bound_.LeastOfPieces(violating[i], pieces_);
  }
  for (const uint32_t peers : touched_) peer_records_[peers] = 0;
  for (const uint32_t value : violating) violating_number_[value] = kNone;
  group.least.suppressed = std::max(group.least.suppressed, lost);
}

// The sum of min(2j - 1, |T|) for j up to the size, or its square.
AttributeBound::Cost AttributeBound::GeneralCost(uint64_t size) const {
  if (task_->goal().suppression != Suppression::kViolatingRecords) return size * size;
  const uint64_t all = task_->table().record_count();
  const uint64_t half = (all + 1) / 2;
  return size <= half ? size * size : half * half + (size - half) * all;
}

AttributeBound::Cost AttributeBound::CostOf(const Group& group, Cost loss) const {
  const LeastSuppression& least = group.least;
  if (!least.possible) return kImpossible;
  const auto less = [](Cost a, Cost b) { return a > b ? a - b : 0; };
  switch (metric_) {
    case TableMetric::kLm: {
      const Cost general = least.size * loss;
      if (values_) return general + least.suppressed * task_->value_cost();
      if (!records_) return general;
      return general + least.suppressed * less(task_->record_cost(), group.most_loss + loss);
    }
    case TableMetric::kDm: {
      const uint64_t kept = least.size - least.suppressed;
      const uint64_t all = task_->table().record_count();
      if (group.is_final) return kept * kept + least.suppressed * all;
      const bool may_shrink = task_->goal().suppression == Suppression::kViolatingRecords;
      const uint64_t most = may_shrink && group.largest > 0 ? 2 * group.largest - 1 : group.largest;
      const Cost by_groups =
          group.largest > 0 ? group.general + least.suppressed * less(all, most) : 0;
      return std::max(by_groups, least.suppressed * all + kept);
    }
    case TableMetric::kCm:
      if (group.is_final) return least.minority_cost;
      return std::max<Cost>(group.general, least.suppressed);
  }
  return 0;
}

AttributeBound::ItemCost AttributeBound::ItemCostOf(const Group& group, Item item) const {
  const Cost loss = items_->loss(item);
  const Cost cost = CostOf(group, loss);
  if (metric_ != TableMetric::kLm || cost >= kImpossible) return {item, cost, cost, 0};
  const uint64_t suppressed = group.least.suppressed;
  if (values_) return {item, cost, suppressed * task_->value_cost(), 0};
  const Cost most = others_ + top_loss_;
  if (!records_ || most >= task_->record_cost()) return {item, cost, 0, 0};
  return {item, cost, suppressed * (task_->record_cost() - most), suppressed * (top_loss_ - loss)};
}

}  // namespace thicket
