// The sets of a data set whose records are a root with one class of leaves: which items each has.
//
// What a taxonomy is made from (taxonomy/together.h).
//
//   SetsOfItems sets = SetsOfItemsIn(data);
#pragma once

#include "record/dataset.h"
#include "taxonomy/together.h"

namespace thicket {

// The values of the first attribute of the class right below the root, each once per record; missing ones are left out. Two texts
// of one number are two items.
SetsOfItems SetsOfItemsIn(const Dataset& data);

}  // namespace thicket
