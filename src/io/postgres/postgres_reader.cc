#include "io/postgres/postgres_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/memory.h"
#include "base/text.h"
#include "io/postgres/postgres_content.h"
#include "io/postgres/postgres_tables.h"
#include "io/readers.h"
#include "io/tables/table_join.h"

namespace thicket {

namespace {

constexpr uint64_t kRowsBetweenReports = 4096;
// A row may be as long as it likes.
constexpr uint64_t kRowsBetweenChecks = 64;

Error MissingTable(const std::string& schema, const std::string& name,
                   const std::vector<PostgresTable>& all) {
  std::vector<std::string> names;
  for (const PostgresTable& table : all) names.push_back(table.name);
  const auto nearest = Nearest(name, names);
  return {ErrorCode::kData,
          fmt::format("schema {}: must have the table {}, but has {}", schema, name,
                      names.empty() ? "no tables" : "none of this name"),
          nearest ? fmt::format("did you mean {}?", *nearest)
                  : "correct table or input.schema in the policy",
          ""};
}

// The table of each class.
Result<std::vector<PostgresTable>> FindTables(const Schema& classes, PostgresConnection& connection,
                                              const std::string& schema) {
  THICKET_ASSIGN(const std::vector<PostgresTable> all, ListPostgresTables(connection, schema));
  std::vector<PostgresTable> tables;
  for (const VertexClass& type : classes.classes) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const PostgresTable& table) {
      return table.name == type.table;
    });
    if (found == all.end()) return MissingTable(schema, type.table, all);
    tables.push_back(*found);
  }
  return tables;
}

Status ReadTable(PostgresConnection& connection, const PostgresTable& table, ClassId id,
                 TableJoin& join, Progress& progress) {
  THICKET_ASSIGN(const std::vector<PostgresColumn> columns, ListPostgresColumns(connection, table));
  std::vector<TableJoin::Column> declared;
  for (const PostgresColumn& column : columns) {
    declared.push_back({column.name, column.built_in ? column.type : ""});
  }
  THICKET_ASSIGN(const std::vector<CatalogueForeignKey> keys,
                 ListPostgresForeignKeys(connection, table));
  join.AddReferences(keys, declared);
  THICKET_TRY(join.BeginTable(id, table.path(), declared));
  std::vector<PostgresColumn> wanted;
  std::vector<size_t> place;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!join.Wants(i)) continue;
    wanted.push_back(columns[i]);
    place.push_back(i);
  }
  std::vector<TableJoin::Field> row(columns.size());
  THICKET_TRY(ScanPostgresTable(
      connection, table, wanted, 0,
      [&](const std::vector<TableJoin::Field>& fields, uint64_t number) -> Status {
        for (size_t i = 0; i < fields.size(); ++i) row[place[i]] = fields[i];
        if (number % kRowsBetweenReports == 0) progress.Advance(kRowsBetweenReports);
        if (number % kRowsBetweenChecks == 0) {
          Status held = CheckMemory(progress, table.path());
          if (!held.ok()) return held;
        }
        return join.AddRow(row, static_cast<uint32_t>(number));
      }));
  return join.EndTable();
}

}  // namespace

Status ReadPostgresSchema(const Policy& policy, PostgresConnection& connection,
                          const std::string& schema, Progress& progress, DatasetSink& sink) {
  sink.dataset().has_lines = false;
  sink.dataset().source = fmt::format("{}, schema {}", connection.name(), schema);
  connection.StopWith(&progress);
  THICKET_ASSIGN(const std::vector<PostgresTable> tables,
                 FindTables(*policy.schema, connection, schema));
  uint64_t rows = 0;
  for (const PostgresTable& table : tables) rows += table.rows;
  progress.Begin("read", rows);
  TableJoin join(policy, sink);
  for (size_t id = 0; id < tables.size(); ++id) {
    THICKET_TRY(ReadTable(connection, tables[id], static_cast<ClassId>(id), join, progress));
  }
  THICKET_TRY(join.Finish());
  if (sink.published()) THICKET_TRY(FindPostgresContent(connection, schema, tables, sink));
  progress.End();
  connection.StopWith(nullptr);
  return {};
}

Status ReadPostgres(const Policy& policy, const std::string& location, Progress& progress,
                    DatasetSink& sink) {
  THICKET_ASSIGN(const PostgresPlace place, FindPostgres(policy.input, location));
  THICKET_ASSIGN(const auto connection, PostgresConnection::Connect(place.connection));
  THICKET_TRY(BeginPostgresRead(*connection));
  return ReadPostgresSchema(policy, *connection, place.schema, progress, sink);
}

}  // namespace thicket
