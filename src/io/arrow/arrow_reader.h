// Records from a table in Arrow's layout: a row is a record, a struct a vertex, a list of structs the children of a class, a list of
// plain values plain children, and a struct alone a single child.
//
// Names of columns are what keys are in JSON, and lead where the same JSON would lead (io/json/json_layout.h): the same data gives the same
// data set. Texts are read where they stand. What a row does not have is null there, so null, NaN and an absent key are the same; a
// column is there or not for all rows, so one that the policy does not name is counted once.
//
// Where the policy says which rows are one person's (VertexClass::group_by), rows are read as those of a long table are
// (io/arrow/arrow_groups.h).
//
//   DatasetSink sink(policy, "students", ReadAs::kOriginal);
//   THICKET_TRY(ReadArrow(table, progress, sink));
//
// Of published tables it is also found where look-alikes are not written alike (null and empty lists, null and NaN), and whether a
// dictionary holds values that no row shows. O(values), beside the data set O(columns).
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "io/arrow/arrow_table.h"
#include "io/dataset_sink.h"

namespace thicket {

Status ReadArrow(const ArrowTable& table, Progress& progress, DatasetSink& sink);

}  // namespace thicket
