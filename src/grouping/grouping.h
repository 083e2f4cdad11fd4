// What every grouping algorithm gives back: who stands together, and what finding it out took.
//
// An algorithm is a function from an encoded data set and its options to a Grouping. It is put together from the same
// parts: which vertices may stand together (privacy/), how children are paired and what that costs (matching/merge.h), the
// tree that a growing class has in common (matching/representative.h), and the search for the nearest record
// (grouping/candidate_search.h). The next one is one small file, and a case in engine/method.cc.
#pragma once

#include "grouping/candidate_search.h"
#include "record/published.h"

namespace thicket {

// What becomes of records that no class has room for.
enum class Leftovers {
  kAbsorb,    // join the class where they cost least, where that keeps the promise
  kSuppress,  // are not published, as in the papers
};

struct Grouping {
  Published published;
  SearchStatistics search;
};

}  // namespace thicket
