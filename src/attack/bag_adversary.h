// The adversary of vocabulary k-anonymity (Liu 2010, Section 5.1.1), played against bags and what was published of them.
//
// The adversary knows some terms of a victim's bag, each as often as it is known to be there, and looks for the bags that fit best:
//   - of the original, the bags that have all these terms, and no others where all terms of the bag are known;
//   - of published bags whose terms were substituted (with epsilon), those in which the most known terms find a published term of their own
//     that may stand for them: one at most epsilon steps away, a label of several words with the known one among them, or a group above it,
//     at most epsilon steps. Terms are left out of published bags, so that all of them need not be there;
//   - of bags that were generalized (without epsilon), those in which the most known terms stand below a label. Labels are published once, or as
//     often as the bag of the class that has the fewest terms below it, so that how often a term is known to be there says nothing.
// Where all terms of the bag are known, only those come into question whose published terms can each stand for a known term of its own.
// Then the adversary points at one of these bags at random. The victim is a person, who may have several bags (Dataset::owners): the chance is the
// share of the victim's bags among those that fit best. Bags that look alike fit alike, so the chance is at most the largest share that a person has
// of a class of look-alikes: 1/k where no person has two bags in a class, and less than 1 where each class is about k people.
//
//   THICKET_ASSIGN(const BagPair pair, BagPair::Read(original, published));
//   const BagAttackReport report = AttackBags({pair, &distances, epsilon, owners, link}, {.terms = 3}, progress);
//
// Which published bags are the victim's is known from the link. Without one the victim is credited with each bag of its own that one of
// those that fit could stand for: the chance is an upper bound.
//
// Equal published bags are one. O(bags that show something near a known term) for a victim, and a matching for the best of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attack/attack.h"
#include "base/progress.h"
#include "record/bag_pair.h"
#include "taxonomy/term_distances.h"

namespace thicket {

// What the adversary is played on; everything must outlive it.
struct BagAttackData {
  const BagPair& pair;
  // By term of the pair; null where terms were generalized, without epsilon.
  const TermDistances* distances = nullptr;
  uint32_t epsilon = 0;
  // By original bag, as Dataset::owners; empty where each bag is a person's only one.
  std::span<const uint32_t> owners = {};
  // By published bag, the original one; nothing if nobody knows.
  std::optional<std::span<const RecordId>> link = std::nullopt;
};

struct BagAttackOptions {
  // How many terms of the victim are known; nothing: all of them.
  std::optional<uint32_t> terms = std::nullopt;
  // As in AttackOptions. Victims are bags with a term.
  size_t trials = 0;
  uint64_t seed = 1;
};

struct BagAttackReport {
  AttackResult original;
  AttackResult published;
};

BagAttackReport AttackBags(const BagAttackData& data, const BagAttackOptions& options,
                           Progress& progress);

// What AttackBags tries on the victim, ascending; for tests.
std::vector<BagLabel> DrawBagKnowledge(const BagPair& pair, const BagAttackOptions& options,
                                       size_t victim);

}  // namespace thicket
