// What every grouping algorithm gives back: who stands together, and what finding it out took.
//
// An algorithm is a function from an encoded data set and its options to a Grouping. It is put together from the same
// parts: which vertices may stand together (privacy/), how children are paired and what that costs (matching/merge.h), the
// tree that a growing class has in common (matching/representative.h), and the search for the nearest record
// (grouping/candidate_search.h). The next one is one small file, and a case in engine/method.cc.
#pragma once

#include "grouping/candidate_search.h"
#include "grouping/leftovers.h"
#include "record/publication.h"

namespace thicket {

struct Grouping {
  // A tree per class. Each position has one source in each record.
  Publication published;
  SearchStatistics search;
};

}  // namespace thicket
