#include "cutting/kmn/child_relations.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/stop.h"

namespace thicket {

ChildRelations::ChildRelations(const ItemHierarchy& items, const Shapes& shapes, KnownShapes* known,
                               const ShapeTeam& team)
    : items_(&items),
      shapes_(&shapes),
      slot_of_(items.size(), kNone),
      slot_of_item_(items.size(), kNone),
      known_(known),
      team_(team),
      records_(team.workers()) {}

void ChildRelations::AddLabels(const SpecializedCut& cut) {
  std::vector<Item> labels;
  for (const Item label : cut.cut->labels) {
    if (label != cut.specialized && !items_->is_left_out(label)) labels.push_back(label);
  }
  first_child_ = static_cast<uint32_t>(labels.size());
  for (const auto& [child, shapes] : cut.children) labels.push_back(child);
  std::fill(slot_of_.begin(), slot_of_.end(), kNone);
  for (uint32_t slot = 0; slot < labels.size(); ++slot) slot_of_[labels[slot]] = slot;
  knowledge_ = LabelKnowledge(std::move(labels));
  for (uint32_t slot = 0; slot < first_child_; ++slot) {
    knowledge_.SetShapes(slot, cut.cut->shapes_of[knowledge_.label(slot)]->set);
  }
  uint32_t next = first_child_;
  for (const auto& [child, shapes] : cut.children) knowledge_.SetShapes(next++, shapes->set);
  for (const auto& [pair, set] : cut.cut->related) {
    StopPoint();
    if (slot_of_[pair.first] == kNone || slot_of_[pair.second] == kNone) continue;
    knowledge_.Relate(slot_of_[pair.first], slot_of_[pair.second], set.get());
  }
}

void ChildRelations::Look(const SpecializedCut& cut, uint32_t shape,
                          std::vector<uint64_t>& records) {
  const uint32_t end = shapes_->end(shape);
  for (uint32_t node = shapes_->first(shape); node < end; ++node) {
    const Item label = cut.label_of[shapes_->item(node)];
    const uint32_t slot = slot_of_[label];
    if (slot == kNone || slot < first_child_) continue;
    const size_t place = size_t{slot - first_child_} * knowledge_.size();
    for (uint32_t above = shapes_->parent(node); above != Shapes::kNoParent;
         above = shapes_->parent(above)) {
      Note(place, shapes_->item(above), shape, records);
    }
    for (uint32_t below = node + 1; below < end && shapes_->parent(below) != Shapes::kNoParent &&
                                    shapes_->parent(below) >= node;
         ++below) {
      Note(place, shapes_->item(below), shape, records);
    }
  }
}

bool ChildRelations::AddKnownOf(const SpecializedCut& cut, uint32_t slot) {
  const uint32_t own = items_->attribute_of(cut.specialized);
  const uint32_t other = items_->attribute_of(knowledge_.label(slot));
  const size_t words = ShapeWordCount(shapes_->size());
  const bool may_relate = slot < first_child_ && !items_->IsOfRoot(other) &&
                          (items_->MayStandBelow(own, other) || items_->MayStandBelow(other, own));
  bool is_known = may_relate && known_ != nullptr;
  for (size_t child = 0; child < cut.children.size(); ++child) {
    const size_t place = child * knowledge_.size() + slot;
    ShapeSet& found = found_[place];
    found.records = 0;
    found.words.clear();
    if (!is_known) continue;
    const KnownShapes::Related* const related =
        known_->FindRelated(cut.children[child].first, knowledge_.label(slot));
    is_known = related != nullptr;
    if (related == nullptr) continue;
    shared_[place] = related->set;
    if (!related->set && related->records > 0) related->Fill(found, words);
  }
  if (is_known || !may_relate) return true;
  for (size_t child = 0; child < cut.children.size(); ++child) {
    const size_t place = child * knowledge_.size() + slot;
    shared_[place] = nullptr;
    found_[place].records = 0;
    found_[place].words.assign(words, 0);
  }
  return false;
}

void ChildRelations::AddKnown(const SpecializedCut& cut) {
  const uint32_t slots = knowledge_.size();
  found_.resize(cut.children.size() * slots);
  shared_.assign(found_.size(), nullptr);
  std::vector<uint8_t> is_known(slots, 0);
  team_.For(slots, 1, [&](size_t, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; ++slot) {
      StopPoint();
      is_known[slot] = AddKnownOf(cut, static_cast<uint32_t>(slot)) ? 1 : 0;
    }
  });
  missing_.clear();
  for (uint32_t slot = 0; slot < slots; ++slot) {
    if (is_known[slot] == 0) missing_.push_back(slot);
  }
}

