// What is more general than a published label, by its text alone.
//
//   LabelAncestors(reader, "[1990, 1995)", published);   // ranges: [5, 10]: "[1990, 2000)", "*"
//
// The anonymization never says which node of which hierarchy a label was; this follows from the recoding as label_cover.h
// reads it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "verify/label_cover.h"

namespace thicket {

// Nearest first, the root last; none for a root. `published` are the texts that are published of the attribute: a node
// whose name a value of the data had taken is called "1993 (any)" among them.
std::vector<std::string> LabelAncestors(const LabelReader& reader, std::string_view label,
                                        const std::unordered_set<std::string_view>& published);

}  // namespace thicket
