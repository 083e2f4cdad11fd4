// The targets behind DataTarget::Create(), one per kind of place.
#pragma once

#include <memory>

#include "io/dataset_io.h"

namespace thicket {

// A file, for formats that are one stream of bytes.
Result<std::unique_ptr<DataTarget>> CreateFileTarget(const Policy& policy,
                                                     const OutputPlace& place);
// A folder of JSON or XML documents.
Result<std::unique_ptr<DataTarget>> CreateDocumentsTarget(const Policy& policy,
                                                          const OutputPlace& place);
// A folder of CSV files.
Result<std::unique_ptr<DataTarget>> CreateTablesTarget(const Policy& policy,
                                                       const OutputPlace& place);
// A new SQLite file.
Result<std::unique_ptr<DataTarget>> CreateSqliteTarget(const Policy& policy,
                                                       const OutputPlace& place);
// A new schema of a PostgreSQL server.
Result<std::unique_ptr<DataTarget>> CreatePostgresTarget(const Policy& policy,
                                                         const OutputPlace& place);

}  // namespace thicket
