// Whether anybody stands out by what is known of a record, or has a sensitive value that can be guessed.
//
// k^(m,n)-anonymity itself is seen to by the search (rare_combinations.h). This is what comes on top.
//
// An adversary with negative knowledge (Section III-G of Gkountouna et al. 2013) also knows labels that a person does not have,
// and relations that do not hold. The paper adds a node "-a" for every absent label a, and "-b" below every a that b does not
// stand below. Here nothing is added; the sets of facts are counted as they are:
//
//   x          the record shows the published label x
//   -y         it shows no label at or below y, a published label or any item above one
//   x over y   some x stands above some y, both published labels
//   x over -y  it shows x, and below no x anything at or below y
//
// A set of facts may name at most m items and hold at most n relations. None may be true of 1 to k - 1 records. A set that is
// true of too few stays so in every finer cut, since items above the cut remain.
//
// With l, sensitive values must be diverse (Section III-F, which leaves open what that is) among the records G that any such
// set is true of, without negative knowledge of any set of labels and relations, also the empty one. No value of a
// sensitive attribute of the root may be that of more than 1/l of G; and for every label that must be there, no value may
// be held by vertices that show the label in more than 1/l of G. This is what an adversary with such knowledge would infer.
//
//   FactsHold(index, items, {.k = 5, .m = 2, .n = 1}, {.l = 3, .negative = true});
//
// Counting stops at k unless l is given, so most sets cost next to nothing. O(items^m 3^m) sets.
#pragma once

#include <cstdint>

#include "cutting/fact_index.h"
#include "cutting/knowledge.h"

namespace thicket {

struct FactQuestion {
  // 0 if diversity is not asked for.
  uint32_t l = 0;
  bool negative = false;
};

bool FactsHold(const FactIndex& index, const ItemHierarchy& items, const KnowledgeLimits& limits,
               const FactQuestion& question);

}  // namespace thicket
