// Recall and sDist: what is left of the most frequent patterns of bags (Liu 2010, Section 5.5.2).
//
// Recall is the share of the terms of original patterns that some published pattern has, for each original pattern
// the one that has the most. sDist is how many steps a term of an original pattern is away from the published pattern
// that is nearest:
//
//   Recall = sum over O of max over A of |O and A| / sum over O of |O|
//   sDist  = sum over O of min over A of distance(O, A) / sum over O of |O|
//
//   const PatternKeeping kept = ComparePatterns(original, published, StepsFromTerms(pair), parallel);
//   kept.recall();
//
// The distance of two patterns is the least sum of steps over pairs of labels, as many pairs as the smaller pattern
// has labels; what is left of the larger one costs nothing (the first bipartite model of Section 5.2.2, with any two
// terms relevant). So a published pattern of one term is near every original pattern that has the term. A label of
// several terms is as far as the nearest of them. Terms that no path connects are one step further apart than any two
// that a path does.
//
// Steps are found once for each different term of the original patterns; pairs of patterns are compared as long as a
// bound leaves it open that they are nearest: 5,000 against 5,000 in about a second.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "record/bag_pair.h"
#include "taxonomy/semantic_network.h"
#include "utility/closed_patterns.h"

namespace thicket {

struct PatternKeeping {
  // How many patterns there are.
  uint64_t original = 0;
  uint64_t published = 0;
  // Over the original ones: their labels, those of them that are kept, and how many steps they are away.
  uint64_t terms = 0;
  uint64_t kept = 0;
  uint64_t steps = 0;

  // Nothing where there are no original patterns.
  std::optional<double> recall() const {
    if (terms == 0) return std::nullopt;
    return static_cast<double>(kept) / static_cast<double>(terms);
  }
  // Nothing where there are none on either side.
  std::optional<double> s_dist() const {
    if (terms == 0 || published == 0) return std::nullopt;
    return static_cast<double>(steps) / static_cast<double>(terms);
  }
};

inline constexpr uint32_t kNoPath = ~uint32_t{0};

// How many steps a term is away from each of these labels, or kNoPath; must allow to be called by several threads at
// once.
using StepsFrom =
    std::function<std::vector<uint32_t>(BagLabel term, std::span<const BagLabel> labels)>;

// By edges of the taxonomy; the pair must outlive it.
StepsFrom StepsFromTerms(const BagPair& pair);
// By links of the network; a word that is not in it has no path to any other. Both must outlive it.
StepsFrom StepsFromWords(const BagPair& pair, const SemanticNetwork& network);

PatternKeeping ComparePatterns(const std::vector<ClosedPattern>& original,
                               const std::vector<ClosedPattern>& published, const StepsFrom& steps,
                               Parallel& parallel);

}  // namespace thicket
