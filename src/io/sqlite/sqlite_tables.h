// Tables, columns and rows of a SQLite file: what its reader and its catalogue share.
//
//   THICKET_ASSIGN(std::vector<SqliteTable> tables, ListSqliteTables(database));
//   THICKET_ASSIGN(std::vector<SqliteColumn> columns, ListSqliteColumns(database, tables[0]));
//   THICKET_TRY(ScanSqliteTable(database, tables[0].name, {"code", "grade"}, 0, row));
//
// A number becomes the shortest text that reads back as the same number.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/sqlite/sqlite_database.h"
#include "io/tables/database_catalogue.h"
#include "io/tables/table_join.h"

namespace thicket {

struct SqliteTable {
  std::string name;
  bool view = false;
};

struct SqliteColumn {
  std::string name;
  // As declared; empty for the columns of views, which may hold anything whatever they are made of.
  std::string type;
  bool primary_key = false;
};

// By name, views after tables.
Result<std::vector<SqliteTable>> ListSqliteTables(SqliteDatabase& database);
Result<std::vector<SqliteColumn>> ListSqliteColumns(SqliteDatabase& database,
                                                    const SqliteTable& table);
// A reference that names no column means the key of the other table, and has no referenced column here.
Result<std::vector<CatalogueForeignKey>> ListSqliteForeignKeys(SqliteDatabase& database,
                                                               const SqliteTable& table);
Result<uint64_t> CountSqliteRows(SqliteDatabase& database, const std::string& table);

// One field per column asked for; valid during the call only. `number` counts from 1.
using SqliteRow =
    std::function<Status(const std::vector<TableJoin::Field>& fields, uint64_t number)>;

// The rows of a table in the order in which they are stored, the first `limit` of them (0: all). A BLOB, and text that
// is not UTF-8, is a kData error that names table, row and column.
Status ScanSqliteTable(SqliteDatabase& database, const std::string& table,
                       const std::vector<std::string>& columns, uint64_t limit,
                       const SqliteRow& row);

}  // namespace thicket
