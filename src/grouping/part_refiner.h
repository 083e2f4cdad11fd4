// Improves a part of the classes of a grouping, by itself: what a round of refining (grouping/refine.h) does on one thread.
//
// Exchange: one record leaves each class, and all of them are given out again at the least total loss. A class without one member is
// a hole; what the class costs with each of the records that left (and of those that are suppressed so far) in the hole is a row of
// an assignment problem, whose solution is the best of all permutations at once: swaps, and cycles over any number of classes. All
// costs are sums over holes, less the number of records times the similarity (matching/merge.h), so the greatest total similarity
// is the least loss. Only the records with the best chances in a hole, by an upper bound of their similarity, are compared with it.
// Where classes may lose something by lot, an exchange leads out of arrangements that no exchange makes better.
//
// Move: a suppressed record, or one of a class that can spare it, goes to the class where it costs least.
// Dissolve: all records of a class go where they cost least, if that costs less than the class did.
// Split: a class that is large enough for two is taken apart.
// Redivide: a class and the one nearest to it are put together and taken apart anew, around a record drawn by lot. Where
// bounds are similarities (ClassColumns::exact()): with trees that saves nothing that an exchange does not (2,000 students, refined: LM 0.3265 without,
// 0.3271 with).
// Gather: a new class is grown around a record drawn by lot from those that classes can spare. There, too, bounds must be similarities.
//
//   PartRefiner refiner(model, options);                         // one per thread
//   refiner.Run(classes, suppressed, random);                    // the sum of the costs falls, or everything stays
//
// The classes keep the promise at every step. With c classes in the part, O(c^2) bounds and O(c) comparisons of trees. The threads of
// an exchange fill holes, and change nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "grouping/child_bound.h"
#include "grouping/class_columns.h"
#include "matching/linear_assignment.h"
#include "matching/merge.h"

namespace thicket {

// The class of these records, taken in in their order and allowed to stand together in a class of `class_size`; nothing
// if the roots of some may not.
std::optional<Representative> BuildClass(const TreeModel& model, Merger& merger,
                                         std::span<const RecordId> records, int class_size);

// A class, and what is known of its holes, by the member that leaves. A class that changes is a new one, of which nothing is known.
class RefinedClass {
 public:
  // A record that may fit a hole, and how similar it is to the rest of the class.
  struct Chance {
    RecordId record;
    Units similarity;  // kUnknown as long as nobody has asked
    bool operator<(const Chance& other) const { return record < other.record; }
  };
  static constexpr Units kUnknown = -1;
  struct Hole {
    bool made = false;
    std::optional<Representative> tree;  // the rest of the class, if its roots may stand together
    // By record: those who were compared with the hole, or where everybody is listed, all who have a chance.
    std::vector<Chance> chances;
    bool lists_everybody = false;
  };

  RefinedClass() = default;
  explicit RefinedClass(Representative tree) : tree_(std::move(tree)) {}
  const Representative& tree() const { return tree_; }
  Hole& hole(size_t member) {
    holes_.resize(tree_.member_count());
    return holes_[member];
  }
  // Keeps what was compared, and not the trees.
  void CloseHoles() {
    for (Hole& hole : holes_) {
      hole.tree.reset();
      hole.made = false;
    }
  }
  void Forget() { holes_.clear(); }

 private:
  Representative tree_;
  std::vector<Hole> holes_;
};

struct PartRefinerOptions {
  // How many records a class needs at least.
  int class_size = 2;
  Mapping mapping = Mapping::kLsap;
  // How many records are compared with a hole (0: nothing is exchanged), and with how many classes a record that moves.
  size_t chances = 32;
  size_t offers = 8;
  // A closer bound for deep trees; none where it is null or not active.
  const ChildBound* child_bound = nullptr;
  // All records, each at its own place, where the part is the whole: then everybody is held against a hole once, and not those who
  // leave in each round.
  const ClassColumns* everybody = nullptr;
};

class PartRefiner {
 public:
  PartRefiner(const TreeModel& model, const PartRefinerOptions& options);

