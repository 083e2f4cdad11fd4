// Classes in the making, laid out so that one of them can be held against many: what scanning needs of a representative
// without touching it.
//
// A class has a place, which stays its own while it grows. Of two classes the similarity (matching/representative_merge.h) is bounded
// from above: the roots' labels exactly, and below them, as grouping/similarity_bound.h does for records, by counts of
// vertices at labels and at their ancestors, of which two classes can have no more pairs than the smaller count.
//
//   ClassColumns columns(model, class_size);
//   const Place place = columns.Add(Representative::Of(model, record, class_size));
//   ClassProbe probe(columns);                     // one per thread
//   probe.Load(representative);
//   Units most = probe.Most(place);                // about 60 ns for classes of 40 vertices
//
// Where records are single vertices, the bound is the similarity.
#pragma once

#include <cstdint>
#include <vector>

#include "grouping/label_nodes.h"
#include "matching/representative.h"
#include "matching/tree_model.h"

namespace thicket {

using Place = uint32_t;

// The size of a class so large that no sensitive value is full.
inline constexpr int kOpenSize = 1 << 30;

class ClassColumns {
 public:
  // `class_size`: the size that classes are to have in the end, at least.
  ClassColumns(const TreeModel& model, int class_size);

  // A class at a new place.
  Place Add(const Representative& group);
  // The class has become another one.
  void Replace(Place place, const Representative& group);
  // No class at all.
  void Clear();
  void Remove(Place place) { size_[place] = 0; }

  size_t places() const { return size_.size(); }
  bool Contains(Place place) const { return size_[place] > 0; }
  // How many records the class has; 0 where there is none.
  uint32_t size(Place place) const { return size_[place]; }
  // What each of its records keeps.
  Units kept(Place place) const { return kept_[place]; }
  int class_size() const { return class_size_; }
  const TreeModel& model() const { return *model_; }
  // Whether bounds are similarities.
  bool exact() const { return exact_; }

 private:
  friend class ClassProbe;

  // A label at or below which the class has vertices.
  struct Entry {
    static constexpr uint32_t kNoBit = 64;
    uint32_t node;
    uint32_t bit : 7;  // of the only sensitive value of the only vertex there; kNoBit otherwise
    uint32_t count : 25;
  };

  void WriteRoot(Place place, const Representative& group);
  void AppendEntries(const Representative& group);
  // Closes the gaps that replaced classes left behind.
  void CloseEntries();

  const TreeModel* model_;
  int class_size_;
  bool flat_;
  bool exact_;
  LabelNodes nodes_;
  size_t slots_;       // of the root
  size_t attributes_;  // sensitive ones of the root
  // By slot, then node, then node: what the label above both loses; empty where there are too many nodes.
  std::vector<std::vector<int32_t>> pair_loss_;
  std::vector<uint32_t> size_;
  std::vector<Units> kept_;
  std::vector<Label> root_labels_;  // by place, then slot
  std::vector<uint64_t> present_;   // by place, then attribute: the values that stand at the root
  std::vector<uint64_t> first_entry_;
  std::vector<uint32_t> entry_count_;
  std::vector<Entry> entries_;
  uint64_t live_entries_ = 0;
  struct Seen {
    uint32_t node;
    uint32_t bit;
  };
  std::vector<Seen> seen_;
  std::vector<uint32_t> deciders_;
};

// A representative that places are held against.
class ClassProbe {
 public:
  explicit ClassProbe(const ClassColumns& columns);

  // The representative must stay as it is while it is loaded.
  void Load(const Representative& group);
  // At least the similarity to the class at the place, at most what that class or the loaded one keeps; 0 where the roots may not
  // stand together.
  Units Most(Place place) const;

 private:
  struct NodeState {
    uint32_t count = 0;
    int32_t gain = 0;
    uint64_t full = 0;
  };
  void LoadRoot();
  Units RootSimilarity(Place place) const;
  bool RootsMayMeet(Place place) const;

  const ClassColumns* columns_;
  const Representative* group_ = nullptr;
  std::vector<NodeState> nodes_;
  std::vector<uint32_t> touched_;
  std::vector<uint32_t> deciders_;
  std::vector<const int32_t*>
      rows_;  // by slot: what the root's label loses with any other; or null
  std::vector<uint64_t> full_;
};

}  // namespace thicket
