// Whether the records of a class are about different people.
//
// A person may have several records: the sessions of a user are bags of their own. Records of one person do not hide each
// other, so a class of look-alikes must hold records of at least k people, not only k records. Published data does not say
// whose they are; the original does, where it is known which original each published record stands for.
//
//   const OwnersVerdict verdict = VerifyOwners(privacy, published, original, certificate);
//
// O(vertices log siblings).
#pragma once

#include <optional>
#include <span>

#include "verify/verify.h"

namespace thicket {

struct OwnersVerdict {
  bool holds = true;
  // How many people the class with the fewest has; absent without records, and where each record is a person of its own.
  std::optional<uint64_t> least;
  // The largest share of a class that is about one person: 1/k where no person has two records in a class, and with k people in each
  // it may be more.
  std::optional<double> largest_share;
  Violations violations;
};

// `certificate`: by published record, the original that it stands for. Holds where each record of the original is a person of its own
// (Dataset::owners), and where k is not promised of classes.
OwnersVerdict VerifyOwners(const PrivacyPolicy& privacy, const Dataset& published,
                           const Dataset& original, std::span<const RecordId> certificate);

}  // namespace thicket
