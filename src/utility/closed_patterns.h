// The n most frequent closed patterns of bags (Han et al. 2002), for Recall and sDist of Liu 2010, Section 5.5.2.
//
// A pattern is a set of labels that a bag supports if it has all of them, however often. It is closed if no larger
// pattern has the same support. Frequent are those that at least two bags support, the n best first: by support, then
// fewer labels first, then by the numbers of the labels, so that the n-th is the same in every run and whatever the
// order of the bags.
//
//   for (const ClosedPattern& pattern : MineClosedPatterns(bags, {.count = 1000}, parallel)) pattern.support;
//
// Closed patterns are walked through without a duplicate (prefix-preserving closure extensions, Uno et al. 2004),
// frequent labels first, while the support that a pattern needs rises with what has been found. It begins at the
// support of the n-th closed pattern around a single label: labels that are rarer are gone before anything is
// counted, and then equal bags are one. 400,000 bags of three labels take less than a second for n = 1000.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "record/bag_pair.h"

namespace thicket {

struct ClosedPattern {
  // Ascending.
  std::vector<BagLabel> labels;
  uint64_t support = 0;

  friend bool operator==(const ClosedPattern&, const ClosedPattern&) = default;
  // Whether a comes before b.
  friend bool operator<(const ClosedPattern& a, const ClosedPattern& b) {
    if (a.support != b.support) return a.support > b.support;
    if (a.labels.size() != b.labels.size()) return a.labels.size() < b.labels.size();
    return a.labels < b.labels;
  }
};

struct ClosedPatternOptions {
  size_t count = 1000;
  // A pattern that is in fewer bags is not frequent.
  uint64_t least_support = 2;
};

// In their order; fewer if there are fewer.
std::vector<ClosedPattern> MineClosedPatterns(const LabelBags& bags,
                                              const ClosedPatternOptions& options,
                                              Parallel& parallel);

}  // namespace thicket
