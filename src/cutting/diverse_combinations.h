// Whether sensitive values stay diverse among the records that have any combination of labels and relations.
//
// For every combination of up to m labels and n relations between them, also for none at all, let G be the records that have
// it. No value of a sensitive attribute of the root may be that of more than 1/l of G; and for every label of the combination,
// no value may be held by vertices that show the label in more than 1/l of G. A vertex holds its own values and those of
// vertices below it that show no label. A missing value is none.
//
// Section III-F of Gkountouna et al. 2013 asks for diverse groups and leaves open what they are; this is what an adversary
// with such knowledge would infer.
//
//   AllCombinationsDiverse(items, encoded, recoded, {.k = 5, .m = 2, .n = 1}, 3);
//
// O(combinations * records that have them).
#pragma once

#include <cstdint>

#include "cutting/item_hierarchy.h"
#include "cutting/rare_combinations.h"
#include "record/recoded.h"

namespace thicket {

bool AllCombinationsDiverse(const ItemHierarchy& items, const EncodedDataset& data,
                            const Recoded& recoded, const KnowledgeLimits& limits, uint32_t l);

}  // namespace thicket
