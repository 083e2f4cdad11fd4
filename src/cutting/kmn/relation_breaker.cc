#include "cutting/kmn/relation_breaker.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

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
                                 const CutSearchOptions& options, const ShapeTeam& team)
    : items_(&items),
      shapes_(&shapes),
      options_(&options),
      team_(team),
      workers_(team.workers(), Worker(items)),
      counters_(team.workers(), RareCombinations(shapes, options.limits, options.must_stop)) {}

void RelationBreaker::Begin(Worker& worker) const {
  const size_t keys = size_t{knowledge_.size()} * knowledge_.size();
  worker.seen.assign(keys, 0);
  worker.looks = 0;
  worker.moved_in.assign(knowledge_.size(), 0);
  worker.shapes_seen = 0;
  worker.shape_slots.resize(slot_words_);
  worker.place_of.assign(keys, kNone);
  worker.weakened.clear();
  worker.records.clear();
  worker.labels_with.clear();
}

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
  weakened_set_ = std::vector<std::atomic<ShapeSet*>>(keys);
  weakened_in_.assign(keys, 0);
  weakened_place_.assign(keys, 0);
  slot_words_ = (knowledge_.size() + 63) / 64;
  for (Worker& worker : workers_) Begin(worker);
  broken_.clear();
  number_of_.assign(keys, 0);
  rounds_ = 0;
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

void RelationBreaker::ListPairs(Worker& worker) const {
  const LabelTree& tree = worker.tree;
  ++worker.looks;
  worker.pairs.clear();
  for (uint32_t node = 0; node < tree.size(); ++node) {
    const uint32_t slot = slot_of_[tree.label(node)];
    if (slot == kNone) continue;
    const bool moves = worker.moved_in[slot] == worker.shapes_seen;
    for (uint32_t above = tree.parent(node); above != LabelTree::kNoParent;
         above = tree.parent(above)) {
      const uint32_t upper = slot_of_[tree.label(above)];
      if (upper == kNone) break;  // labels further up are of the root, too
      if (!moves && worker.moved_in[upper] != worker.shapes_seen) continue;
      const Key key = KeyOf(upper, slot);
      if (worker.seen[key] == worker.looks) continue;
      worker.seen[key] = worker.looks;
      worker.pairs.push_back(key);
    }
  }
}

void RelationBreaker::ListApplicable(Worker& worker) const {
  const LabelTree& tree = worker.tree;
  std::vector<uint32_t>& applicable = worker.applicable;
  applicable.clear();
  for (uint32_t node = 0; node < tree.size(); ++node) {
    const uint32_t slot = slot_of_[tree.label(node)];
    if (slot == kNone) continue;
    for (uint32_t above = tree.parent(node); above != LabelTree::kNoParent;
         above = tree.parent(above)) {
      const uint32_t upper = slot_of_[tree.label(above)];
      if (upper == kNone) break;
      const uint32_t number = number_of_[KeyOf(upper, slot)];
      if (number != 0) applicable.push_back(number - 1);
    }
  }
  std::sort(applicable.begin(), applicable.end());
  applicable.erase(std::unique(applicable.begin(), applicable.end()), applicable.end());
}

void RelationBreaker::ApplyTo(uint32_t shape, Worker& worker) {
  LabelTree& tree = worker.tree;
  ++worker.shapes_seen;
  tree.Load(*shapes_, shape, *label_of_);
  std::fill(worker.shape_slots.begin(), worker.shape_slots.end(), 0);
  for (uint32_t node = 0; node < tree.size(); ++node) {
    const uint32_t slot = any_slot_of_[tree.label(node)];
    if (slot != kNone) AddSlot(slot, worker.shape_slots.data());
  }
  ListApplicable(worker);
  const std::vector<uint32_t>& applicable = worker.applicable;
  // A label loses a relation only if it is moved, or if the other label of the relation is.
  for (const uint32_t number : applicable) {
    if (number >= broken_before_) {
      worker.moved_in[slot_of_[broken_[number].below]] = worker.shapes_seen;
    }
  }
  size_t next = 0;
  for (; next < applicable.size() && applicable[next] < broken_before_; ++next) {
    tree.Break(broken_[applicable[next]]);
  }
  ListPairs(worker);
  for (; next < applicable.size(); ++next) tree.Break(broken_[applicable[next]]);
  std::swap(worker.pairs, worker.pairs_before);
  ListPairs(worker);
  for (const Key key : worker.pairs_before) {
    if (worker.seen[key] != worker.looks) Lose(key, shape, worker);
  }
  if (options_->cost == CutCost::kRpd) rpd_[shape] = tree.Rpd();
}

