// Sensitive values that may stand in a part of a class's records only, in whichever vertex: `anywhere` in the policy.
//
// l-diversity is about vertices that stand together. Two records with the diagnoses [HIV, flu] and [flu, HIV] are 2-diverse, and
// yet both have HIV (the conclusion of Ozalp et al. 2016 names this limit). For attributes with `anywhere: on` a value may
// stand in at most as many records of a class as it may stand in one vertex of it: 1/l of them, or the share of its level. A
// missing value is none.
//
// This is no matter of two vertices, but of a whole class, so it is kept in two steps: vertices are paired, and what is then too
// frequent is suppressed where that loses least (AnywherePruner; matching/merge.h says how). What remains is what a record really
// has in common with a class, so every search for the nearest record sees it. Limits grow with the class and add up, so a class keeps the
// promise when a record joins, when its final size is raised, and when equal classes are united.
//
//   AnywhereValues values(data);
//   AnywherePruner pruner;
//   if (!pruner.Prune(values, rule, class_size, tree)) Use(pruner.kept());
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "privacy/diversity.h"
#include "record/dataset.h"

namespace thicket {

// Numbers the values of all attributes with `anywhere: on`.
class AnywhereValues {
 public:
  AnywhereValues() = default;
  explicit AnywhereValues(const EncodedDataset& data);

  // Whether the policy has no such attribute.
  bool empty() const { return count_ == 0; }
  // Values have numbers below this.
  uint32_t count() const { return count_; }
  // In how many records of a class of this size the value may stand.
  int Limit(uint32_t number, const DiversityRule& rule, int class_size) const {
    return rule.HasLevels() ? rule.Capacity(bucket_of_number_[number], class_size)
                            : rule.MostRepeats(class_size);
  }
  // Calls use(number) for each value of the vertex.
  template <typename Use>
  void ForEach(Vertex v, const Use& use) const {
    const Forest& forest = data_->forest();
    for (const Attribute& attribute : attributes_[forest.class_of(v)]) {
      const uint32_t number = attribute.number_of_symbol[forest.value(v, attribute.slot)];
      if (number != kNoValue) use(number);
    }
  }

 private:
  struct Attribute {
    size_t slot;
    // kNoValue for what is missing, or means nothing.
    std::vector<uint32_t> number_of_symbol;
  };
  static constexpr uint32_t kNoValue = ~uint32_t{0};

  const EncodedDataset* data_ = nullptr;
  std::vector<std::vector<Attribute>> attributes_;  // by class
  std::vector<uint32_t> bucket_of_number_;
  uint32_t count_ = 0;
};

// Finds out which vertices of a class must be suppressed. One per thread.
//
// Greedily: the subtree next that takes most of what is too frequent away for what it is worth, the first of equals; then
// what turned out not to be in the way comes back. The root always stays: it is the only vertex of its kind in a record, so
// that its values are diverse over records when they are diverse in their vertex.
class AnywherePruner {
 public:
  // A class of records, in preorder of its positions.
  struct Tree {
    size_t members = 0;
    std::span<const Vertex> vertices;  // by position, then member
    std::span<const uint32_t> subtree_size;
    std::span<const Units> worth;  // by position, without what is below it
  };

  // True if all positions stay.
  bool Prune(const AnywhereValues& values, const DiversityRule& rule, int class_size,
             const Tree& tree);
  // By position, after Prune was false.
  const std::vector<bool>& kept() const { return kept_; }

 private:
  // A value in a record: where it stands is [begin, end) of places_.
  struct Holding {
    uint32_t value;  // index in excess_
    uint32_t begin;
    uint32_t end;
    uint32_t left = 0;  // of its places
  };
  struct Place {
    uint32_t number;
    uint32_t member;
    uint32_t position;
  };

  void Collect(const AnywhereValues& values, const Tree& tree);
  // Fills holdings_ and excess_; false if nothing is too frequent.
  bool FindExcess(const AnywhereValues& values, const DiversityRule& rule, int class_size);
  void IndexPositions(size_t positions);
  // The root of the subtree to suppress next.
  size_t Choose(const Tree& tree);
  void Drop(size_t position, const Tree& tree);
  void BringBack(const Tree& tree);

  std::vector<Place> places_;
  std::vector<Holding> holdings_;
  std::vector<int>
      excess_;  // by value: in how many records too many it stands; not above 0 if in none
  std::vector<uint32_t>
      of_place_;  // by position: the holdings there are [first_[p], first_[p + 1]) of it
  std::vector<uint32_t> first_;
  std::vector<bool> kept_;
  std::vector<int64_t> credit_;  // by position
  std::vector<Units> worth_;     // by position, with what is below it
};

}  // namespace thicket
