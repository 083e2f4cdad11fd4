// Whether anybody stands out by what is known of a record, or has a sensitive value that can be guessed.
//
// The search itself sees to k^(m,n)-anonymity (rare_combinations.h). Here is what policies may ask for on top of that.
//
// An adversary with negative knowledge (Section III-G of Gkountouna et al. 2013) also knows labels that a person does
// not have, and relations that do not hold. The paper adds a node "-a" for every absent label a, and "-b" below every a
// that b does not stand below. Here nothing is added; the sets of facts are counted as they are:
//
//   x          the record shows a label at or below x
//   -y         the record shows no label at or below y
//   x over y   some label at or below x stands above some label at or below y
//   x over -y  the record shows labels at or below x, and below none of these labels stands anything at or below y
//
// Here x and y are published labels or any items above one; but where k is asked for, an x that is there is a published
// label. A set of facts may name at most m items and hold at most n relations. None may be true of 1 to k - 1 records.
//
// With l, sensitive values must be diverse (Section III-F) among the records that any such set is true of, also the
// empty one; without negative knowledge any set of what is there. No value of a sensitive attribute, of any class, may
// stand anywhere in more than 1/l of these records. Items above labels matter: who has beer may be diverse, and who has
// wine, but who has either not.
//
// A set of facts without relations is true of the same records in every finer cut, where its items are still items at
// or above labels. So what is broken by labels alone is broken in every finer cut: asking with n = 0 finds such cuts
// before any relation is broken.
//
//   FactsHold(index, items, {.k = 5, .m = 2, .n = 1}, {.l = 3, .negative = true});
//
// Counting stops at k unless l is given, so most sets cost next to nothing. O(items^m 3^m) sets.
#pragma once

#include <cstdint>

#include "cutting/kmn/fact_index.h"
#include "cutting/kmn/label_knowledge.h"

namespace thicket {

struct FactQuestion {
  // 0 if diversity is not asked for.
  uint32_t l = 0;
  bool negative = false;
  // Only sets that name a fresh label of the index are looked at: the rest is known to hold from a cut above.
  bool only_fresh = false;
  // Sets without relations are known to hold.
  bool only_related = false;
};

bool FactsHold(const FactIndex& index, const ItemHierarchy& items, const KnowledgeLimits& limits,
               const FactQuestion& question);

}  // namespace thicket
