// Tables in memory, as data frames have them: records read from Arrow's layout and published in it.
//
//   THICKET_ASSIGN(ArrowTable students, ArrowTable::Pull(&stream, "students"));       // of any library that speaks Arrow
//   THICKET_ASSIGN(RecordSet original, ReadTable(policy, students, RecordsAs::kOriginal, progress));
//   THICKET_ASSIGN(AnonymizedTable result, AnonymizeTable(policy, std::move(original), &students, {}, progress));
//   result.table.Export(&out);
//
// A row is a record, a struct a vertex, a list of structs the children of a class (io/arrow/arrow_reader.h); with group_by all rows of a
// person are a record (io/arrow/arrow_groups.h). Names of columns lead where keys of JSON lead, whatever the policy's format is: that only
// matters to files. With the same seed the published records are those that AnonymizeFile() publishes of the same data.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "engine/records.h"
#include "engine/thicket.h"
#include "io/arrow/arrow_table.h"

namespace thicket {

// `name` is what messages call the table.
Result<RecordSet> ReadTable(const LoadedPolicy& policy, const ArrowTable& table, RecordsAs as,
                            Progress& progress, const std::string& name = "table");

struct AnonymizedTable {
  ArrowTable table;
  Report report;
  // By record of the table, the place in the original; empty unless RunOptions::link is set.
  RecordLink link = {};
};

// Anonymizes records, wherever they came from, and publishes them as a table. What is verified is read from the very buffers that are
// returned. `like`: the table that the records were read from, whose types and order of columns are kept; null if it was none.
// Records that the caller has no other copy of (std::move) are not copied.
Result<AnonymizedTable> AnonymizeTable(const LoadedPolicy& policy, RecordSet original,
                                       const ArrowTable* like, const RunOptions& options,
                                       Progress& progress);

// Records as a table, as they are: original ones without identifiers and what is dropped.
Result<ArrowTable> TableOfRecords(const LoadedPolicy& policy, const RecordSet& records,
                                  Progress& progress);

// The rows of a table as JSON Lines. What is null is left out of its object.
Result<std::string> TableAsJson(const ArrowTable& table);

}  // namespace thicket
