// A folder of CSV files, one per class: which file is which table, and how one goes into a join.
//
//   TableJoin join(policy, sink);
//   THICKET_TRY(ReadCsvTable(policy.input, 0, "persons.csv", source, progress, sink, join));
//   ...
//   THICKET_TRY(join.Finish());
//
// ReadTables() (io/readers.h) does this for a folder.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "io/dataset_sink.h"
#include "io/file/source.h"
#include "io/tables/table_join.h"
#include "policy/policy.h"

namespace thicket {

// The names of the files that tables are written to, by class: a table called `courses` is courses.csv, one that ends in
// .csv, .tsv, .gz or .zst keeps its name. Fails if a name leads out of the folder, or two tables share a file.
Result<std::vector<std::string>> TableFileNames(const Policy& policy);

// Where a table of a folder is looked for, in this order: under its own name if that has an extension, and under its name
// with one of the usual extensions.
std::vector<std::string> TablePaths(const std::string& folder, const std::string& table);

// Reads the table of a class, header first. `name` is what messages call it.
Status ReadCsvTable(const InputPolicy& input, ClassId id, const std::string& name, Source& source,
                    Progress& progress, DatasetSink& sink, TableJoin& join);

}  // namespace thicket
