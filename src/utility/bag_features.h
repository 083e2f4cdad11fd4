// %DistinctTerms and %avgVsize: how many different terms are left, and how much of an average bag (Liu 2010, Section
// 5.6.1).
//
//   const BagFeatures features = CompareBags(pair);
//   features.distinct_share();       // different published labels / different original terms
//   features.size_share();           // average size of a published bag / of an original one
//
// A label of several terms ("vino|wine") is one label. Original bags without a term that can be used are none;
// published ones that came out empty are bags. O(occurrences).
#pragma once

#include <cstdint>
#include <optional>

#include "record/bag_pair.h"

namespace thicket {

struct BagFeatures {
  struct Side {
    uint64_t bags = 0;
    uint64_t occurrences = 0;
    uint64_t distinct = 0;

    double mean_size() const {
      return bags == 0 ? 0 : static_cast<double>(occurrences) / static_cast<double>(bags);
    }
  };
  Side original;
  Side published;

  // Nothing where the original has no terms.
  std::optional<double> distinct_share() const {
    if (original.distinct == 0) return std::nullopt;
    return static_cast<double>(published.distinct) / static_cast<double>(original.distinct);
  }
  std::optional<double> size_share() const {
    if (original.occurrences == 0) return std::nullopt;
    return published.mean_size() / original.mean_size();
  }
};

BagFeatures CompareBags(const BagPair& pair);

}  // namespace thicket
