// Breaks relations until no combination of labels and relations is rare: FixStructure of Gkountouna et al. 2013.
//
// The smallest rare combinations come first: fewest relations, then fewest labels. All of that size are settled in one
// round, in ascending order: of each that holds no broken relation yet, the relation with the least support is broken,
// of equals the first one. Then everything that holds a relation which lost records is counted again, and the next
// round begins, until nothing is rare. Relations of the record's root are never broken: they hold wherever both labels
// do, so breaking them hides nothing, and a rare combination always has another one.
//
// The paper's Algorithm 3 goes over all combinations once, which is not enough: a broken relation takes other relations
// with it, and combinations with these may become rare after the algorithm has looked at them.
//
//   RelationBreaker breaker(items, shapes, options);
//   BrokenRelations broken = breaker.Break(label_of, knowledge, rare);
//
// A round looks at the records that have one of the relations to break. What became rare in it had k records before, so all of its
// labels are in a record that lost one of its relations: only these labels are counted again with that relation, and those of
// combinations that were rare before. This finds every rare combination that has no rare one in itself, and no other is ever
// settled: the smaller one comes first, and takes a relation of the larger one with it.
//
// The threads of a team share the records of a round, and then the relations to count again. A breaker keeps its buffers.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "cutting/kmn/cut.h"
#include "cutting/kmn/cut_search.h"
#include "cutting/kmn/rare_combinations.h"
#include "cutting/kmn/shape_team.h"

namespace thicket {

class RelationBreaker {
 public:
  RelationBreaker(const ItemHierarchy& items, const Shapes& shapes, const CutSearchOptions& options,
                  const ShapeTeam& team);

  // `rare`: all rare combinations of the cut, each with relations, as they are while nothing is broken.
  BrokenRelations Break(const std::vector<Item>& label_of, const LabelKnowledge& knowledge,
                        std::vector<RareCombination> rare);
  // The shapes that the relations changed which the last call broke; ascending.
  const ShapeList& changed_shapes() const { return changed_shapes_; }
  // Of all relations of all records, the share that the last call broke.
  double broken_share() const { return broken_share_; }
  // The RPD of a changed shape, if cuts are measured by RPD.
  double rpd(uint32_t changed_shape) const { return rpd_[changed_shape]; }

 private:
  using Pair = std::pair<Item, Item>;
  // Two slots, as one number; the lower one first.
  using Key = uint32_t;

  void Begin(const std::vector<Item>& label_of, const LabelKnowledge& knowledge);
  Key KeyOf(uint32_t a, uint32_t b) const {
    return a < b ? a * knowledge_.size() + b : b * knowledge_.size() + a;
  }
  Key KeyOf(const Pair& pair) const { return KeyOf(slot_of_[pair.first], slot_of_[pair.second]); }
  Relation Directed(const Pair& pair) const;
  // How many records have the relation now.
  uint64_t Support(const Pair& pair) const;
  // The relations to break for the smallest combinations of `rare`, which is sorted.
  std::vector<Relation> Choose(const std::vector<RareCombination>& rare) const;
  void Apply(const std::vector<Relation>& chosen);
  // What a worker needs for itself.
  struct Worker {
    explicit Worker(const ItemHierarchy& items) : tree(items) {}

    LabelTree tree;
    // The numbers of the relations that are to be broken in the tree, ascending.
    std::vector<uint32_t> applicable;
    // The related pairs of one tree, and of the tree before breaking; and by key, the last look at a tree that had the pair.
    std::vector<Key> pairs;
    std::vector<Key> pairs_before;
    std::vector<uint64_t> seen;
    uint64_t looks = 0;
    // By slot: the last shape, counted from 1, in which the label moved.
    std::vector<uint32_t> moved_in;
    uint32_t shapes_seen = 0;
    // The labels of the shape, a bit per slot.
    std::vector<uint64_t> shape_slots;
    // Relations that lost records in this round; by place among them, how many records, and the labels of these; and by key, the
    // place, or kNone.
    std::vector<Key> weakened;
    std::vector<uint64_t> records;
    std::vector<uint64_t> labels_with;
    std::vector<uint32_t> place_of;
  };

  void Begin(Worker& worker) const;
  // Breaks relations in one shape, and notes which pairs are not related any more.
  void ApplyTo(uint32_t shape, Worker& worker);
  void ListApplicable(Worker& worker) const;
  // The pairs with a label that moves which are related in the tree.
  void ListPairs(Worker& worker) const;
  void Lose(Key key, uint32_t shape, Worker& worker);
  // The set of a relation without the shapes that lost it: a copy, which the first worker makes that needs it.
  ShapeSet& WeakenedSet(Key key);
  // Adds up what the workers found in this round.
  void Gather();
  // Drops combinations that hold a relation which lost records, and notes their labels: they are counted again.
  void DropWeakened(std::vector<RareCombination>& rare);
  // The labels to count again with a relation that lost records in this round, a bit per slot.
  uint64_t* LabelsWith(Key key) { return &labels_with_[weakened_place_[key] * slot_words_]; }
  void AddSlot(uint32_t slot, uint64_t* slots) const {
    slots[slot / 64] |= uint64_t{1} << (slot % 64);
  }
  // How many relations all records have.
  uint64_t CountRelations() const;
  // Finds what is rare now among the combinations with relations that lost records.
  void Recount(std::vector<RareCombination>& rare);

  static constexpr uint32_t kNone = ~uint32_t{0};
  const ItemHierarchy* items_;
  const Shapes* shapes_;
  const CutSearchOptions* options_;
  ShapeTeam team_;
  // By worker.
  std::vector<Worker> workers_;
  std::vector<RareCombinations> counters_;
  const std::vector<Item>* label_of_ = nullptr;
  // What is known with the relations that have been broken so far.
  LabelKnowledge knowledge_;
  // By label: its slot; in the first kNone for labels of the record's root.
  std::vector<uint32_t> slot_of_;
  std::vector<uint32_t> any_slot_of_;
  // The broken relations, in the order in which they are broken; how many of them were broken before this round; and by
  // key, one more than the number of the relation.
  std::vector<Relation> broken_;
  size_t broken_before_ = 0;
  std::vector<uint32_t> number_of_;
  // The shapes of relations that lost records; and by key, the relation's set among them, if there is one.
  std::mutex mutex_;
  std::deque<ShapeSet> weakened_sets_;
  std::vector<std::atomic<ShapeSet*>> weakened_set_;
  ShapeWords changed_;
  ShapeList changed_shapes_;
  // By shape: its RPD after breaking.
  std::vector<double> rpd_;
  double broken_share_ = 0;
  // Relations that lost records in this round; and by key, the last round in which one did, and its place among them.
  std::vector<Key> weakened_;
  std::vector<uint32_t> weakened_in_;
  std::vector<uint32_t> weakened_place_;
  // By place, the labels to count again, a bit per slot.
  std::vector<uint64_t> labels_with_;
  size_t slot_words_ = 0;
  uint32_t rounds_ = 0;
};

}  // namespace thicket
