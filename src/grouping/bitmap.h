// Bitmap + CDGH: clustering k-anonymity on one flat table (Nergiz et al. 2008, section III-C), the rival of MiRaCle.
//
// A person becomes one row: the labels of the root, and a column for every vertex that some person has below it, named by
// the labels on the way down. A cell says "has it", or what the absence means:
//
//   kUnknown   incomplete data: a patient may have been elsewhere. Nothing is known, as if it were suppressed already
//   kNo        complete data: a student who is not enrolled does not take the course. That is knowledge, and may be lost
//
// Two cells that differ become unknown; labels of roots are generalized. Every column of every open cluster is looked at,
// each by a look-up of what its merged value saves, as for any other quasi-identifier: this is the paper's algorithm, for
// experiments. With kUnknown its classes are those of MiracleVariant::kBitmap, which compares trees and skips the columns
// that a record lacks; that is what `method: cdgh` runs.
//
//   THICKET_ASSIGN(BitmapGrouping found, CdghOnBitmap(encoded, {.class_size = 5}, parallel, progress));
//
// Of several equal siblings the first has a column, the second another one, and so on. Values that may occur only once are
// not supported. O(n * climit * columns), and a byte per record and column.
#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "grouping/grouping.h"
#include "record/dataset.h"

namespace thicket {

enum class Absent { kUnknown, kNo };

struct BitmapOptions {
  int class_size = 2;
  Absent absent = Absent::kUnknown;
  // As in MiracleOptions.
  int climit = 150;
  double th = 0.1;
};

struct BitmapGrouping {
  // What trees can say of it: vertices that all have; not what all lack.
  Grouping grouping;
  uint64_t columns = 0;
  // As utility/dm.h, over rows: what all lack counts.
  uint64_t dm = 0;
};

Result<BitmapGrouping> CdghOnBitmap(const EncodedDataset& data, const BitmapOptions& options,
                                    Parallel& parallel, Progress& progress);

}  // namespace thicket
