// The sets of a file in the form of transactions, before there is a policy for it: what a taxonomy is made from.
//
//   THICKET_ASSIGN(SetsOfItems sets, ReadSetsOfItems(source, "baskets.txt", 0, progress));
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "io/file/source.h"
#include "taxonomy/together.h"

namespace thicket {

// One set per line. `delimiter` stands between items; 0: blanks do. `name` is what messages call the source.
Result<SetsOfItems> ReadSetsOfItems(Source& source, const std::string& name, char delimiter,
                                    Progress& progress);

}  // namespace thicket
