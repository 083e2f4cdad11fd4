#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/sqlite/sqlite_tables.h"
#include "io/tables/database_catalogue.h"

namespace thicket {

namespace {

constexpr char kCheckPath[] = "check the path";

bool IsBlob(std::string type) {
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return type.find("BLOB") != std::string::npos;
}

void NameReferencedColumns(std::vector<CatalogueTable>& tables) {
  for (CatalogueTable& table : tables) {
    for (CatalogueForeignKey& key : table.foreign_keys) {
      if (!key.referenced_column.empty()) continue;
      for (const CatalogueTable& other : tables) {
        if (other.name != key.table) continue;
        for (const CatalogueColumn& column : other.columns) {
          if (column.primary_key) key.referenced_column = column.name;
        }
      }
    }
  }
}

}  // namespace

Result<std::vector<CatalogueTable>> ReadSqliteCatalogue(const std::string& path) {
  THICKET_ASSIGN(const std::unique_ptr<SqliteDatabase> database,
                 SqliteDatabase::OpenToRead(path, kCheckPath));
  THICKET_TRY(database->Execute("BEGIN"));
  THICKET_ASSIGN(const std::vector<SqliteTable> found, ListSqliteTables(*database));
  std::vector<CatalogueTable> tables;
  for (const SqliteTable& each : found) {
    CatalogueTable table;
    table.name = each.name;
    THICKET_ASSIGN(const std::vector<SqliteColumn> columns, ListSqliteColumns(*database, each));
    for (const SqliteColumn& column : columns) {
      table.columns.push_back({column.name, column.type, column.primary_key, !IsBlob(column.type)});
    }
    THICKET_ASSIGN(table.foreign_keys, ListSqliteForeignKeys(*database, each));
    THICKET_ASSIGN(table.rows, CountSqliteRows(*database, each.name));
    tables.push_back(std::move(table));
  }
  NameReferencedColumns(tables);
  return tables;
}

Status ForEachSqliteRow(const std::string& path, const std::string& table,
                        const std::vector<std::string>& columns, uint64_t limit,
                        const CatalogueRow& row) {
  THICKET_ASSIGN(const std::unique_ptr<SqliteDatabase> database,
                 SqliteDatabase::OpenToRead(path, kCheckPath));
  return ScanSqliteTable(
      *database, table, columns, limit,
      [&](const std::vector<TableJoin::Field>& fields, uint64_t) { return row(fields); });
}

}  // namespace thicket
