#include "cutting/relation_breaker.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

namespace thicket {

namespace {

std::tuple<size_t, size_t> SizeOf(const RareCombination& one) {
  return {one.relations.size(), one.labels.size()};
}

bool Before(const RareCombination& a, const RareCombination& b) {
  if (SizeOf(a) != SizeOf(b)) return SizeOf(a) < SizeOf(b);
  return std::tie(a.labels, a.relations) < std::tie(b.labels, b.relations);
}

bool Same(const RareCombination& a, const RareCombination& b) {
  return a.labels == b.labels && a.relations == b.relations;
}

}  // namespace

RelationBreaker::RelationBreaker(const ItemHierarchy& items, const Shapes& shapes,
                                 const CutSearchOptions& options)
    : items_(&items),
      shapes_(&shapes),
      options_(&options),
      tree_(items),
      grapher_(items.size()),
      counter_(items.size(), options.limits),
      specialized_place_(shapes.size(), kNone),
      changed_place_(shapes.size(), kNone) {}

void RelationBreaker::Begin(const SpecializedCut& cut) {
  for (const uint32_t shape : changed_shapes_) changed_place_[shape] = kNone;
  for (const uint32_t shape : specialized_shapes_) specialized_place_[shape] = kNone;
  changed_shapes_.clear();
  changed_.Clear();
  support_.clear();
  cut_ = &cut;
  specialized_shapes_ = *cut.cut->shapes_of[cut.specialized];
  uint32_t place = 0;
  for (const uint32_t shape : specialized_shapes_) specialized_place_[shape] = place++;
}

void RelationBreaker::BeginTable() {
  const uint32_t old_slots = cut_->cut->table.slots();
  const auto slots = static_cast<uint32_t>(old_slots + cut_->children.size());
  has_table_ = old_slots > 0 && slots <= CombinationTable::kMostSlots;
  if (!has_table_) return;
  table_ = cut_->cut->table;
  table_.Grow(slots);
  slot_of_ = cut_->cut->slot_of;
  label_at_.assign(slots, 0);
  for (const Item label : cut_->cut->labels) label_at_[slot_of_[label]] = label;
  uint32_t next = old_slots;
  for (const auto& [child, shapes] : cut_->children) {
    slot_of_[child] = next;
    label_at_[next++] = child;
  }
  for (size_t i = 0; i < cut_->graphs.size(); ++i) {
    const GraphRef graph = cut_->graphs[i];
    CombinationTable::Sort(graph, slot_of_, slotted_);
    table_.Add(graph, slotted_, graph.weight, old_slots);
  }
  if (touched_in_.size() < CombinationTable::TripleNumber(0, 0, slots)) {
    touched_in_.resize(CombinationTable::TripleNumber(0, 0, slots), 0);
    weakened_in_.resize(CombinationTable::PairNumber(0, slots), 0);
  }
}

Relation RelationBreaker::Directed(const Pair& pair) const {
  const bool ascending =
      items_->MayStandBelow(items_->attribute_of(pair.first), items_->attribute_of(pair.second));
  return ascending ? Relation{pair.first, pair.second} : Relation{pair.second, pair.first};
}

GraphRef RelationBreaker::GraphOf(uint32_t shape) const {
  if (changed_place_[shape] != kNone) return changed_[changed_place_[shape]];
  if (specialized_place_[shape] != kNone) return cut_->graphs[specialized_place_[shape]];
  return cut_->cut->graphs[shape];
}

void RelationBreaker::Collect(const Pair& pair, ShapeList& shapes) const {
  shapes.clear();
  const ShapeList& a = cut_->ShapesOf(pair.first);
  const ShapeList& b = cut_->ShapesOf(pair.second);
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shapes));
  const auto lacks = [&](uint32_t shape) {
    const GraphRef graph = GraphOf(shape);
    return !graph.Related(graph.Find(pair.first), graph.Find(pair.second));
  };
  shapes.erase(std::remove_if(shapes.begin(), shapes.end(), lacks), shapes.end());
}

uint64_t RelationBreaker::Support(const Pair& pair) {
  if (has_table_) return table_.Related(slot_of_[pair.first], slot_of_[pair.second]);
  const auto known = support_.find(pair);
  if (known != support_.end()) return known->second;
  ShapeList shapes;
  Collect(pair, shapes);
  uint64_t support = 0;
  for (const uint32_t shape : shapes) support += shapes_->weight(shape);
  support_[pair] = support;
  return support;
}

