// What all records keep together at most, where nobody can be in the company of everybody.
//
// Each record keeps at most what it keeps with the best `needed` others. But who is near to many cannot be in many classes. Put the records of a
// class in a circle, and let each look at the next `needed` ones: a record keeps at most what it has in common with the worst of those it looks
// at, and everybody is looked at by exactly `needed` records. So for any prices p >= 0 of being looked at
//
//   sum of kept  <=  sum over r of max over sets S of `needed` others ( min over S of common(r, s) - sum over S of p_s )  +  needed * sum of p,
//
// since all that is paid comes back. A suppressed record keeps nothing and looks at nobody, so a maximum below 0 counts as 0. Good prices make the
// right side small: who is looked at by too many becomes dearer, who is looked at by too few becomes cheaper, round after round, and the least sum
// of all rounds is the answer. This is Lagrange's relaxation of an assignment problem; with `needed` = 1 it comes near to the best assignment
// of every record to another one.
//
// Of several kinds of classes, which need different numbers of others, a record is in one; a look costs less in proportion where more are
// needed, so that everybody is paid the same in a class of any kind.
//
// What two records have in common is a bound at first, and is compared only where some record would look at the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/parallel.h"
#include "record/forest.h"
#include "taxonomy/domain.h"

namespace thicket {

// Whom each record has something in common with, in one kind of classes.
struct Acquaintances {
  struct One {
    RecordId record;
    bool compared;
    Units common;  // at most
  };
  size_t needed = 1;
  // By record: some others, and what anybody else has in common with it at most.
  std::vector<std::vector<One>> lists;
  std::vector<Units> rest;
  // What two records have in common at most, more closely; none: nothing closer is known. `worker` as in Parallel::For.
  std::function<Units(size_t worker, RecordId record, RecordId other)> compare;
};

struct PriceOptions {
  size_t rounds = 64;
  // How many comparisons a record makes in each kind.
  size_t comparisons = 48;
};

// What all records keep at most. `most`: what each keeps at most for other reasons.
Units PriceCompany(std::vector<Acquaintances> kinds, const std::vector<Units>& most,
                   const PriceOptions& options, Parallel& parallel);

}  // namespace thicket
