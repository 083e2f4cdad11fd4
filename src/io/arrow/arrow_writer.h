// Records as a table in Arrow's layout: the same columns, structs and lists as the records came in, or as their JSON would have.
//
// Quasi-identifiers become text, since labels are: "1994" beside "[1990, 1995)". What is sensitive or kept has the type that its column
// had in the source, or one that fits all of its values where the source was no table; text where some value fits no other type,
// as a suppressed one does. Children that are not there are an empty list in every row, and never null, so that look-alikes
// are alike.
//
// Where the policy says which rows are one person's (VertexClass::group_by), a record is several rows (io/arrow/arrow_groups.h).
//
//   THICKET_ASSIGN(ArrowTable table, WriteArrow(policy, records, options, &original));
//
// O(values). Nothing of the records is shared with the table.
#pragma once

#include "base/result.h"
#include "io/arrow/arrow_table.h"
#include "io/arrow/arrow_type.h"
#include "io/dataset_io.h"
#include "io/outgoing.h"
#include "policy/policy.h"

namespace thicket {

// `like`: the table that the records were read from; null if it was none.
Result<ArrowTable> WriteArrow(const Policy& policy, OutgoingRecords& records,
                              const WriteOptions& options, const ArrowTable* like);

// The type of what is published in a slot; `source` is the type that its column had, or null.
ArrowType PublishedType(const OutgoingRecords& records, ClassId id, size_t slot,
                        const ArrowType* source);

}  // namespace thicket