  // Classes that are gone stand there without records afterwards, new ones at the end; of the suppressed records those that found
  // no class.
  // With `warmth` the loss may rise: a class is content to lose up to so many 65,536ths of what its members have in common, as drawn
  // by lot.
  void Exchange(std::vector<RefinedClass>& classes, std::vector<RecordId>& suppressed,
                Random& random, Parallel& parallel, Units warmth = 0);
  void Move(std::vector<RefinedClass>& classes, std::vector<RecordId>& suppressed, Random& random);
  void Dissolve(std::vector<RefinedClass>& classes);
  void Split(std::vector<RefinedClass>& classes);
  void Redivide(std::vector<RefinedClass>& classes, Random& random);
  void Gather(std::vector<RefinedClass>& classes, Random& random);
  // Builds the class in other orders of its members, and keeps the best: whom a record is paired with depends on who came
  // before it.
  void PairAgain(RefinedClass& group);

 private:
  // What a thread needs to fill holes.
  struct Filler {
    Filler(const TreeModel& model, const ClassColumns& columns, Mapping mapping)
        : merger(model, {.mapping = mapping, .cost = MergeCost::kWeighted}), probe(columns) {}
    Merger merger;
    ClassProbe probe;
    ChildBound::Loaded children;
    std::vector<std::pair<Units, Place>> chances;
  };

  void ChooseLeaving(const std::vector<RefinedClass>& classes, Random& random, Units warmth);
  void FillRow(Filler& filler, RefinedClass& group, size_t hole);
  // Who has a chance in the hole, of those who stand in the columns; not more than so many, those with the best chances.
  void FindChances(Filler& filler, const Representative& rest, Units need, size_t most);
  Units SimilarityTo(Filler& filler, const Representative& rest, RecordId record, Units need);
  // Carries out the exchanges along one path or cycle that begins at `first`, if the loss falls.
  void Apply(std::vector<RefinedClass>& classes, std::vector<RecordId>& suppressed, size_t first);
  // Puts the record into the class where it costs least, if that is less than `most`; which class that was, and what it costs.
  struct Placed {
    size_t index;
    Units added;
    Representative grown;
  };
  std::optional<Placed> FindPlace(const std::vector<RefinedClass>& classes, RecordId record,
                                  size_t except, Units most);
  Representative Joined(const Representative& group, RecordId record, int class_size);
  // The class with which the one at `place`, whose tree is loaded, loses least when the two are united.
  size_t Nearest(Place place);
  // Records that classes of more than the least size can spare, each with what its class would cost less without it.
  struct Spare {
    RecordId record;
    size_t index;  // of its class
    Units saved;
  };
  void ListSpares(const std::vector<RefinedClass>& classes);
  void ListSparesOf(const Representative& tree, size_t index);
  // The places in `spares_` of those that a class around the first place takes in; none if it cannot be filled.
  std::vector<Place> GatherAround(const std::vector<RefinedClass>& classes, Place first,
                                  Representative& grown);
  // Takes the records out of their classes, to which the new one is added, if that lowers the loss.
  bool TakeOut(std::vector<RefinedClass>& classes, const std::vector<Place>& places,
               Representative grown);
  // A class of the least size around the first record, taken out of `left`.
  std::optional<Representative> GrowFrom(std::vector<RecordId>& left);
  size_t LeastSize() const { return static_cast<size_t>(options_.class_size); }

  static constexpr size_t kNobody = ~size_t{0};

  const TreeModel* model_;
  PartRefinerOptions options_;
  Merger merger_;
  ClassColumns columns_;
  ClassProbe probe_;
  AssignmentSolver<int64_t> solver_;
  std::vector<std::unique_ptr<Filler>> fillers_;  // by thread
  std::vector<size_t> leaving_;                   // by class: the member that leaves
  std::vector<Units> indulgence_;                 // by class: what it may lose
  std::vector<RecordId> records_;                 // that leave, by hole; then the suppressed ones
  std::vector<size_t>
      column_of_;  // by record, where everybody is listed: its place among those that leave, or kNobody
  std::vector<int64_t> gains_;  // by hole, then record
  std::vector<size_t> taker_;   // by record: the hole that takes it, or kNobody
  std::vector<bool> done_;      // by hole
  std::vector<std::pair<Units, Place>> chances_;
  std::vector<VertexPair> pairs_;
  // Classes of the last members of a class, and what is held against them.
  ClassColumns after_;
  ClassProbe before_probe_;
  std::vector<Spare> spares_;     // by place
  std::vector<size_t> can_give_;  // by class: how many more
};

}  // namespace thicket
