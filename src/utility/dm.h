// DM, the discernibility metric over trees (Definition 9 of Nergiz et al. 2008): the sum over persons of the size of the
// group that they cannot be told apart from.
//
// Persons are indistinguishable when their published trees are equal in structure and quasi-identifiers, whatever the
// order of siblings. A group of g records adds g * g. A record that was suppressed adds the size of the original data
// set: whoever looks for it learns nothing but that it is one of all (the usual rule, Bayardo and Agrawal 2005). So n
// records that are all different have a DM of n, and n records that are all suppressed one of n * n.
//
//   THICKET_ASSIGN(DmReport dm, MeasureDm(original, published));
//   dm.dm;             // smaller is better
//   dm.mean_group();   // among how many a person stands, on average
//
// O(vertices), and a sort per set of siblings.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "record/dataset.h"

namespace thicket {

struct DmReport {
  // Persons in the original data.
  uint64_t records = 0;
  uint64_t suppressed = 0;
  uint64_t groups = 0;
  uint64_t dm = 0;

  double mean_group() const {
    return records == 0 ? 0 : static_cast<double>(dm) / static_cast<double>(records);
  }
};

// `published` is the published data as it is read back. Fails with kData if it has more records than the original.
Result<DmReport> MeasureDm(const Dataset& original, const Dataset& published);

}  // namespace thicket
