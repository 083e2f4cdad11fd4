// What a database says about its tables, for commands that look at data before there is a policy.
//
//   THICKET_ASSIGN(std::vector<CatalogueTable> tables, ReadSqliteCatalogue("students.db"));
//   THICKET_TRY(ForEachSqliteRow("students.db", tables[0].name, {"major", "gpa"}, 100000,
//                                [](const std::vector<TableJoin::Field>& row) { ... return Status(); }));
//
// Tables come in the order of their names, views after tables. Errors are those of the readers: kIo where the database
// cannot be reached or read, kData where it is not what it must be.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/tables/table_join.h"

namespace thicket {

struct CatalogueColumn {
  std::string name;
  // As declared ("INTEGER", "character varying(20)"); SQLite may declare none.
  std::string type;
  bool primary_key = false;
  // Whether a policy may name it elsewhere than under `drop`: false for BLOBs, arrays, documents.
  bool plain = true;
};

struct CatalogueTable {
  std::string name;
  std::vector<CatalogueColumn> columns;
  std::vector<CatalogueForeignKey> foreign_keys;
  // PostgreSQL: the server's estimate; 0 for views.
  uint64_t rows = 0;
};

// `location` of a PostgreSQL server is a connection string, as in ReadDataset(); an empty schema is "public".
Result<std::vector<CatalogueTable>> ReadSqliteCatalogue(const std::string& path);
Result<std::vector<CatalogueTable>> ReadPostgresCatalogue(const std::string& location,
                                                          const std::string& schema);

// One field per column asked for. Valid during the call only; an error stops the scan and is returned.
using CatalogueRow = std::function<Status(const std::vector<TableJoin::Field>& row)>;

// The first `limit` rows of a table (0: all of them). A column that is not plain is an error, as it is when the data is
// read.
Status ForEachSqliteRow(const std::string& path, const std::string& table,
                        const std::vector<std::string>& columns, uint64_t limit,
                        const CatalogueRow& row);
Status ForEachPostgresRow(const std::string& location, const std::string& schema,
                          const std::string& table, const std::vector<std::string>& columns,
                          uint64_t limit, const CatalogueRow& row);

}  // namespace thicket
