// Whether anybody stands out by what a record does not have.
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
// With l, sensitive values must also be diverse among the records of every such set, as diverse_combinations.h says.
//
//   HoldsAgainstAbsence(items, encoded, recoded, {.k = 5, .m = 2, .n = 1}, 0);
//
// O(items^m * records): for small data, or few labels.
#pragma once

#include "cutting/item_hierarchy.h"
#include "cutting/rare_combinations.h"
#include "record/recoded.h"

namespace thicket {

// `l`: 0 if diversity is not asked for.
bool HoldsAgainstAbsence(const ItemHierarchy& items, const EncodedDataset& data,
                         const Recoded& recoded, const KnowledgeLimits& limits, uint32_t l);

}  // namespace thicket
