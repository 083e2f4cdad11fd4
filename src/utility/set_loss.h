// NCP and LM of published sets whose originals are known.
//
// An occurrence is an item of a record, once however often it stands there; sensitive items and missing ones are none. It costs
// what the label costs that its own published record shows for it, however many items share that label, and 1 where the record
// shows none. So sets may be recoded by one cut or record by record.
//
//   THICKET_ASSIGN(SetLoss loss, MeasureSetLoss(original, published, original_of));
//   loss.ncp();
//
// NCP of a label is its share of all leaves, and 0 for a leaf (Section 4.2.3 of Liu 2010); LM is as in utility/lm.h. Leaves of
// sensitive items and of the missing value count in neither. O(vertices * depth).
#pragma once

#include <span>

#include "base/result.h"
#include "record/dataset.h"
#include "utility/lm.h"

namespace thicket {

struct SetLoss {
  LmReport lm;
  // The sum over the occurrences, which are lm.labels.
  double ncp_sum = 0;

  double ncp() const { return lm.labels == 0 ? 0 : ncp_sum / static_cast<double>(lm.labels); }
};

// `original_of`: by published record, the original one. Records are a root with one class of leaves. kData if a label is none of
// the original's domain.
Result<SetLoss> MeasureSetLoss(const EncodedDataset& original, const Dataset& published,
                               std::span<const RecordId> original_of);

}  // namespace thicket
