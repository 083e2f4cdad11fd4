// What is promised of published sets: KL(m,n)-privacy (Definition 4.4 of Liu 2010).
//
// An adversary knows of somebody up to m items that are there and up to n leaves that are not. An itemset is what is
// known: x+ says that the record has a leaf at or below x, x- that it has none. Each x+ takes one of m, each x- as
// many of n as x has leaves in the whole taxonomy. The items of an itemset are labels of the published cut, or stand
// above them. The promise, for each itemset that some record supports, but the empty one: at least k records support
// it, and at most a share `most_share` = 1/l of these has the same sensitive item. An itemset that breaks the promise
// is a threat.
//
//   SetPromise promise{.k = 5, .most_share = {1, 4}, .m = 3, .n = 1};
//
// Choices that the thesis leaves open are those of tests/testing/literal_sets.h: "at least k"; x+ may stand above y-
// ("some liquor, but no wine"); the empty itemset is no threat.
#pragma once

#include <cstdint>

#include "cutting/table/fraction.h"

namespace thicket {

struct SetPromise {
  // 1: whose record is whose is not protected.
  uint64_t k = 1;
  // 1: sensitive items are not protected.
  Fraction most_share = {1, 1};
  // Not both 0, or nothing is a threat.
  uint32_t m = 1;
  uint32_t n = 0;

  bool GuardsSensitive() const { return most_share < Fraction{1, 1}; }
  friend bool operator==(const SetPromise&, const SetPromise&) = default;
};

}  // namespace thicket
