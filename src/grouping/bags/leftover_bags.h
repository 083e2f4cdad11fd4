// The second phase of SSG: a bag that is left joins the class whose centre is nearest, and changes the centre
// (Algorithm 5.1 of Liu 2010, lines 8 to 10).
//
//   LeftoverBags leftovers(distances, options, vocabularies, parallel);
//   const size_t joined = leftovers.Add(terms);
//
// Leftovers are few: fewer than k, or bags of fewer than k owners. For each of them all classes are bounded by how near
// their typical terms are to any term of the bag, and compared from the best chance down. Weights to hyper terms are
// sums over the members, so that classes of different size are compared by the mean: then an unmatched term costs omega
// in each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "grouping/bags/bag_matching.h"
#include "grouping/bags/hyper_vocabulary.h"
#include "taxonomy/term_distances.h"

namespace thicket {

struct SsgOptions;

class LeftoverBags {
 public:
  // The vocabularies of the classes, of which there is at least one if anything is added.
  LeftoverBags(const TermDistances& distances, const SsgOptions& options,
               std::vector<HyperVocabulary>& vocabularies, Parallel& parallel);

  // Which class the bag joined: of equally near ones the first.
  size_t Add(std::span<const uint32_t> terms);
  // How many classes had their terms matched with a bag's.
  uint64_t compared() const { return compared_; }

 private:
  using Cost = BagCosts::Cost;
  // A cost in all members.
  struct Shared;

  // Not above the mean cost.
  Cost BoundOf(std::span<const uint32_t> terms, size_t number) const;
  Shared Measure(std::span<const uint32_t> terms, size_t number);

  const TermDistances* distances_;
  const SsgOptions* options_;
  std::vector<HyperVocabulary>* vocabularies_;
  Parallel* parallel_;
  BagCosts costs_;
  BagMatcher matcher_;
  MatchingTable table_;
  // By term: the steps to the nearest term of the bag.
  std::vector<uint32_t> steps_to_bag_;
  // Bounds and classes.
  std::vector<std::pair<Cost, size_t>> chances_;
  uint64_t compared_ = 0;
};

}  // namespace thicket
