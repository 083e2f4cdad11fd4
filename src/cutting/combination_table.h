// How many records have each set of up to three labels, by which of the labels are related.
//
// A label has a slot, a small number that it keeps while cuts are specialized. Sets of slots are numbered so that new slots
// come last: a table grows without moving what is there. Of every set of three, x < y < z, there is one counter for each
// mask of relations: 1 is (x, y), 2 is (x, z), 4 is (y, z). Of every pair there are two counters.
//
//   CombinationTable table;
//   table.Grow(slots);
//   table.Add(graph, slot_of, weight);
//   table.triple(x, y, z)[mask];
//
// Memory is O(slots^3): 1 MB for 60 slots, 5 MB for 100.
#pragma once

#include <cstdint>
#include <vector>

#include "cutting/label_graphs.h"

namespace thicket {

class CombinationTable {
 public:
  // Beyond this many slots the table does not pay.
  static constexpr uint32_t kMostSlots = 160;

  uint32_t slots() const { return slots_; }
  // Sets with new slots are counted from 0.
  void Grow(uint32_t slots) {
    slots_ = slots;
    pairs_.resize(Pairs(slots) * 2, 0);
    triples_.resize(Triples(slots) * 8, 0);
  }
  // Slots ascend.
  static size_t PairNumber(uint32_t x, uint32_t y) { return Pairs(y) + x; }
  static size_t TripleNumber(uint32_t x, uint32_t y, uint32_t z) {
    return Triples(z) + Pairs(y) + x;
  }
  // The counts of the eight masks.
  const uint32_t* triple(size_t number) const { return &triples_[number * 8]; }
  // How many records have the related pair.
  uint32_t Related(uint32_t a, uint32_t b) const {
    return pairs_[(a < b ? PairNumber(a, b) : PairNumber(b, a)) * 2 + 1];
  }

  // The labels of a graph by slot.
  struct Slotted {
    std::vector<uint32_t> slot;
    // By place in `slot`: the place in the graph.
    std::vector<uint32_t> place;
  };
  static void Sort(const GraphRef& graph, const std::vector<uint32_t>& slot_of, Slotted& slotted);

  // Counts the sets of a graph whose highest slot is at least `from`.
  void Add(const GraphRef& graph, const Slotted& slotted, uint32_t weight, uint32_t from);
  // Moves records from one mask to another; slots ascend.
  void MovePair(uint32_t x, uint32_t y, uint32_t weight) {
    uint32_t* const counts = &pairs_[PairNumber(x, y) * 2];
    counts[1] -= weight;
    counts[0] += weight;
  }
  void MoveTriple(size_t number, uint32_t before, uint32_t after, uint32_t weight) {
    triples_[number * 8 + before] -= weight;
    triples_[number * 8 + after] += weight;
  }

 private:
  static size_t Pairs(size_t slots) { return slots < 2 ? 0 : slots * (slots - 1) / 2; }
  static size_t Triples(size_t slots) {
    return slots < 3 ? 0 : slots * (slots - 1) * (slots - 2) / 6;
  }

  uint32_t slots_ = 0;
  std::vector<uint32_t> pairs_;
  std::vector<uint32_t> triples_;
};

}  // namespace thicket
