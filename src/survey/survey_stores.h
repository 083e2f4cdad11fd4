// Where tables are kept, for looking at them before there is a policy: a folder of CSV files, a SQLite file, a PostgreSQL
// server.
//
//   THICKET_ASSIGN(std::unique_ptr<TableStore> store, TableStore::Open(Format::kTables, "data", ""));
//   for (const CatalogueTable& table : store->tables()) {
//     THICKET_TRY(store->ForEachRow(table.name, {"code", "grade"}, 1000, row));
//   }
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/tables/database_catalogue.h"
#include "policy/policy.h"

namespace thicket {

class TableStore {
 public:
  // `schema` of a PostgreSQL server; empty for "public". `progress` must outlive the store; null: nobody asks. `encoding` is that of
  // CSV files.
  static Result<std::unique_ptr<TableStore>> Open(Format format, const std::string& location,
                                                  const std::string& schema,
                                                  Progress* progress = nullptr,
                                                  TextEncoding encoding = TextEncoding::kUtf8);
  virtual ~TableStore() = default;

  // In the order of their names.
  const std::vector<CatalogueTable>& tables() const { return tables_; }
  // Files that are no tables, each with the reason.
  const std::vector<std::pair<std::string, std::string>>& others() const { return others_; }

  // The first `limit` rows (0: all of them), with one field per column asked for.
  virtual Status ForEachRow(const std::string& table, const std::vector<std::string>& columns,
                            uint64_t limit, const CatalogueRow& row) const = 0;

 protected:
  std::vector<CatalogueTable> tables_;
  std::vector<std::pair<std::string, std::string>> others_;
};

}  // namespace thicket