void ChildRelations::LookForMissing(const SpecializedCut& cut, const ShapeList& list) {
  const uint32_t slots = knowledge_.size();
  if (!missing_.empty()) {
    std::vector<bool> is_missing(slots, false);
    for (const uint32_t slot : missing_) is_missing[slot] = true;
    for (Item item = 0; item < items_->size(); ++item) {
      const uint32_t slot = slot_of_[cut.label_of[item]];
      slot_of_item_[item] = slot != kNone && is_missing[slot] ? slot : kNone;
    }
    for (std::vector<uint64_t>& records : records_) records.assign(found_.size(), 0);
    team_.ForList(list, [&](size_t worker, uint32_t shape) {
      StopPoint();
      Look(cut, shape, records_[worker]);
    });
    for (const std::vector<uint64_t>& records : records_) {
      for (size_t i = 0; i < found_.size(); ++i) found_[i].records += records[i];
    }
  }
  for (size_t i = 0; i < found_.size(); ++i) {
    const auto child = static_cast<uint32_t>(i / slots);
    knowledge_.Relate(first_child_ + child, static_cast<uint32_t>(i % slots),
                      shared_[i] ? shared_[i].get() : &found_[i]);
  }
}

void ChildRelations::Keep(const SpecializedCut& cut, uint32_t slot) {
  if (known_ == nullptr) return;
  for (size_t child = 0; child < cut.children.size(); ++child) {
    known_->KeepRelated(cut.children[child].first, knowledge_.label(slot),
                        found_[child * knowledge_.size() + slot]);
  }
}

void ChildRelations::Find(const SpecializedCut& cut, const ShapeList* list) {
  AddLabels(cut);
  if (list == nullptr || items_->IsOfRoot(items_->attribute_of(cut.specialized))) {
    found_.clear();
    return;
  }
  AddKnown(cut);
  LookForMissing(cut, *list);
  team_.For(missing_.size(), 1, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) Keep(cut, missing_[i]);
  });
}

bool ChildRelations::FindWith(std::span<const Item> others, const SpecializedCut& cut,
                              const ShapeList& list) {
  AddLabels(cut);
  if (items_->IsOfRoot(items_->attribute_of(cut.specialized))) {
    found_.clear();
    return true;
  }
  AddKnown(cut);
  LookForMissing(cut, list);
  size_t kept = 0;
  for (const uint32_t slot : missing_) {
    if (std::find(others.begin(), others.end(), knowledge_.label(slot)) == others.end()) continue;
    Keep(cut, slot);
    ++kept;
  }
  return kept == missing_.size();
}

void ChildRelations::MoveTo(Cut& cut) {
  const uint32_t slots = knowledge_.size();
  for (size_t i = 0; i < found_.size(); ++i) {
    if (!shared_[i] && found_[i].records == 0) continue;
    const Item child = knowledge_.label(first_child_ + static_cast<uint32_t>(i / slots));
    const Item other = knowledge_.label(static_cast<uint32_t>(i % slots));
    cut.related[{std::min(child, other), std::max(child, other)}] =
        shared_[i] ? shared_[i] : std::make_shared<const ShapeSet>(std::move(found_[i]));
  }
}

}  // namespace thicket
