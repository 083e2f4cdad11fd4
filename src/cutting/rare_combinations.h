// Finds every combination of labels and relations that some, but too few records have.
//
// A combination is a set of at most m labels and a set of at most n relations between them; a record has it when it has
// every label and every relation somewhere. It is rare when 1 to k - 1 records have it (Definition 1 of Gkountouna et al.
// 2013). Labels are added one by one in ascending order; the records that have all labels so far are kept as a list, each
// with a mask of the relations between them, so that one pass over the list counts all relations of all labels that may
// come next. A combination that contains a rare one with the same labels or fewer is mostly passed over: nothing is gained
// by naming it, too.
//
//   RareCombinations search(label_space, {.k = 20, .m = 3, .n = 2});
//   search.Find(members, {label}, false, [&](const RareCombination& rare) { ...; return true; });
//
// Takes the place of ValueCheck and StructureCheck (Algorithms 1 and 2). One object per thread: it keeps its buffers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "cutting/label_graphs.h"

namespace thicket {

struct KnowledgeLimits {
  uint32_t k = 2;
  uint32_t m = 1;
  uint32_t n = 0;
};

// The most labels that an adversary may know: relations between them are bits of one word.
inline constexpr uint32_t kMostKnownLabels = 8;

struct RareCombination {
  // Ascending.
  std::vector<GraphLabel> labels;
  // Pairs of labels, each ascending, in ascending order.
  std::vector<std::pair<GraphLabel, GraphLabel>> relations;
  uint64_t support = 0;
};

class RareCombinations {
 public:
  // Returns false to stop the search.
  using Visitor = std::function<bool(const RareCombination&)>;

  // Labels are numbers below `label_space`.
  RareCombinations(size_t label_space, const KnowledgeLimits& limits);

  // Visits the rare combinations that contain all labels of `start` and no label that is excluded; with `related`, only
  // those that contain the relation between the two labels of `start`. Graphs that lack a label of `start` are passed
  // over. False if the visitor stopped it.
  bool Find(const std::vector<GraphRef>& members, const std::vector<GraphLabel>& start,
            bool related, const Visitor& visit);
  // Labels that no combination may contain, until they are included again.
  void Exclude(GraphLabel label) { excluded_[label] = 1; }
  void Include(GraphLabel label) { excluded_[label] = 0; }

 private:
  struct Entry {
    uint32_t member;
    // Which pairs of the labels so far are related.
    uint32_t mask;
    std::array<uint16_t, kMostKnownLabels> place;
  };
  struct Level {
    // Labels that may come next, with where their entries begin in `entries`.
    std::vector<GraphLabel> next;
    std::vector<size_t> first;
    std::vector<Entry> entries;
  };
  // Masks of up to this many pairs are counted in a table.
  static constexpr uint32_t kMostTableBits = 6;

  static constexpr uint32_t PairBit(uint32_t low, uint32_t high) {
    return high * (high - 1) / 2 + low;
  }
  bool Extend(const Entry* entries, size_t count, uint32_t depth, GraphLabel from);
  // The same for the last label, which needs no lists.
  bool ExtendLast(const Entry* entries, size_t count, uint32_t depth, GraphLabel from);
  bool ExtendTo(uint32_t depth, GraphLabel label, const Entry* entries, size_t count);
  // Looks at the relations among the labels so far; the histogram says how many records have which.
  bool CheckRelations(uint32_t depth);
  void CountMasks(const Entry* entries, size_t count);
  bool Report(uint32_t depth, uint32_t relations, uint64_t support);
  void ListRelationSets();
  std::pair<GraphLabel, GraphLabel> LabelsOf(uint32_t bit) const;

  KnowledgeLimits limits_;
  const GraphRef* members_ = nullptr;
  const Visitor* visit_ = nullptr;
  std::vector<uint8_t> excluded_;
  std::vector<GraphLabel> chosen_;
  // The relation that must be there, as a bit of the mask; 0 if none must.
  uint32_t needed_ = 0;
  std::vector<Entry> start_;
  std::vector<Level> levels_;
  // By label.
  std::vector<uint32_t> count_;
  std::vector<uint32_t> slot_;
  // By label and mask, for the last label.
  std::vector<uint32_t> table_;
  uint32_t table_bits_ = 0;
  // By number of labels: the sets of relations to look at, small ones first.
  std::vector<std::vector<uint32_t>> relation_sets_;
  std::vector<std::pair<uint32_t, uint64_t>> histogram_;
  // Rare sets of relations among the labels so far, by number of labels.
  std::vector<std::vector<uint32_t>> rare_;
};

}  // namespace thicket
