// Whether published bags are near their originals: every term stands for a term of its own of the original, at most epsilon steps
// away. What takes the place of truth (verify/truthful.h) where terms may be replaced by others.
//
//   THICKET_ASSIGN(const BagTruth truth, VerifyBagTruth(schema, privacy, taxonomies, networks, published, original,
//                                                       certificate));
//   if (!truth.holds) return truth.violations;
//
// What may stand for a term t of the original:
//   - a term that is at most epsilon steps from t: links of the network, or edges of the taxonomy;
//   - several terms, "vino|wine": t is one of them, and each of them is at most epsilon steps from t;
//   - a group of the taxonomy: t is below the group, at most epsilon edges.
// Terms of a published bag stand for different occurrences of the original one. Distances are found here by themselves: breadth first
// in the network, from each published term that must be compared with others, and up and down the taxonomy. Section 5.1.2 of Liu
// 2010.
//
// O(published terms * terms of their originals) and a matching per bag whose terms are not all its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "taxonomy/semantic_network.h"
#include "verify/verify.h"

namespace thicket {

struct BagTruth {
  bool holds = false;
  Violations violations;
  // Published terms; those that stand for another term than themselves, matched at the least number of steps; these steps, in all
  // and of the farthest. Groups, and several terms of which one is meant, are not other terms.
  uint64_t published = 0;
  uint64_t substituted = 0;
  uint64_t steps = 0;
  uint64_t most_steps = 0;
};

// `certificate`: by published record, the original that it came from; kData if it does not have one for each. Originals are read
// as methods read them: every term a word.
Result<BagTruth> VerifyBagTruth(const Schema& schema, const PrivacyPolicy& privacy,
                                const TaxonomyFiles& taxonomies, const NetworkFiles& networks,
                                const Dataset& published, const Dataset& original,
                                std::span<const RecordId> certificate);

}  // namespace thicket