std::vector<Relation> RelationBreaker::Choose(const std::vector<RareCombination>& rare) {
  std::vector<Relation> chosen;
  std::set<Pair> broken;
  for (const RareCombination& one : rare) {
    if (SizeOf(one) != SizeOf(rare.front())) break;
    if (std::any_of(one.relations.begin(), one.relations.end(),
                    [&](const Pair& pair) { return broken.count(pair) != 0; })) {
      continue;
    }
    const Pair* rarest = nullptr;
    for (const Pair& pair : one.relations) {
      if (!IsBreakable(Directed(pair))) continue;
      if (rarest == nullptr || Support(pair) < Support(*rarest)) rarest = &pair;
    }
    if (rarest == nullptr) continue;
    broken.insert(*rarest);
    chosen.push_back(Directed(*rarest));
  }
  return chosen;
}

void RelationBreaker::Touch(GraphLabel a, GraphLabel b, GraphLabel c) {
  std::array<uint32_t, 3> set = {slot_of_[a], slot_of_[b], slot_of_[c]};
  std::sort(set.begin(), set.end());
  uint32_t& seen = touched_in_[CombinationTable::TripleNumber(set[0], set[1], set[2])];
  if (seen == rounds_) return;
  seen = rounds_;
  touched_.push_back(set);
}

void RelationBreaker::DropWeakened(std::vector<RareCombination>& rare) {
  const auto is_weakened = [&](const Pair& pair) {
    return std::binary_search(weakened_.begin(), weakened_.end(), pair);
  };
  const auto drop = [&](const RareCombination& one) {
    if (std::none_of(one.relations.begin(), one.relations.end(), is_weakened)) return false;
    // The records that lost the relation need not have had the third label.
    if (has_table_ && one.labels.size() == 3) Touch(one.labels[0], one.labels[1], one.labels[2]);
    return true;
  };
  rare.erase(std::remove_if(rare.begin(), rare.end(), drop), rare.end());
}

void RelationBreaker::NoteLosses(const GraphRef& before, const GraphRef& after) {
  for (uint32_t i = 0; i < before.count; ++i) {
    for (uint32_t word = 0; word <= i / 64; ++word) {
      uint64_t lost = before.row(i)[word] & ~after.row(i)[word];
      for (; lost != 0; lost &= lost - 1) {
        const uint32_t j = word * 64 + static_cast<uint32_t>(std::countr_zero(lost));
        if (j < i) weakened_.emplace_back(before.labels[j], before.labels[i]);
      }
    }
  }
}

void RelationBreaker::NoteLossesInTable(const GraphRef& before, const GraphRef& after) {
  CombinationTable::Sort(before, slot_of_, slotted_);
  const std::vector<uint32_t>& slot = slotted_.slot;
  const std::vector<uint32_t>& place = slotted_.place;
  const auto count = static_cast<uint32_t>(slot.size());
  // One bit each: related before, related after.
  const auto bits = [&](uint32_t a, uint32_t b) {
    return std::pair(before.Related(place[a], place[b]) ? 1U : 0U,
                     after.Related(place[a], place[b]) ? 1U : 0U);
  };
  for (uint32_t high = 1; high < count; ++high) {
    for (uint32_t low = 0; low < high; ++low) {
      const auto [was, is] = bits(low, high);
      if (was == is) continue;
      table_.MovePair(slot[low], slot[high], before.weight);
      uint32_t& weakened = weakened_in_[CombinationTable::PairNumber(slot[low], slot[high])];
      if (weakened != rounds_) {
        weakened = rounds_;
        weakened_.push_back(std::minmax(before.labels[place[low]], before.labels[place[high]]));
      }
      for (uint32_t other = 0; other < count; ++other) {
        if (other == low || other == high) continue;
        const auto [low_was, low_is] = bits(low, other);
        const auto [high_was, high_is] = bits(high, other);
        // Of several lost relations between three, only the first moves the three: lowest places come first.
        if (other < low && (low_was != low_is || high_was != high_is)) continue;
        if (other > low && other < high && (low_was != low_is)) continue;
        const std::array<uint32_t, 3> at = other < low    ? std::array{other, low, high}
                                           : other < high ? std::array{low, other, high}
                                                          : std::array{low, high, other};
        const auto [xy_was, xy_is] = bits(at[0], at[1]);
        const auto [xz_was, xz_is] = bits(at[0], at[2]);
        const auto [yz_was, yz_is] = bits(at[1], at[2]);
        const std::array<uint32_t, 3> set = {slot[at[0]], slot[at[1]], slot[at[2]]};
        const size_t number = CombinationTable::TripleNumber(set[0], set[1], set[2]);
        table_.MoveTriple(number, xy_was | xz_was << 1 | yz_was << 2,
                          xy_is | xz_is << 1 | yz_is << 2, before.weight);
        if (touched_in_[number] == rounds_) continue;
        touched_in_[number] = rounds_;
        touched_.push_back(set);
      }
    }
  }
}

