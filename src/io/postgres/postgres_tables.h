// Tables, columns and rows of a schema of a PostgreSQL server: what its reader, its target and its catalogue share.
//
//   THICKET_TRY(BeginPostgresRead(connection));
//   THICKET_ASSIGN(std::vector<PostgresTable> tables, ListPostgresTables(connection, "public"));
//   THICKET_ASSIGN(std::vector<PostgresColumn> columns, ListPostgresColumns(connection, tables[0]));
//   THICKET_TRY(ScanPostgresTable(connection, tables[0], columns, 0, row));
//
// Values are the texts that the server writes, with ISO dates and floating-point numbers that read back as the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/postgres/postgres_connection.h"
#include "io/tables/table_join.h"

namespace thicket {

// A table, a view, or anything else that rows can be selected from.
struct PostgresTable {
  std::string schema;
  std::string name;
  std::string oid;
  bool view = false;
  // The server's estimate.
  uint64_t rows = 0;

  // For messages: public.students.
  std::string path() const { return schema + "." + name; }
};

struct PostgresColumn {
  // What becomes of its values; kNone: it holds no plain values (arrays, documents, ranges, bytes).
  enum class Values : uint8_t { kText, kPaddedText, kNumber, kBoolean, kNone };
  std::string name;
  // With the type below its domain, if it is one: "character varying(20)".
  std::string type;
  // Whether every server knows the type.
  bool built_in = false;
  Values values = Values::kText;
  bool primary_key = false;
};

// One state of all tables until the connection ends, and values that do not depend on the server's settings.
Status BeginPostgresRead(PostgresConnection& connection);
// The same settings for an open transaction.
Status SetPostgresValueForms(PostgresConnection& connection);

// By name, views after tables. A schema that is not there is a kData error.
Result<std::vector<PostgresTable>> ListPostgresTables(PostgresConnection& connection,
                                                      const std::string& schema);
Result<std::vector<PostgresColumn>> ListPostgresColumns(PostgresConnection& connection,
                                                        const PostgresTable& table);

// To tables of the same schema.
Result<std::vector<CatalogueForeignKey>> ListPostgresForeignKeys(PostgresConnection& connection,
                                                                 const PostgresTable& table);

// One field per column; valid during the call only. `number` counts from 1.
using PostgresRow =
    std::function<Status(const std::vector<TableJoin::Field>& fields, uint64_t number)>;

// The rows of a table as they are stored, the first `limit` of them (0: all). A column that is not plain is a kData
// error that names it and its type.
Status ScanPostgresTable(PostgresConnection& connection, const PostgresTable& table,
                         const std::vector<PostgresColumn>& columns, uint64_t limit,
                         const PostgresRow& row);

}  // namespace thicket
