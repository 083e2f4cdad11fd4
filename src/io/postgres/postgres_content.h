// What a published schema of a PostgreSQL server holds beside the rows of its tables: nothing may be there that the policy
// does not name.
//
// Further tables, views, sequences, functions, types and whatever else a schema can hold; indexes that no key needs,
// triggers, rules, defaults, checks, comments, tables that inherit; columns that were dropped, whose values the server keeps;
// and rows of several transactions, whose numbers (xmin) tell them apart. The sink is told of everything (MeetUnnamed).
// Rows that were deleted cannot be seen from here.
//
//   THICKET_TRY(FindPostgresContent(connection, schema, tables, sink));
#pragma once

#include <string>
#include <vector>

#include "io/dataset_sink.h"
#include "io/postgres/postgres_tables.h"

namespace thicket {

// `tables`: those of the policy, in the schema.
Status FindPostgresContent(PostgresConnection& connection, const std::string& schema,
                           const std::vector<PostgresTable>& tables, DatasetSink& sink);

}  // namespace thicket
