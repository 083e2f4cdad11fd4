// The order of siblings that a reader cannot tell apart: random, instead of the one they had in the source.
//
// Siblings whose published subtrees are equal differ in sensitive and kept values only. Written as they stood in the
// source, they would tell what came first: the earlier of two diagnoses. A sort by value would hide that, but would
// break the alignment that makes a class diverse (verify/verify.h). So:
//
//   - Where nothing has to be diverse, each record's equal siblings are shuffled by themselves.
//   - Elsewhere pairs of siblings of one record are exchanged at random, as long as both positions stay diverse. Then the
//     positions are shuffled, for all records of the class together, which no diversity can notice.
//
// Either way the order of one record's equal siblings is uniformly random. In the second case the orders of records of one
// class may still depend on each other: where values leave only one diverse alignment, all of them were turned alike.
//
// Siblings of a class that is ordered stay where they are: their order is part of the data.
//
//   Random random = Random::Seeded(7);
//   for (size_t tree = 0; tree < publication.tree_count(); ++tree)
//     MixEqualSiblings(encoded, rule, random, publication, tree);
//
// `once` and what else is counted over a whole record is not touched, since every record keeps its vertices.
// O(vertices * depth), and a look into a hash table per exchanged sensitive value.
#pragma once

#include "base/random.h"
#include "privacy/diversity.h"
#include "record/dataset.h"
#include "record/publication.h"

namespace thicket {

// `rule` must be what the tree's records were put together by; with shares of levels, buckets of `data` are levels.
void MixEqualSiblings(const EncodedDataset& data, const DiversityRule& rule, Random& random,
                      Publication& publication, size_t tree);

}  // namespace thicket
