#include "io/postgres/postgres_tables.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "base/text.h"
#include "io/postgres/postgres_copy.h"
#include "io/tables/sql_name.h"

namespace thicket {

namespace {

using Values = PostgresColumn::Values;

constexpr char kDoing[] = "look at its catalogue";

constexpr char kTables[] =
    "SELECT c.relname, c.oid, c.relkind IN ('v', 'm'), greatest(c.reltuples, 0)::bigint "
    "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'f', 'v', 'm') "
    "ORDER BY c.relkind IN ('v', 'm'), c.relname";

// A domain is followed to the type below it.
constexpr char kColumns[] =
    "WITH RECURSIVE type_of (number, type, modifier) AS ("
    "  SELECT attnum, atttypid, atttypmod FROM pg_catalog.pg_attribute "
    "  WHERE attrelid = $1::oid AND attnum > 0 AND NOT attisdropped "
    "UNION ALL "
    "  SELECT number, t.typbasetype, t.typtypmod "
    "  FROM type_of JOIN pg_catalog.pg_type t ON t.oid = type_of.type WHERE t.typtype = 'd') "
    "SELECT a.attname, pg_catalog.format_type(t.oid, type_of.modifier), n.nspname = 'pg_catalog', "
    "  t.typname, t.typtype, t.typcategory, "
    "  EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = a.attrelid "
    "          AND i.indisprimary AND a.attnum = ANY (i.indkey)) "
    "FROM type_of JOIN pg_catalog.pg_type t ON t.oid = type_of.type AND t.typtype <> 'd' "
    "JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace "
    "JOIN pg_catalog.pg_attribute a ON a.attrelid = $1::oid AND a.attnum = type_of.number "
    "ORDER BY a.attnum";

constexpr char kForeignKeys[] =
    "SELECT a.attname, c.relname, r.attname "
    "FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.confrelid "
    "JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1] "
    "JOIN pg_catalog.pg_attribute r ON r.attrelid = k.confrelid AND r.attnum = k.confkey[1] "
    "WHERE k.conrelid = $1::oid AND k.contype = 'f' AND pg_catalog.cardinality(k.conkey) = 1 "
    "AND c.relnamespace = (SELECT relnamespace FROM pg_catalog.pg_class WHERE oid = $1::oid) "
    "ORDER BY a.attnum, k.conname";

// From pg_type: name, what it is a kind of (b: base, e: enum, ...), and what it is like.
Values ValuesOf(const std::string& name, bool built_in, char kind, char category) {
  constexpr std::string_view kNumbers[] = {"int2", "int4", "int8", "float4", "float8", "numeric"};
  constexpr std::string_view kOthers[] = {"uuid", "macaddr", "macaddr8", "char"};
  const auto is_in = [&](const auto& names) {
    return built_in && std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  if (kind != 'b' && kind != 'e') return Values::kNone;
  if (is_in(kNumbers)) return Values::kNumber;
  if (built_in && name == "bool") return Values::kBoolean;
  if (built_in && name == "bpchar") return Values::kPaddedText;
  // Bits, dates, enums, network addresses, numbers of other kinds (money), strings, spans of time.
  constexpr std::string_view kLikeText = "VDEINST";
  const bool text = kLikeText.find(category) != std::string_view::npos || is_in(kOthers);
  return text ? Values::kText : Values::kNone;
}

TableJoin::Field FieldOf(const CopyField& value, Values values) {
  if (!value) return {};
  std::string_view text = *value;
  switch (values) {
    case Values::kNumber: {
      // NaN and Infinity are no numbers elsewhere.
      const char last = text.empty() ? ' ' : text.back();
      const bool finite = last >= '0' && last <= '9';
      return {finite ? ValueKind::kNumber : ValueKind::kString, text};
    }
    case Values::kBoolean:
      return {ValueKind::kBoolean, text == "t" ? "true" : "false"};
    case Values::kPaddedText:
      while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
      break;
    case Values::kText:
    case Values::kNone:
      break;
  }
  return {ValueKind::kString, text};
}

Error MissingSchema(const PostgresConnection& connection, const std::string& schema,
                    const std::vector<std::string>& schemas) {
  const auto nearest = Nearest(schema, schemas);
  return ErrorAt(ErrorCode::kData, {.file = connection.name()},
                 fmt::format("must have the schema {}, but has none of this name", schema),
                 nearest ? fmt::format("did you mean {}?", *nearest)
                         : "correct the name, or create the schema");
}

Status MustBePlain(const PostgresTable& table, const std::vector<PostgresColumn>& columns) {
  for (const PostgresColumn& column : columns) {
    if (column.values != Values::kNone) continue;
    return ErrorAt(ErrorCode::kData, {.file = table.path(), .path = column.name},
                   fmt::format("must have a type of plain values, but is of type {}", column.type),
                   "put it under drop, or cast it in a view");
  }
  return {};
}

}  // namespace

Status SetPostgresValueForms(PostgresConnection& connection) {
  return connection.Execute(
      "SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres'; "
      "SET LOCAL extra_float_digits = 3; "
      // The same order in each run.
      "SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0; "
      // Large tables take their time, and so does the check between writing and COMMIT.
      "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0",
      "begin");
}

Status BeginPostgresRead(PostgresConnection& connection) {
  THICKET_TRY(
      connection.Execute("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", "begin"));
  return SetPostgresValueForms(connection);
}

Result<std::vector<PostgresTable>> ListPostgresTables(PostgresConnection& connection,
                                                      const std::string& schema) {
  THICKET_ASSIGN(const PostgresRows schemas,
                 connection.Query("SELECT nspname FROM pg_catalog.pg_namespace", {}, kDoing));
  std::vector<std::string> names;
  for (int i = 0; i < schemas.count(); ++i) names.push_back(schemas.Text(i, 0));
  if (std::find(names.begin(), names.end(), schema) == names.end()) {
    return MissingSchema(connection, schema, names);
  }
  THICKET_ASSIGN(const PostgresRows rows, connection.Query(kTables, {schema}, kDoing));
  std::vector<PostgresTable> tables;
  for (int i = 0; i < rows.count(); ++i) {
    tables.push_back({schema, rows.Text(i, 0), rows.Text(i, 1), rows.IsTrue(i, 2),
                      std::stoull(rows.Text(i, 3))});
  }
  return tables;
}

Result<std::vector<PostgresColumn>> ListPostgresColumns(PostgresConnection& connection,
                                                        const PostgresTable& table) {
  THICKET_ASSIGN(const PostgresRows rows,
                 connection.Query(kColumns, {table.oid}, "look at " + table.path()));
  std::vector<PostgresColumn> columns;
  for (int i = 0; i < rows.count(); ++i) {
    PostgresColumn column;
    column.name = rows.Text(i, 0);
    column.type = rows.Text(i, 1);
    column.built_in = rows.IsTrue(i, 2);
    column.values = ValuesOf(rows.Text(i, 3), column.built_in, rows.Text(i, 4).front(),
                             rows.Text(i, 5).front());
    column.primary_key = rows.IsTrue(i, 6);
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<std::vector<CatalogueForeignKey>> ListPostgresForeignKeys(PostgresConnection& connection,
                                                                 const PostgresTable& table) {
  THICKET_ASSIGN(const PostgresRows rows,
                 connection.Query(kForeignKeys, {table.oid}, "look at " + table.path()));
  std::vector<CatalogueForeignKey> keys;
  for (int i = 0; i < rows.count(); ++i) {
    keys.push_back({rows.Text(i, 0), rows.Text(i, 1), rows.Text(i, 2)});
  }
  return keys;
}

Status ScanPostgresTable(PostgresConnection& connection, const PostgresTable& table,
                         const std::vector<PostgresColumn>& columns, uint64_t limit,
                         const PostgresRow& row) {
  THICKET_TRY(MustBePlain(table, columns));
  std::string names;
  for (const PostgresColumn& column : columns) names += QuoteSqlName(column.name) + ", ";
  // A row counts even where no column of it is wanted.
  const std::string copy =
      fmt::format("COPY (SELECT {}NULL FROM {}.{}{}) TO STDOUT", names, QuoteSqlName(table.schema),
                  QuoteSqlName(table.name), limit > 0 ? fmt::format(" LIMIT {}", limit) : "");
  CopyRow fields;
  std::vector<TableJoin::Field> values(columns.size());
  uint64_t number = 0;
  return connection.CopyOut(copy, "read " + table.path(), [&](std::string_view text) -> Status {
    ++number;
    if (!fields.Parse(text) || fields.fields().size() != columns.size() + 1) {
      return ErrorAt(ErrorCode::kIo, {.file = table.path(), .row = number},
                     "must be a row of COPY, but is not",
                     "check that the server is a PostgreSQL server");
    }
    if (!simdjson::validate_utf8(text.data(), text.size())) {
      return ErrorAt(ErrorCode::kData, {.file = table.path(), .row = number},
                     "must be UTF-8, but a byte is not",
                     "correct the text; a database with encoding SQL_ASCII does not check it");
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      values[i] = FieldOf(fields.fields()[i], columns[i].values);
    }
    return row(values, number);
  });
}

}  // namespace thicket
