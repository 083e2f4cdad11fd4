// Whether published records that look alike are alike to the last byte but for their sensitive and kept values, and
// whether nothing is published that the policy does not name.
//
// Readers note what only they see: unnamed keys, comments, blanks, the order of keys (Dataset::findings). What is left is
// seen in the trees:
//   - A value of a quasi-identifier is written in one way, as a number or as a text, and free numbers with the same digits: 1
//     and 1.0 are one.
//   - Records whose trees are equal up to the order of siblings have them in the same order.
//   - Numbers under kClassKey say nothing but which records look alike: equal ones in records that look alike, different
//     ones in others, below the number of classes, and in every record or in none.
//
// O(vertices).
#pragma once

#include "record/canonical_form.h"
#include "record/dataset.h"
#include "verify/verify.h"

namespace thicket {

// `form` and `groups`: those of the published trees by structure and quasi-identifiers.
void CheckAppearance(const Schema& schema, const PrivacyPolicy& privacy, const Dataset& published,
                     const CanonicalForm& form, const RecordGroups& groups, Violations& violations);

}  // namespace thicket
