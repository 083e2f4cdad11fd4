// Long tables in Arrow's layout: all rows with the same value in one column are a person's record (io/person_rows.h).
//
// Columns are flat and their names those of the policy, as in a CSV file; a null, or NaN, is a missing value. In what is published the
// column that says whose a row is holds the person's number in the table, a whole number of 64 bits; other columns have the types that
// arrow_writer.h says, and the order of their source.
//
//   THICKET_TRY(ReadArrowGroups(table, progress, sink));
//   THICKET_ASSIGN(ArrowTable table, WriteArrowGroups(records, options, &original));
//
// O(values); what else is kept while reading says io/person_rows.h.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "io/arrow/arrow_table.h"
#include "io/dataset_io.h"
#include "io/dataset_sink.h"
#include "io/outgoing.h"

namespace thicket {

// The table has rows, and the sink knows that there are no lines.
Status ReadArrowGroups(const ArrowTable& table, Progress& progress, DatasetSink& sink);

// `like`: the table that the records were read from; null if it was none.
Result<ArrowTable> WriteArrowGroups(OutgoingRecords& records, const WriteOptions& options,
                                    const ArrowTable* like);

}  // namespace thicket
