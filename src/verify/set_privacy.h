// KL(m,n)-privacy (Definition 4.4 of Liu 2010), checked on published sets alone.
//
//   THICKET_ASSIGN(Verdict verdict, VerifySets(schema, privacy, taxonomies, published, threads));
//
// What must hold:
//   - No itemset within the power of an adversary who knows up to m items that are there and n leaves that are not is a threat:
//     supported by 1 to k - 1 records, or with a sensitive item in more than 1/l of those who support it
//     (verify/itemset_threats.h).
//   - Without m and n an adversary knows everything. Whatever is known, who fits are all records of some classes of records
//     with the same labels. So each class must have k records, and no sensitive item in more than 1/l of them; that is necessary,
//     too, and does not depend on whether labels are a cut.
//   - With m and n the labels are of one cut: none stands above another (Section 4.2.2). Otherwise Beer and Liquor would both be
//     there, and what somebody with Beer fits would depend on how records were recoded.
//   - An item stands in a set once, and has a value. Every label is one that the taxonomy can publish, or a sensitive item.
//
// `verdict.k` and `verdict.l` are as promised, or the least that was found where the promise is broken: the search skips what cannot
// break the promise, so the exact least support is not known.
#pragma once

#include "base/result.h"
#include "verify/verify.h"

namespace thicket {

Result<Verdict> VerifySets(const Schema& schema, const PrivacyPolicy& privacy,
                           const TaxonomyFiles& taxonomies, const Dataset& published, int threads);

}  // namespace thicket
