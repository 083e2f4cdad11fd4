// The columns of a data set whose records are single vertices: a table.
//
//   const LabelSpace labels(encoded);
//   const Table table(ColumnsOf(encoded, labels, label));
//   labels.label(item);
//
// An item of the table is a label of the space, with the same number, and bucket b (record/dataset.h) of sensitive attribute s is
// the numbered value table.first_value(s) + b. Record r of the table is record r of the data set.
#pragma once

#include <cstddef>
#include <optional>

#include "cutting/table/table.h"
#include "record/dataset.h"
#include "record/label_space.h"

namespace thicket {

// Quasi-identifiers must be recoded by taxonomies (CheckTaxonomies), and records have no children. `label` is the kept
// attribute that is the class attribute of CM, by its place in `keep`.
TableColumns ColumnsOf(const EncodedDataset& data, const LabelSpace& labels,
                       std::optional<size_t> label);

}  // namespace thicket
