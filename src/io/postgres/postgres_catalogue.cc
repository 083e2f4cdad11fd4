#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/postgres/postgres_tables.h"
#include "io/tables/database_catalogue.h"

namespace thicket {

namespace {

// A connection whose transaction is open, and the schema on it.
struct Opened {
  std::unique_ptr<PostgresConnection> connection;
  std::string schema;
};

Result<Opened> Open(const std::string& location, const std::string& schema) {
  InputPolicy input;
  input.format = Format::kPostgresql;
  input.path = location;
  input.schema = schema;
  THICKET_ASSIGN(const PostgresPlace place, FindPostgres(input, ""));
  THICKET_ASSIGN(auto connection, PostgresConnection::Connect(place.connection));
  THICKET_TRY(BeginPostgresRead(*connection));
  return Opened{std::move(connection), place.schema};
}

template <typename Items>
const typename Items::value_type* FindByName(const Items& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

Error NotThere(const std::string& where, const std::string& what, const std::string& name) {
  return ErrorAt(ErrorCode::kData, {.file = where},
                 std::string("must have the ") + what + " " + name + ", but has none",
                 "correct the name");
}

}  // namespace

Result<std::vector<CatalogueTable>> ReadPostgresCatalogue(const std::string& location,
                                                          const std::string& schema) {
  THICKET_ASSIGN(const Opened opened, Open(location, schema));
  THICKET_ASSIGN(const std::vector<PostgresTable> found,
                 ListPostgresTables(*opened.connection, opened.schema));
  std::vector<CatalogueTable> tables;
  for (const PostgresTable& each : found) {
    CatalogueTable table;
    table.name = each.name;
    table.rows = each.view ? 0 : each.rows;
    THICKET_ASSIGN(const std::vector<PostgresColumn> columns,
                   ListPostgresColumns(*opened.connection, each));
    for (const PostgresColumn& column : columns) {
      table.columns.push_back({column.name, column.type, column.primary_key,
                               column.values != PostgresColumn::Values::kNone});
    }
    THICKET_ASSIGN(table.foreign_keys, ListPostgresForeignKeys(*opened.connection, each));
    tables.push_back(std::move(table));
  }
  return tables;
}

Status ForEachPostgresRow(const std::string& location, const std::string& schema,
                          const std::string& table, const std::vector<std::string>& columns,
                          uint64_t limit, const CatalogueRow& row) {
  THICKET_ASSIGN(const Opened opened, Open(location, schema));
  THICKET_ASSIGN(const std::vector<PostgresTable> tables,
                 ListPostgresTables(*opened.connection, opened.schema));
  const PostgresTable* found = FindByName(tables, table);
  if (found == nullptr) return NotThere("schema " + opened.schema, "table", table);
  THICKET_ASSIGN(const std::vector<PostgresColumn> all,
                 ListPostgresColumns(*opened.connection, *found));
  std::vector<PostgresColumn> wanted;
  for (const std::string& name : columns) {
    const PostgresColumn* column = FindByName(all, name);
    if (column == nullptr) return NotThere(found->path(), "column", name);
    wanted.push_back(*column);
  }
  return ScanPostgresTable(
      *opened.connection, *found, wanted, limit,
      [&](const std::vector<TableJoin::Field>& fields, uint64_t) { return row(fields); });
}

}  // namespace thicket
