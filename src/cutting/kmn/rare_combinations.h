// Finds every combination of labels and relations that some, but too few records have.
//
// A combination is a set of at most m labels and a set of at most n relations between them; a record has it when it has
// every label and every relation somewhere. It is rare when 1 to k - 1 records have it (Definition 1 of Gkountouna et
// al. 2013). Labels are added one by one; the shapes that have all labels so far are kept as the words of a bitmap that
// are not empty. What has k records is found out after k of them, wherever these are, so the time grows with k and the
// number of combinations more than with the number of records. A combination that contains a rare one with the same
// labels or fewer is passed over: nothing is gained by naming the larger one, too.
//
//   RareCombinations search(shapes, {.k = 20, .m = 3, .n = 2});
//   search.Find(knowledge, {slot}, false, [&](const RareCombination& rare) { ...; return true; });
//
// Takes the place of ValueCheck and StructureCheck (Algorithms 1 and 2). One object per thread, since the
// object keeps its buffers.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "cutting/kmn/label_knowledge.h"
#include "cutting/kmn/shape_words.h"
#include "cutting/kmn/shapes.h"

namespace thicket {

struct RareCombination {
  // In ascending order.
  std::vector<Item> labels;
  // Pairs of labels, each ascending, in ascending order.
  std::vector<std::pair<Item, Item>> relations;
  uint64_t support = 0;
};

class RareCombinations {
 public:
  // Returns false to stop the search.
  using Visitor = std::function<bool(const RareCombination&)>;

  // Asked now and then whether the search is to end, from any thread; there may be none.
  using Stop = std::function<bool()>;

  RareCombinations(const Shapes& shapes, const KnowledgeLimits& limits, Stop must_stop = {});

  // Visits the rare combinations that contain the labels of all slots of `start` and none that is excluded; with
  // `related`, only combinations that contain the relation between the two labels of `start`. False if the visitor or
  // the caller's Stop ended the search.
  bool Find(const LabelKnowledge& knowledge, const std::vector<uint32_t>& start, bool related,
            const Visitor& visit);
  // A part of that for a single label: combinations in which the lowest slot beside `start` is in [first, last). All parts together
  // visit what Find() visits, but for the label by itself.
  bool FindPart(const LabelKnowledge& knowledge, uint32_t start, uint32_t first, uint32_t last,
                const Visitor& visit);
  // No combination that is visited contains the label of an excluded slot, until the slot is included again.
  void Exclude(uint32_t slot) {
    if (excluded_.size() <= slot) excluded_.resize(slot + size_t{1}, 0);
    excluded_[slot] = 1;
  }
  void Include(uint32_t slot) {
    if (slot < excluded_.size()) excluded_[slot] = 0;
  }

 private:
  using Words = std::vector<ShapeWord>;
  struct Weights {
    const Shapes* shapes;
    bool one_each;
    uint64_t of(size_t shape) const { return shapes->weight(shape); }
  };

  static constexpr uint32_t PairBit(uint32_t low, uint32_t high) {
    return high * (high - 1) / 2 + low;
  }
  void ListRelationSets();
  // The records of the shapes that are in `base` and in all of `also_in_`; k or more if there are that many.
  uint64_t Count(const Words& base) const;
  // Lists the shapes that have the labels of `start`, or the relation between them, and notes what combinations of these labels alone
  // are rare. Whether combinations with more labels are to be looked at; `done` is false if the visitor ended the search.
  bool Begin(const LabelKnowledge& knowledge, const std::vector<uint32_t>& start, bool related,
             const Visitor& visit, bool& done);
  // Adds labels from a slot on, up to the slot `end`.
  bool Extend(uint32_t depth, uint32_t from, uint32_t end);
  bool ExtendTo(uint32_t depth, uint32_t slot);
  // Notes which relations there may be between the last label and those before it.
  void NotePairs(uint32_t depth);
  // Looks at the relations among the labels so far, in the shapes of `base` that also have `last`, if that is given.
  bool CheckRelations(uint32_t depth, const Words& base, const ShapeSet* last);
  bool Report(uint32_t depth, uint32_t relations, uint64_t support) const;
  std::pair<Item, Item> LabelsOf(uint32_t bit) const;

  // A look at the clock for so many labels that are added.
  static constexpr uint32_t kLooks = 4096;

  Weights weights_;
  KnowledgeLimits limits_;
  Stop must_stop_;
  uint32_t added_ = 0;
  const LabelKnowledge* knowledge_ = nullptr;
  const Visitor* visit_ = nullptr;
  std::vector<uint8_t> excluded_;
  std::vector<uint32_t> chosen_;
  // The relation that must be there, as a bit of the mask; 0 if none must.
  uint32_t needed_ = 0;
  // By number of labels: the shapes that have them all.
  std::vector<Words> words_;
  // By pair of the labels so far: the shapes in which they are related.
  std::vector<const ShapeSet*> pairs_;
  // By number of labels: which pairs are related somewhere; and sets of relations that too few records have, or none.
  std::vector<uint32_t> possible_;
  std::vector<std::vector<uint32_t>> passed_over_;
  // By number of labels: the sets of relations to look at, small ones first.
  std::vector<std::vector<uint32_t>> relation_sets_;
  std::vector<const uint64_t*> also_in_;
};

}  // namespace thicket
