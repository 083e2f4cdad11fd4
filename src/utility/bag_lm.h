// bLM: how much of the terms of bags is lost, from 0 (nothing) to 1 (everything). Liu 2010, Section 5.5.1.2.
//
// A hyper term is the bag of original terms that a published term represents in a class of bags that look alike.
// Every occurrence of an original term counts once: a published one by (different terms in its hyper term - 1) /
// (terms of the domain - 1), one that is not published by 1.
//
// Which terms are in a hyper term depends on how the bags were recoded. Where terms are substituted, each place of
// the published bag has a hyper term of its own, with a term of each member of the class (kByPlace). Where terms are
// generalized (LG), a label has one hyper term, however often it is published: all terms of the class that are below
// it, and those among them that are left out, too (kByLabel).
//
//   MeasureBagLm(original, publication, HyperTerms::kByPlace).blm();              // of a run
//   MeasureBagLm(pair, original_of, HyperTerms::kByPlace, StepsInTaxonomy(pair)).blm();   // of files and their link
//
// A publication says which occurrence stands for which, so the first is exact. Files do not, even if it is known
// whose bag is whose: then bags that look alike are one class, terms of a bag are matched with the published ones at
// the least total distance, and of equal published terms the first has the nearer one. Sums are whole numbers.
// O(occurrences), and per bag whose terms changed an assignment problem.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "record/bag_pair.h"
#include "record/dataset.h"
#include "record/publication.h"
#include "taxonomy/term_distances.h"

namespace thicket {

struct BagLoss {
  // Of the original; and how many of them are not published.
  uint64_t occurrences = 0;
  uint64_t suppressed = 0;
  // Over the published ones: how many other terms are in the hyper term.
  uint64_t others = 0;
  // How many terms there may be.
  uint64_t domain = 0;

  double blm() const;
};

enum class HyperTerms { kByPlace, kByLabel };

BagLoss MeasureBagLm(const EncodedDataset& original, const Publication& published,
                     HyperTerms hyper);

// How many steps apart two terms are; nothing if they have nothing to do with each other.
using TermSteps = std::function<std::optional<uint32_t>(BagLabel, BagLabel)>;
// By edges of the taxonomy; the pair must outlive it.
TermSteps StepsInTaxonomy(const BagPair& pair);
// As far as these distances know them, whose terms are those of the pair (BagPair::TermTexts); they must outlive it.
TermSteps StepsNearby(const TermDistances& distances);

// `original_of`: by published bag, the original one. `steps` is asked of terms only.
BagLoss MeasureBagLm(const BagPair& pair, std::span<const RecordId> original_of, HyperTerms hyper,
                     const TermSteps& steps);

}  // namespace thicket
