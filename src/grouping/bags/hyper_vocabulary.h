// The terms that the bags of a class have in common: hyper terms, each of which holds one term of every member.
//
// A bag that joins is matched with the hyper terms, and what has no partner is left out, on both sides (Section 5.4.2
// of Liu 2010). A term is relevant to a hyper term if it is relevant to every term in it; the weight is the sum of the
// steps.
//
//   HyperVocabulary vocabulary(distances);
//   vocabulary.Start(bags.terms(0));
//   vocabulary.Join(bags.terms(1), matcher, omega);
//   vocabulary.Typical();      // the centre by majority: of each hyper term the term nearest to all of it
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grouping/bags/bag_matching.h"
#include "taxonomy/term_distances.h"

namespace thicket {

// By member of a class: its term, and which of its bag's occurrences that is.
struct HyperTerm {
  std::vector<uint32_t> terms = {};
  std::vector<uint32_t> places = {};
  // The term of least steps to the others, of equals the one that joined first.
  uint32_t typical = 0;
};

class HyperVocabulary {
 public:
  explicit HyperVocabulary(const TermDistances& distances) : distances_(&distances) {}

  // Of one bag.
  void Start(std::span<const uint32_t> terms);
  void Join(std::span<const uint32_t> terms, BagMatcher& matcher, std::optional<double> omega);
  // How far the bag is; weights are sums over the members.
  BagDistance Measure(std::span<const uint32_t> terms, BagMatcher& matcher,
                      std::optional<double> omega) const;

  uint64_t members() const { return members_; }
  const std::vector<HyperTerm>& hyper_terms() const { return hyper_; }
  std::vector<HyperTerm> TakeHyperTerms() && { return std::move(hyper_); }
  // By hyper term.
  std::vector<uint32_t> Typical() const;

 private:
  void FillTable(std::span<const uint32_t> terms, MatchingTable& table) const;
  void Add(size_t hyper, uint32_t term, uint32_t place);

  const TermDistances* distances_;
  uint64_t members_ = 0;
  std::vector<HyperTerm> hyper_;
  // By hyper term and member: the steps to all others.
  std::vector<std::vector<uint64_t>> steps_;
};

}  // namespace thicket
