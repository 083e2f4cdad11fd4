// The relations of a specialized label's children with all other labels of the cut, found in one pass over the shapes.
//
//   ChildRelations relations(items, shapes, known);
//   relations.Find(specialized, all);            // in all shapes that have the specialized label
//   relations.knowledge();                       // of the specialized cut
//
// O(nodes of the listed shapes * depth), and less for what is known already (known_shapes.h), shared by the threads of a team. The object keeps its buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cutting/kmn/cut.h"
#include "cutting/kmn/known_shapes.h"
#include "cutting/kmn/shape_team.h"

namespace thicket {

class ChildRelations {
 public:
  // Without `known` everything is found out anew.
  ChildRelations(const ItemHierarchy& items, const Shapes& shapes, KnownShapes* known,
                 const ShapeTeam& team);

  // Finds all relations of the children in the shapes of the list, which has every shape with the specialized label; without a list
  // only labels are known afterwards.
  void Find(const SpecializedCut& cut, const ShapeList* list);
  // Finds them in a list that has every shape with the specialized label and one of `others`. Whether those with all other labels are
  // known everywhere, too.
  bool FindWith(std::span<const Item> others, const SpecializedCut& cut, const ShapeList& list);
  // All labels of the cut that are not left out, the children last; valid until the next Find. Relations of children
  // are known in the shapes that were looked at.
  const LabelKnowledge& knowledge() const { return knowledge_; }
  uint32_t slot_of(Item label) const { return slot_of_[label]; }
  // Hands the relations that were found over to the cut.
  void MoveTo(Cut& cut);

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // Lists the slots whose relations are to be looked for, after those that are known.
  void AddKnown(const SpecializedCut& cut);
  // What is known of a slot; false if something that is not known is to be looked for.
  bool AddKnownOf(const SpecializedCut& cut, uint32_t slot);
  void LookForMissing(const SpecializedCut& cut, const ShapeList& list);
  // Keeps what was found of a slot, for other cuts.
  void Keep(const SpecializedCut& cut, uint32_t slot);
  void AddLabels(const SpecializedCut& cut);
  void Look(const SpecializedCut& cut, uint32_t shape, std::vector<uint64_t>& records);
  // Notes that labels are related in a shape; `place` is where those with the first slot begin in `found_`.
  void Note(size_t place, Item other, uint32_t shape, std::vector<uint64_t>& records) {
    const uint32_t slot = slot_of_item_[other];
    if (slot == kNone) return;
    uint64_t& word = found_[place + slot].words[shape / 64];
    const uint64_t bit = uint64_t{1} << (shape % 64);
    if ((word & bit) != 0) return;
    word |= bit;
    records[place + slot] += shapes_->weight(shape);
  }

  const ItemHierarchy* items_;
  const Shapes* shapes_;
  LabelKnowledge knowledge_;
  // By label: its slot.
  std::vector<uint32_t> slot_of_;
  // By item: the slot of its label, if relations with that label are kept.
  std::vector<uint32_t> slot_of_item_;
  KnownShapes* known_;
  // By child and slot: the shapes in which the two labels are related, here or where others share them.
  std::vector<ShapeSet> found_;
  std::vector<std::shared_ptr<const ShapeSet>> shared_;
  std::vector<uint32_t> missing_;
  ShapeTeam team_;
  // By worker, and by place in `found_`: how many records the shapes have that the worker added.
  std::vector<std::vector<uint64_t>> records_;
  uint32_t first_child_ = 0;
};

}  // namespace thicket
