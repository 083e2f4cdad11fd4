// Whether the scheme may have left out all of some records, under labels that nobody is published with: whether some cut
// puts them into classes of which nothing stays.
//
// Internal to verify/table_scheme.h.
#pragma once

#include <vector>

#include "record/dataset.h"
#include "verify/one_cut.h"
#include "verify/table_class.h"

namespace thicket {

enum class FreeCut {
  kFound,
  kNone,
  // There are too many cuts to try.
  kNotSettled,
};

// `records`: originals with at least one value that no published label covers. The cuts have placed the original's values.
// How far it is, `verify cuts` says (base/phase.h).
FreeCut FindFreeCut(const std::vector<CutReading>& cuts, const Dataset& original,
                    const std::vector<RecordId>& records, TableRule& rule);

}  // namespace thicket
