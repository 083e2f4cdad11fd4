// The reader of PostgreSQL on a connection that is there already, for a target that reads back what it has not
// committed.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "io/dataset_sink.h"
#include "io/postgres/postgres_connection.h"
#include "policy/policy.h"

namespace thicket {

// In the transaction that is open, with SetPostgresValueForms().
Status ReadPostgresSchema(const Policy& policy, PostgresConnection& connection,
                          const std::string& schema, Progress& progress, DatasetSink& sink);

}  // namespace thicket
