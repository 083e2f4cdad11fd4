#include "io/sqlite/sqlite_tables.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>

#include "base/text.h"
#include "io/tables/sql_name.h"

namespace thicket {

namespace {

Error Wrong(const SqliteDatabase& database, const std::string& table, uint64_t row,
            const std::string& column, std::string_view what, std::string hint) {
  return ErrorAt(
      ErrorCode::kData,
      {.file = fmt::format("{}: {}", database.name(), table), .row = row, .path = column}, what,
      std::move(hint));
}

std::string TextOfNumber(const SqliteStatement& statement, int column, ValueKind* kind) {
  *kind = ValueKind::kNumber;
  if (statement.Type(column) == SQLITE_INTEGER) return std::to_string(statement.Integer(column));
  const double number = statement.Real(column);
  if (std::isfinite(number)) return NumberText(number);
  *kind = ValueKind::kString;
  return number > 0 ? "Infinity" : "-Infinity";
}

std::string SelectSql(const std::string& table, const std::vector<std::string>& columns,
                      uint64_t limit) {
  std::string sql = "SELECT ";
  // With the table's name before it, since SQLite takes an unknown name in quotes for a text.
  for (const std::string& column : columns) {
    sql += QuoteSqlName(table) + "." + QuoteSqlName(column) + ", ";
  }
  // A row counts even where no column of it is wanted; an index must not decide on the order.
  sql += "NULL FROM " + QuoteSqlName(table) + " NOT INDEXED";
  if (limit > 0) sql += fmt::format(" LIMIT {}", limit);
  return sql;
}

}  // namespace

Result<std::vector<SqliteTable>> ListSqliteTables(SqliteDatabase& database) {
  THICKET_ASSIGN(SqliteStatement statement,
                 database.Prepare("SELECT name, type = 'view' FROM sqlite_schema "
                                  "WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*' "
                                  "ORDER BY type, name"));
  std::vector<SqliteTable> tables;
  while (true) {
    THICKET_ASSIGN(const bool more, statement.Step());
    if (!more) return tables;
    tables.push_back({std::string(statement.Text(0)), statement.Integer(1) != 0});
  }
}

Result<std::vector<SqliteColumn>> ListSqliteColumns(SqliteDatabase& database,
                                                    const SqliteTable& table) {
  // Hidden columns of virtual tables (1) are parameters, not data.
  THICKET_ASSIGN(SqliteStatement statement,
                 database.Prepare("SELECT name, type, pk > 0 FROM pragma_table_xinfo(?1) "
                                  "WHERE hidden <> 1 ORDER BY cid"));
  statement.Bind(1, table.name);
  std::vector<SqliteColumn> columns;
  while (true) {
    THICKET_ASSIGN(const bool more, statement.Step());
    if (!more) return columns;
    columns.push_back({std::string(statement.Text(0)),
                       table.view ? "" : std::string(statement.Text(1)),
                       statement.Integer(2) != 0});
  }
}

Result<std::vector<CatalogueForeignKey>> ListSqliteForeignKeys(SqliteDatabase& database,
                                                               const SqliteTable& table) {
  THICKET_ASSIGN(SqliteStatement statement,
                 database.Prepare("SELECT min(\"from\"), min(\"table\"), min(\"to\") "
                                  "FROM pragma_foreign_key_list(?1) "
                                  "GROUP BY id HAVING count(*) = 1 ORDER BY id DESC"));
  statement.Bind(1, table.name);
  std::vector<CatalogueForeignKey> keys;
  while (true) {
    THICKET_ASSIGN(const bool more, statement.Step());
    if (!more) return keys;
    keys.push_back({std::string(statement.Text(0)), std::string(statement.Text(1)),
                    std::string(statement.Text(2))});
  }
}

Result<uint64_t> CountSqliteRows(SqliteDatabase& database, const std::string& table) {
  THICKET_ASSIGN(SqliteStatement statement,
                 database.Prepare("SELECT count(*) FROM " + QuoteSqlName(table)));
  THICKET_TRY(statement.Step());
  return static_cast<uint64_t>(statement.Integer(0));
}

Status ScanSqliteTable(SqliteDatabase& database, const std::string& table,
                       const std::vector<std::string>& columns, uint64_t limit,
                       const SqliteRow& row) {
  THICKET_ASSIGN(SqliteStatement statement, database.Prepare(SelectSql(table, columns, limit)));
  std::vector<TableJoin::Field> fields(columns.size());
  std::vector<std::string> numbers(columns.size());
  for (uint64_t number = 1;; ++number) {
    THICKET_ASSIGN(const bool more, statement.Step());
    if (!more) return {};
    for (size_t i = 0; i < columns.size(); ++i) {
      const int column = static_cast<int>(i);
      TableJoin::Field& field = fields[i];
      switch (statement.Type(column)) {
        case SQLITE_NULL:
          field = {};
          break;
        case SQLITE_TEXT:
          field = {ValueKind::kString, statement.Text(column)};
          if (!simdjson::validate_utf8(field.text.data(), field.text.size())) {
            return Wrong(database, table, number, columns[i], "must be UTF-8, but a byte is not",
                         "correct the text in the database");
          }
          break;
        case SQLITE_BLOB:
          return Wrong(database, table, number, columns[i],
                       "must be text or a number, but is a BLOB",
                       "put the column under drop, or convert it in a view");
        default:
          numbers[i] = TextOfNumber(statement, column, &field.kind);
          field.text = numbers[i];
          field.real = statement.Type(column) == SQLITE_FLOAT;
      }
    }
    THICKET_TRY(row(fields, number));
  }
}

}  // namespace thicket
