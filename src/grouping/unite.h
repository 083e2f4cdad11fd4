// Classes that come out with equal trees are one class: nobody who reads the output can tell them apart.
//
// Diversity, shares of levels and `anywhere` hold in the united class when they hold in its parts: counts and limits add up.
// A value that may occur only `once` does not: two classes that show it must not come out equal. The later one of them is
// then changed until it looks like none that shows a `once` value of its own: by suppressing a subtree (the one with the value,
// or another one) or by making one label more general, whichever loses least. If even the most general tree is taken, its
// records are suppressed.
//
//   Publication united = UniteEqualClasses(encoded, std::move(grouping.published));
//
// O(classes * tree), and for a class that must be changed as many trees as it has labels, per change.
#pragma once

#include "record/dataset.h"
#include "record/publication.h"

namespace thicket {

Publication UniteEqualClasses(const EncodedDataset& data, Publication published);

}  // namespace thicket
