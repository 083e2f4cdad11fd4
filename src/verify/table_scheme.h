// Whether a published table was made as the policy's method for tables says: one cut for everybody, and nothing more and
// nothing less suppressed than the scheme asks for (Sections 3.1.2 and 3.1.3 of Liu 2010).
//
//   THICKET_ASSIGN(TableVerdict verdict, VerifyTable(policy, taxonomies, published, &original));
//
// From the published table alone:
//   - no label of an attribute is more general than another (verify/one_cut.h);
//   - "*" stands for a sensitive value only where the scheme suppresses values; with all-values a class has none or all.
// A warning says where "*" hides nothing: with violating-values all of a value is suppressed that is too frequent, so where
// all others stand beside it, the one that is missing is known (Section 3.1.3).
// With the original, for some cut that agrees with the published labels:
//   - the originals that stand under a class's labels are its class before anything was suppressed. What the scheme leaves
//     of them is what the class shows: so many records, so many of each value, so many "*";
//   - whoever is not published was left out by the scheme, with all the look-alikes of that cut. Where the labels of such
//     records are not known, since nobody was published under them, cuts are tried, up to a limit, beyond which a warning
//     says that it was not settled. The publisher hands over the cut, and then all is known.
//
// Of violating-records the fewest: the largest n of which each value v can have min(its count, floor(theta_v * n)), found
// from above, so that nothing is shared with how the publisher finds it. Below k nothing stays.
//
// Whether the promise holds is another question (verify/verify.h), and so is whether records are truthful.
#pragma once

#include <string>
#include <vector>

#include "policy/policy.h"
#include "record/dataset.h"
#include "verify/verify.h"

namespace thicket {

struct TableVerdict {
  bool holds = false;
  Violations violations;
  // What was not settled, and which suppressed values can be told.
  std::vector<std::string> warnings;
};

// `original` may be null. `cut`: by quasi-identifier, the labels of the cut; empty if nobody knows them. kUsage as in
// VerifyPublished.
Result<TableVerdict> VerifyTable(const Policy& policy, const TaxonomyFiles& taxonomies,
                                 const Dataset& published, const Dataset* original,
                                 const std::vector<std::vector<std::string>>& cut = {});

}  // namespace thicket
