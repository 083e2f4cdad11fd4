// Long tables as CSV files: all rows with the same value in one column are a person's record (io/person_rows.h). An empty field is a
// missing value. In published data the column holds the number of the person in the file.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "io/dataset_io.h"
#include "io/dataset_sink.h"
#include "io/file/source.h"

namespace thicket {

Status ReadCsvGroups(const InputPolicy& input, Source& source, Progress& progress,
                     DatasetSink& sink);

Status WriteCsvGroups(const InputPolicy& input, OutgoingRecords& records,
                      const WriteOptions& options, const WriteBytes& write);

}  // namespace thicket
