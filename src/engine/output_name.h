// Whether the name of an output says another format than the one that is written: published data has the format of its source,
// whatever the output is called.
//
//   for (const std::string& warning : NameWarnings(Format::kJsonl, "published.csv")) Warn(warning);
#pragma once

#include <string>
#include <vector>

#include "policy/policy.h"

namespace thicket {

// At most one. A name without an ending that belongs to a format says nothing.
std::vector<std::string> NameWarnings(Format written, const std::string& path);

}  // namespace thicket
