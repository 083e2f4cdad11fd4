// LM of data that one cut through the taxonomies recoded for everybody.
//
// MeasureLm counts published vertices, and takes those that are missing for suppressed. Global recoding merges vertices that
// became equal, and publishes labels apart from their vertices: there LM' of the label that covers a value is the
// value's loss, however many values share it. A value whose attribute was left out costs 1; an absent one counts apart, as in lm.h.
// Disassociated relations cost nothing: RPD (rpd.h) sees them.
//
//   THICKET_ASSIGN(LmReport report, MeasureCutLm(original, published));
//   report.lm();
//
// The cut is the set of published labels. O(vertices + distinct labels).
#pragma once

#include "base/result.h"
#include "record/dataset.h"
#include "utility/lm.h"

namespace thicket {

// `published` is the published data as it is read back. Fails with kData if a label is not in its taxonomy, or if one stands
// above another, as no cut has it; with kUsage if an attribute has free intervals.
Result<LmReport> MeasureCutLm(const EncodedDataset& original, const Dataset& published);

// The one of MeasureLm and MeasureCutLm that fits: `rearranged` as Publication::rearranged().
Result<LmReport> MeasureLm(const EncodedDataset& original, const Dataset& published,
                           bool rearranged);

}  // namespace thicket
