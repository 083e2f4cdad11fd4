#include "cutting/kmn/relation_breaker.h"

#include <algorithm>
#include <tuple>

#include "base/stop.h"

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
      counter_(shapes, options.limits, options.must_stop) {}

void RelationBreaker::Begin(const std::vector<Item>& label_of, const LabelKnowledge& knowledge) {
  label_of_ = &label_of;
  knowledge_ = knowledge;
  slot_of_.assign(items_->size(), kNone);
  any_slot_of_.assign(items_->size(), kNone);
  for (uint32_t slot = 0; slot < knowledge_.size(); ++slot) {
    StopPoint();
    const Item label = knowledge_.label(slot);
    any_slot_of_[label] = slot;
    if (!items_->IsOfRoot(items_->attribute_of(label))) slot_of_[label] = slot;
  }
  const size_t keys = size_t{knowledge_.size()} * knowledge_.size();
  weakened_sets_.clear();
  weakened_at_.assign(keys, kNone);
  weakened_in_.assign(keys, 0);
  weakened_place_.assign(keys, 0);
  slot_words_ = (knowledge_.size() + 63) / 64;
  shape_slots_.resize(slot_words_);
  seen_.assign(keys, 0);
  moved_in_.assign(knowledge_.size(), 0);
  broken_.clear();
  number_of_.assign(keys, 0);
  rounds_ = 0;
  looks_ = 0;
  shapes_seen_ = 0;
  if (options_->cost == CutCost::kRpd) rpd_.resize(shapes_->size());
  changed_.assign(ShapeWordCount(shapes_->size()), 0);
}

Relation RelationBreaker::Directed(const Pair& pair) const {
  const bool ascending =
      items_->MayStandBelow(items_->attribute_of(pair.first), items_->attribute_of(pair.second));
  return ascending ? Relation{pair.first, pair.second} : Relation{pair.second, pair.first};
}

uint64_t RelationBreaker::Support(const Pair& pair) const {
  const ShapeSet* const set = knowledge_.related(slot_of_[pair.first], slot_of_[pair.second]);
  return set == nullptr ? 0 : set->records;
}

std::vector<Relation> RelationBreaker::Choose(const std::vector<RareCombination>& rare) const {
  std::vector<Relation> chosen;
  std::set<Pair> broken;
  for (const RareCombination& one : rare) {
    StopPoint();
    if (SizeOf(one) != SizeOf(rare.front())) break;
    if (std::any_of(one.relations.begin(), one.relations.end(),
                    [&](const Pair& pair) { return broken.count(pair) != 0; })) {
      continue;
    }
    const Pair* rarest = nullptr;
    for (const Pair& pair : one.relations) {
      if (rarest == nullptr || Support(pair) < Support(*rarest)) rarest = &pair;
    }
    broken.insert(*rarest);
    chosen.push_back(Directed(*rarest));
  }
  return chosen;
}

void RelationBreaker::ListPairs() {
  ++looks_;
  pairs_.clear();
  for (uint32_t node = 0; node < tree_.size(); ++node) {
    const uint32_t slot = slot_of_[tree_.label(node)];
    if (slot == kNone) continue;
    const bool moves = moved_in_[slot] == shapes_seen_;
    for (uint32_t above = tree_.parent(node); above != LabelTree::kNoParent;
         above = tree_.parent(above)) {
      const uint32_t upper = slot_of_[tree_.label(above)];
      if (upper == kNone) break;  // labels further up are of the root, too
      if (!moves && moved_in_[upper] != shapes_seen_) continue;
      const Key key = KeyOf(upper, slot);
      if (seen_[key] == looks_) continue;
      seen_[key] = looks_;
      pairs_.push_back(key);
    }
  }
}

void RelationBreaker::ListApplicable() {
  applicable_.clear();
  for (uint32_t node = 0; node < tree_.size(); ++node) {
    const uint32_t slot = slot_of_[tree_.label(node)];
    if (slot == kNone) continue;
    for (uint32_t above = tree_.parent(node); above != LabelTree::kNoParent;
         above = tree_.parent(above)) {
      const uint32_t upper = slot_of_[tree_.label(above)];
      if (upper == kNone) break;
      const uint32_t number = number_of_[KeyOf(upper, slot)];
      if (number != 0) applicable_.push_back(number - 1);
    }
  }
  std::sort(applicable_.begin(), applicable_.end());
  applicable_.erase(std::unique(applicable_.begin(), applicable_.end()), applicable_.end());
}

void RelationBreaker::ApplyTo(uint32_t shape) {
  ++shapes_seen_;
  tree_.Load(*shapes_, shape, *label_of_);
  std::fill(shape_slots_.begin(), shape_slots_.end(), 0);
  for (uint32_t node = 0; node < tree_.size(); ++node) {
    const uint32_t slot = any_slot_of_[tree_.label(node)];
    if (slot != kNone) AddSlot(slot, shape_slots_.data());
  }
  ListApplicable();
  // A label loses a relation only if it is moved, or if the other label of the relation is.
  for (const uint32_t number : applicable_) {
    if (number >= broken_before_) moved_in_[slot_of_[broken_[number].below]] = shapes_seen_;
  }
  size_t next = 0;
  for (; next < applicable_.size() && applicable_[next] < broken_before_; ++next) {
    tree_.Break(broken_[applicable_[next]]);
  }
  ListPairs();
  for (; next < applicable_.size(); ++next) tree_.Break(broken_[applicable_[next]]);
  std::swap(pairs_, pairs_before_);
  ListPairs();
  for (const Key key : pairs_before_) {
    if (seen_[key] != looks_) Lose(key, shape);
  }
  if (options_->cost == CutCost::kRpd) rpd_[shape] = tree_.Rpd();
}