ShapeSet& RelationBreaker::WeakenedSet(Key key) {
  ShapeSet* set = weakened_set_[key].load(std::memory_order_acquire);
  if (set != nullptr) return *set;
  const std::lock_guard lock(mutex_);
  set = weakened_set_[key].load(std::memory_order_relaxed);
  if (set != nullptr) return *set;
  weakened_sets_.push_back(*knowledge_.related(key / knowledge_.size(), key % knowledge_.size()));
  set = &weakened_sets_.back();
  weakened_set_[key].store(set, std::memory_order_release);
  return *set;
}

void RelationBreaker::Lose(Key key, uint32_t shape, Worker& worker) {
  const uint32_t weight = shapes_->weight(shape);
  // Shapes of one word are one worker's.
  WeakenedSet(key).words[shape / 64] &= ~(uint64_t{1} << (shape % 64));
  uint32_t& place = worker.place_of[key];
  if (place == kNone) {
    place = static_cast<uint32_t>(worker.weakened.size());
    worker.weakened.push_back(key);
    worker.records.push_back(0);
    worker.labels_with.resize(worker.weakened.size() * slot_words_, 0);
  }
  worker.records[place] += weight;
  uint64_t* const labels = &worker.labels_with[place * slot_words_];
  for (size_t i = 0; i < slot_words_; ++i) labels[i] |= worker.shape_slots[i];
}

void RelationBreaker::Gather() {
  for (Worker& worker : workers_) {
    for (uint32_t place = 0; place < worker.weakened.size(); ++place) {
      const Key key = worker.weakened[place];
      worker.place_of[key] = kNone;
      WeakenedSet(key).records -= worker.records[place];
      if (weakened_in_[key] != rounds_) {
        weakened_in_[key] = rounds_;
        weakened_place_[key] = static_cast<uint32_t>(weakened_.size());
        weakened_.push_back(key);
        labels_with_.resize(weakened_.size() * slot_words_, 0);
      }
      const uint64_t* const labels = &worker.labels_with[place * slot_words_];
      for (size_t i = 0; i < slot_words_; ++i) LabelsWith(key)[i] |= labels[i];
    }
    worker.weakened.clear();
    worker.records.clear();
    worker.labels_with.clear();
  }
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
    const ShapeSet& set = *knowledge_.related(above, below);
    for (size_t i = 0; i < set.words.size(); ++i) affected[i] |= set.words[i];
  }
  team_.ForShapes(shapes_->size(), [&](size_t number, uint32_t begin, uint32_t end) {
    Worker& worker = workers_[number];
    for (uint32_t at = begin / 64; at * 64 < end; ++at) {
      if (affected[at] == 0) continue;
      StopPoint();
      ForEachShapeOfWord(affected[at], at, [&](uint32_t shape) { ApplyTo(shape, worker); });
    }
  });
  Gather();
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
    knowledge_.Relate(a, b, weakened_set_[key]);
  }
  std::vector<std::vector<RareCombination>> found(weakened_.size());
  team_.For(weakened_.size(), 1, [&](size_t worker, size_t begin, size_t end) {
    RareCombinations& counter = counters_[worker];
    for (size_t i = begin; i < end; ++i) {
      StopPoint();
      const Key key = weakened_[i];
      const uint64_t* const labels = LabelsWith(key);
      for (uint32_t slot = 0; slot < knowledge_.size(); ++slot) {
        if ((labels[slot / 64] >> (slot % 64) & 1) != 0) {
          counter.Include(slot);
        } else {
          counter.Exclude(slot);
        }
      }
      counter.Find(knowledge_, {key / knowledge_.size(), key % knowledge_.size()}, true,
                   [&](const RareCombination& one) {
                     found[i].push_back(one);
                     return true;
                   });
    }
  });
  // Whatever the order, the next round begins with all of them sorted.
  for (std::vector<RareCombination>& of_key : found) {
    std::move(of_key.begin(), of_key.end(), std::back_inserter(rare));
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
