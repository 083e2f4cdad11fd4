// Why no class of records could be formed: which sensitive attribute of the record itself has too few different values, or one
// value in too many records, for the l that the policy asks for.
//
// Vertices below the root that may not stand together are suppressed, and a record can do without them; not so its root.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

// What stands in the way of l, without any value: "l = 3 needs 3 different values of disease among look-alikes, but all records
// together have 2"; and the next step.
struct TooAlikeRoots {
  std::string why;
  std::string hint;
};
// Nothing if no attribute stands in the way by itself. O(records).
std::optional<TooAlikeRoots> FindTooAlikeRoots(const EncodedDataset& data, int l);

// The error of a run that groups records and found no class.
Error NoClassFound(const Policy& policy, const EncodedDataset& data);

}  // namespace thicket
