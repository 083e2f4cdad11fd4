// k^(m,n)-anonymity, checked on published data alone: every combination of labels and relations is counted.
//
//   THICKET_ASSIGN(Verdict verdict, VerifyCombinations(schema, privacy, taxonomies, published));
//
// What must hold (Definition 1 and Sections III-F and III-G of Gkountouna et al. 2013, with what they leave open settled):
//   - A combination is a set of 1 to m labels, of any attributes, and 0 to n relations "a stands above b" between them. A
//     record supports it if it shows every label somewhere and has every relation somewhere, each by itself. No combination
//     is supported by 1 to k - 1 records. "*" is a label like any other, a missing value is none.
//   - With `negative`, facts may also be: a record shows no label at or below y, and: it shows x, and below no x a label at
//     or below y. Here y is any label that is published, or an ancestor of one. A combination may name m labels and state
//     n relations.
//   - With l, for everything that may be known, and for knowing nothing: of the records that fit at most 1/l have any one
//     bucket of a sensitive attribute, of any class, wherever in the record it stands. Each attribute counts by itself. A
//     missing value is no bucket, but its record counts among those that fit. Labels may also be known roughly here: that
//     a record shows a label at or below y, that a label at or below x stands above one at or below y, or never does. (For
//     k that makes no difference: a record that shows such a label shows one that many have. Not so for l: where each of
//     two labels is held by a diverse group, the group of both need not be. With `negative`, k counts relations that do
//     not hold of published labels x only.)
//   - Vertices stand below vertices of ancestor classes only; every label is one that the recoding can publish.
//
// `verdict.k` is the least support of any combination, exactly; rare combinations are all counted, and the smallest ones
// are named. Names of attributes and published labels are no secret; sensitive values are never named.
//
// Counting is exact and takes time: O(sum over different records of C(labels, m)) without `negative` (combination_walk.h),
// and see signed_combinations.h and combination_diversity.h. How much it will be is known before it begins, and beyond
// `most_steps` it does not begin.
#pragma once

#include "base/result.h"
#include "verify/verify.h"

namespace thicket {

struct CombinationOptions {
  // About two hours on two cores.
  static constexpr double kMostSteps = 5e11;
  double most_steps = kMostSteps;
  // 0 means as many as the process may use.
  int threads = 0;
};

Result<Verdict> VerifyCombinations(const Schema& schema, const PrivacyPolicy& privacy,
                                   const TaxonomyFiles& taxonomies, const Dataset& published,
                                   const CombinationOptions& options = {});

}  // namespace thicket
