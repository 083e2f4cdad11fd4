// Whether published records tell the truth: each is a generalization and pruning of an original record of its own.
//
//   THICKET_ASSIGN(TruthVerdict verdict, VerifyTruthful(schema, privacy, taxonomies, published,
//                                                      original));
//
// The publisher knows which original record each published one came from and can hand that over as a certificate:
// then only those pairs are checked. Without it the check looks for distinct originals that fit (embedding.h). It holds
// when they can be found, whoever the records really are about.
//
// With a certificate O(vertices) and the matching of siblings. Without one, equal records are handled together, the
// rarest value of a published record proposes originals, and who gets which is settled by augmenting paths. It also finds
// out whose original is certain: only one fits, and no other record is equal to either. Such records, and equal siblings in
// them, must not stand in the order of their originals (verify/source_order.h).
//
// Definition 3.16 and Section 5 of Ozalp et al. 2016.
#pragma once

#include <optional>
#include <span>

#include "verify/verify.h"

namespace thicket {

struct TruthVerdict {
  // Whether every record has an original of its own.
  bool holds = false;
  // Whether the order of the records, or of equal siblings, gives away that of their originals.
  bool in_source_order = false;
  size_t records = 0;
  // How many published records have no original of their own.
  size_t untrue = 0;
  Violations violations;
};

// `certificate`: by published record, the original that it came from; kData if it does not have one for each. Where the
// model lets equal vertices be merged and labels moved, path_cover.h says what must hold. `judge_order`: with a certificate all
// originals are certain, and who has reason to doubt the order asks for it; without one it is always looked at.
Result<TruthVerdict> VerifyTruthful(
    const Schema& schema, const PrivacyPolicy& privacy, const TaxonomyFiles& taxonomies,
    const Dataset& published, const Dataset& original,
    std::optional<std::span<const RecordId>> certificate = std::nullopt, bool judge_order = false);

}  // namespace thicket