void RelationBreaker::Apply(const std::vector<Relation>& chosen, const BrokenRelations& broken) {
  affected_.clear();
  weakened_.clear();
  touched_.clear();
  ++rounds_;
  ShapeList some;
  for (const Relation& relation : chosen) {
    Collect(std::minmax(relation.above, relation.below), some);
    affected_.insert(affected_.end(), some.begin(), some.end());
  }
  std::sort(affected_.begin(), affected_.end());
  affected_.erase(std::unique(affected_.begin(), affected_.end()), affected_.end());
  for (const uint32_t shape : affected_) {
    tree_.Load(*shapes_, shape, cut_->label_of);
    tree_.Apply(broken);
    grapher_.Add(tree_, shapes_->weight(shape), changed_);
    const GraphRef before = GraphOf(shape);
    const GraphRef after = changed_[changed_.size() - 1];
    if (has_table_) {
      NoteLossesInTable(before, after);
    } else {
      NoteLosses(before, after);
    }
    if (changed_place_[shape] == kNone) changed_shapes_.push_back(shape);
    changed_place_[shape] = static_cast<uint32_t>(changed_.size() - 1);
  }
  std::sort(weakened_.begin(), weakened_.end());
  weakened_.erase(std::unique(weakened_.begin(), weakened_.end()), weakened_.end());
}

void RelationBreaker::CheckTriple(const std::array<uint32_t, 3>& slots,
                                  std::vector<RareCombination>& rare) const {
  const uint32_t* const counts =
      table_.triple(CombinationTable::TripleNumber(slots[0], slots[1], slots[2]));
  const std::array<std::pair<uint32_t, uint32_t>, 3> pairs = {
      {{slots[0], slots[1]}, {slots[0], slots[2]}, {slots[1], slots[2]}}};
  const uint32_t k = options_->limits.k;
  uint32_t passed_over = 0;
  for (uint32_t bit = 0; bit < 3; ++bit) {
    // A rare pair is named by itself.
    if (table_.Related(pairs[bit].first, pairs[bit].second) < k) passed_over |= 1U << bit;
  }
  // One relation, two, three.
  for (const uint32_t set : {1U, 2U, 4U, 3U, 5U, 6U, 7U}) {
    if (static_cast<uint32_t>(std::popcount(set)) > options_->limits.n ||
        (set & passed_over) != 0) {
      continue;
    }
    uint64_t support = 0;
    for (uint32_t mask = 0; mask < 8; ++mask) {
      if ((mask & set) == set) support += counts[mask];
    }
    if (support == 0 || support >= k) continue;
    RareCombination one;
    one.support = support;
    for (const uint32_t slot : slots) one.labels.push_back(label_at_[slot]);
    std::sort(one.labels.begin(), one.labels.end());
    for (uint32_t bit = 0; bit < 3; ++bit) {
      if ((set >> bit & 1) == 0) continue;
      one.relations.push_back(
          std::minmax(label_at_[pairs[bit].first], label_at_[pairs[bit].second]));
    }
    std::sort(one.relations.begin(), one.relations.end());
    // What contains it is not named any more.
    if (std::popcount(set) == 1) passed_over |= set;
    rare.push_back(std::move(one));
  }
}

void RelationBreaker::RecountByTable(std::vector<RareCombination>& rare) {
  for (const Pair& pair : weakened_) {
    const uint64_t support = Support(pair);
    if (support == 0 || support >= options_->limits.k) continue;
    rare.push_back({{pair.first, pair.second}, {pair}, support});
  }
  if (options_->limits.m < 3) return;
  for (const std::array<uint32_t, 3>& set : touched_) CheckTriple(set, rare);
}

void RelationBreaker::Recount(std::vector<RareCombination>& rare) {
  ShapeList shapes;
  for (const Pair& pair : weakened_) {
    support_.erase(pair);
    Collect(pair, shapes);
    members_.clear();
    for (const uint32_t shape : shapes) members_.push_back(GraphOf(shape));
    counter_.Find(members_, {pair.first, pair.second}, true, [&](const RareCombination& one) {
      rare.push_back(one);
      return true;
    });
  }
}

BrokenRelations RelationBreaker::Break(const SpecializedCut& cut,
                                       std::vector<RareCombination> rare) {
  BrokenRelations broken(items_->size());
  Begin(cut);
  if (rare.empty()) return broken;
  BeginTable();
  while (!rare.empty()) {
    std::sort(rare.begin(), rare.end(), Before);
    rare.erase(std::unique(rare.begin(), rare.end(), Same), rare.end());
    const std::vector<Relation> chosen = Choose(rare);
    // Cannot be, as long as labels alone are not rare; verification would find it.
    if (chosen.empty()) break;
    for (const Relation& relation : chosen) broken.Add(relation);
    Apply(chosen, broken);
    DropWeakened(rare);
    if (has_table_) {
      RecountByTable(rare);
    } else {
      Recount(rare);
    }
  }
  std::sort(changed_shapes_.begin(), changed_shapes_.end());
  return broken;
}

}  // namespace thicket
