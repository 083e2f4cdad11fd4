// Long tables: all rows with the same value in one column are a person's record (VertexClass::group_by). Columns that the policy gives
// to the record are the same in all rows of a person; those of the one class below it are a vertex per row.
//
// A row whose columns of that class are all empty is no vertex: so a person without any has one row. Rows of a person need not stand
// together in original data. In published data they do, and the column holds the number of the person in the file.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "io/dataset_io.h"
#include "io/dataset_sink.h"
#include "io/file/source.h"

namespace thicket {

// O(rows) memory beside the data set: 4 bytes per value and 8 per row.
Status ReadCsvGroups(const InputPolicy& input, Source& source, Progress& progress,
                     DatasetSink& sink);

Status WriteCsvGroups(const InputPolicy& input, OutgoingRecords& records,
                      const WriteOptions& options, const WriteBytes& write);

}  // namespace thicket
