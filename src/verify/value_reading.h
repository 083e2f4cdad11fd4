// What a value of the data is under its recoding, and which labels stand above it: as the documentation says it, written without a look
// at how the anonymization does it (taxonomy/recoding.h).
//
//   FitsAsValue(recoding, "19930417");    // date with format "%Y%m%d": true
//   LabelsAbove(recoding, "19930417");    // date: [month, year]: "1993-04", "1993"
//
// For ranges, masks and dates; every text is a value of the other recodings, and nothing stands above it here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/dataset.h"
#include "taxonomy/recoding.h"

namespace thicket {

bool FitsAsValue(const Recoding& recoding, std::string_view value);

// Nearest first, without the root, none of them equal to the value; none for a value that does not fit.
std::vector<std::string> LabelsAbove(const Recoding& recoding, std::string_view value);

// Whether a label is a day (yyyy-mm-dd), and the recoding has days.
bool IsDayLabel(const Recoding& recoding, std::string_view label);

// Original data as it is meant where the policy says `unknown: missing`: values that do not fit are missing. And whether the policy
// says so of any attribute.
bool LeavesUnknownOut(const Schema& schema);
Dataset WithUnknownMissing(Dataset original, const TaxonomyFiles& taxonomies);

}  // namespace thicket