void RelationBreaker::Lose(Key key, uint32_t shape) {
  uint32_t& at = weakened_at_[key];
  const uint32_t a = key / knowledge_.size();
  const uint32_t b = key % knowledge_.size();
  if (at == kNone) {
    at = static_cast<uint32_t>(weakened_sets_.size());
    weakened_sets_.push_back(*knowledge_.related(a, b));
    knowledge_.Relate(a, b, &weakened_sets_.back());
  }
  weakened_sets_[at].Remove(shape, shapes_->weight(shape));
  if (weakened_in_[key] != rounds_) {
    weakened_in_[key] = rounds_;
    weakened_place_[key] = static_cast<uint32_t>(weakened_.size());
    weakened_.push_back(key);
    labels_with_.resize(weakened_.size() * slot_words_, 0);
  }
  uint64_t* const labels = LabelsWith(key);
  for (size_t i = 0; i < slot_words_; ++i) labels[i] |= shape_slots_[i];
}

void RelationBreaker::Apply(const std::vector<Relation>& chosen) {
  weakened_.clear();
  labels_with_.clear();
  ++rounds_;
  broken_before_ = broken_.size();
  ShapeWords affected(changed_.size(), 0);
  for (const Relation& relation : chosen) {
    StopPoint();
    const uint32_t above = slot_of_[relation.above];
    const uint32_t below = slot_of_[relation.below];
    broken_.push_back(relation);
    number_of_[KeyOf(above, below)] = static_cast<uint32_t>(broken_.size());
    const ShapeWords& words = knowledge_.related(above, below)->words;
    for (size_t i = 0; i < words.size(); ++i) affected[i] |= words[i];
  }
  ForEachShape(affected, [&](uint32_t shape) { ApplyTo(shape); });
  for (size_t i = 0; i < affected.size(); ++i) changed_[i] |= affected[i];
}

void RelationBreaker::DropWeakened(std::vector<RareCombination>& rare) {
  const auto drop = [&](const RareCombination& one) {
    bool is_weakened = false;
    for (const Pair& pair : one.relations) {
      const Key key = KeyOf(pair);
      if (weakened_in_[key] != rounds_) continue;
      is_weakened = true;
      for (const Item label : one.labels) AddSlot(any_slot_of_[label], LabelsWith(key));
    }
    return is_weakened;
  };
  rare.erase(std::remove_if(rare.begin(), rare.end(), drop), rare.end());
}

void RelationBreaker::Recount(std::vector<RareCombination>& rare) {
  for (const Key key : weakened_) {
    StopPoint();
    const uint32_t a = key / knowledge_.size();
    const uint32_t b = key % knowledge_.size();
    // There may be no record left that has the relation.
    knowledge_.Relate(a, b, &weakened_sets_[weakened_at_[key]]);
  }
  for (const Key key : weakened_) {
    StopPoint();
    const uint64_t* const labels = LabelsWith(key);
    for (uint32_t slot = 0; slot < knowledge_.size(); ++slot) {
      if ((labels[slot / 64] >> (slot % 64) & 1) != 0) {
        counter_.Include(slot);
      } else {
        counter_.Exclude(slot);
      }
    }
    counter_.Find(knowledge_, {key / knowledge_.size(), key % knowledge_.size()}, true,
                  [&](const RareCombination& one) {
                    rare.push_back(one);
                    return true;
                  });
  }
}

uint64_t RelationBreaker::CountRelations() const {
  uint64_t relations = 0;
  for (uint32_t high = 1; high < knowledge_.size(); ++high) {
    StopPoint();
    for (uint32_t low = 0; low < high; ++low) {
      const ShapeSet* const set = knowledge_.related(low, high);
      if (set != nullptr) relations += set->records;
    }
  }
  return relations;
}

BrokenRelations RelationBreaker::Break(const std::vector<Item>& label_of,
                                       const LabelKnowledge& knowledge,
                                       std::vector<RareCombination> rare) {
  BrokenRelations broken(items_->size());
  changed_shapes_.clear();
  broken_share_ = 0;
  if (rare.empty()) return broken;
  Begin(label_of, knowledge);
  const uint64_t relations = CountRelations();
  while (!rare.empty() && !(options_->must_stop && options_->must_stop())) {
    std::sort(rare.begin(), rare.end(), Before);
    rare.erase(std::unique(rare.begin(), rare.end(), Same), rare.end());
    Apply(Choose(rare));
    DropWeakened(rare);
    Recount(rare);
  }
  for (const Relation& relation : broken_) broken.Add(relation);
  const uint64_t lost = relations - CountRelations();
  broken_share_ = static_cast<double>(lost) / static_cast<double>(relations);
  ForEachShape(changed_, [&](uint32_t shape) { changed_shapes_.push_back(shape); });
  return broken;
}

}  // namespace thicket
