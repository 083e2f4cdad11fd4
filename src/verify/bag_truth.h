// Whether published bags, whose terms were substituted, are true to their originals (method ssg, Section 5.1.2 of Liu 2010).
//
// What takes the place of truth (verify/truthful.h) where a published term may be another one than the original's. The terms of a
// published bag must stand for different terms of the original bag, and what may stand for a term t of the original is:
//   - a term at most epsilon steps from t: links of the network, or edges of the taxonomy;
//   - several words, "vino|wine": t is one of them, and each of them is at most epsilon steps from t;
//   - a group of the taxonomy: t is below the group, at most epsilon steps.
// Terms may be left out, and none may be put in.
//
//   THICKET_ASSIGN(BagTruth truth, VerifyBagTruth(schema, privacy, taxonomies, networks, published, original, certificate));
//
// With a certificate, which says which original each published bag stands for, only those pairs are looked at, and it is measured
// how far they are apart. Without one, each published bag must have an original of its own that would do; that is a matching of all with all,
// and refused where there are too many. Nothing is shared with the code that substitutes: terms are read by verify/bag_labels.h, and steps
// are counted by verify/bag_steps.h.
//
// With a certificate O(terms near each other), without one that for each pair of different bags.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "policy/policy.h"
#include "record/dataset.h"
#include "taxonomy/semantic_network.h"
#include "verify/truthful.h"

namespace thicket {

struct BagTruth : TruthVerdict {
  // With a certificate, of true bags: published terms; those that stand for another term than themselves, paired so that steps are
  // fewest, and of such pairings so that the fewest terms differ; these steps, in all and of the farthest. Groups, and several
  // words of which one is meant, are not other terms.
  uint64_t published = 0;
  uint64_t substituted = 0;
  uint64_t steps = 0;
  uint64_t most_steps = 0;
  // Terms of the originals that nothing stands for, and published bags without a term.
  uint64_t left_out = 0;
  uint64_t empty_bags = 0;
};

// The schema's records are bags, and privacy.epsilon is there. `certificate` and `judge_order` are VerifyTruthful's. kUsage if a
// taxonomy or network is missing, and without a certificate where originals times published bags, each counted once, are more than
// `most_pairs`.
Result<BagTruth> VerifyBagTruth(const Schema& schema, const PrivacyPolicy& privacy,
                                const TaxonomyFiles& taxonomies, const NetworkFiles& networks,
                                const Dataset& published, const Dataset& original,
                                std::optional<std::span<const RecordId>> certificate = std::nullopt,
                                bool judge_order = false, uint64_t most_pairs = 20'000'000);

}  // namespace thicket
