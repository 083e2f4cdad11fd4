// The columns of a data set whose records are single vertices: a table.
//
//   const Table table(ColumnsOf(encoded, label));
//
// Node n of the taxonomy of quasi-identifier q is item table.first_item(q) + n, and bucket b (record/dataset.h) of sensitive
// attribute s is the numbered value table.first_value(s) + b. Record r of the table is record r of the data set.
#pragma once

#include <cstddef>
#include <optional>

#include "cutting/table/table.h"
#include "record/dataset.h"

namespace thicket {

// Quasi-identifiers must be recoded by taxonomies (CheckTaxonomies), and records have no children. `label` is the kept
// attribute that is the class attribute of CM, by its place in `keep`.
TableColumns ColumnsOf(const EncodedDataset& data, std::optional<size_t> label);

}  // namespace thicket
