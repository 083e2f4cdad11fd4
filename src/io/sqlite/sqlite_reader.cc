#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/memory.h"
#include "base/text.h"
#include "io/one_way.h"
#include "io/readers.h"
#include "io/sqlite/sqlite_content.h"
#include "io/sqlite/sqlite_tables.h"
#include "io/tables/table_join.h"

namespace thicket {

namespace {

constexpr uint64_t kRowsBetweenReports = 4096;
// A row may be as long as it likes.
constexpr uint64_t kRowsBetweenChecks = 64;

class SqliteReader {
 public:
  SqliteReader(const Policy& policy, SqliteDatabase& database, Progress& progress,
               DatasetSink& sink)
      : schema_(policy.schema.get()),
        database_(&database),
        progress_(&progress),
        sink_(&sink),
        join_(policy, sink) {}

  Status Run() {
    THICKET_TRY(FindTables());
    uint64_t rows = 0;
    for (const SqliteTable& table : tables_) {
      THICKET_ASSIGN(const uint64_t count, CountSqliteRows(*database_, table.name));
      rows += count;
    }
    progress_->Begin("read", rows);
    for (size_t id = 0; id < tables_.size(); ++id) {
      THICKET_TRY(ReadTable(static_cast<ClassId>(id), tables_[id]));
    }
    THICKET_TRY(join_.Finish());
    progress_->End();
    return {};
  }

 private:
  Status FindTables() {
    THICKET_ASSIGN(const std::vector<SqliteTable> all, ListSqliteTables(*database_));
    for (const VertexClass& type : schema_->classes) {
      const auto found = std::find_if(all.begin(), all.end(), [&](const SqliteTable& table) {
        return table.name == type.table;
      });
      if (found == all.end()) return MissingTable(type.table, all);
      tables_.push_back(*found);
    }
    return {};
  }

  Error MissingTable(const std::string& name, const std::vector<SqliteTable>& all) const {
    std::vector<std::string> names;
    for (const SqliteTable& table : all) names.push_back(table.name);
    const auto nearest = Nearest(name, names);
    return ErrorAt(ErrorCode::kData, {.file = database_->name()},
                   fmt::format("must have the table {}, but has {}", name,
                               names.empty() ? "no tables" : "none of this name"),
                   nearest ? fmt::format("did you mean {}?", *nearest)
                   : names.empty()
                       ? "check that it is the right file"
                       : "correct table in the policy, or check that it is the right file");
  }

  Status ReadTable(ClassId id, const SqliteTable& table) {
    THICKET_ASSIGN(const std::vector<SqliteColumn> columns, ListSqliteColumns(*database_, table));
    std::vector<TableJoin::Column> declared;
    for (const SqliteColumn& column : columns) declared.push_back({column.name, column.type});
    THICKET_ASSIGN(const std::vector<CatalogueForeignKey> keys,
                   ListSqliteForeignKeys(*database_, table));
    join_.AddReferences(keys, declared);
    const std::string source = fmt::format("{}: {}", database_->name(), table.name);
    THICKET_TRY(join_.BeginTable(id, source, declared));
    std::vector<std::string> wanted;
    std::vector<size_t> place;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (!join_.Wants(i)) continue;
      wanted.push_back(columns[i].name);
      place.push_back(i);
    }
    std::vector<TableJoin::Field> row(columns.size());
    // By column: whether whole numbers are stored as such, or as 1.0.
    std::vector<OneForm> whole(columns.size());
    THICKET_TRY(ScanSqliteTable(
        *database_, table.name, wanted, 0,
        [&](const std::vector<TableJoin::Field>& fields, uint64_t number) -> Status {
          for (size_t i = 0; i < fields.size(); ++i) {
            row[place[i]] = fields[i];
            if (!join_.IsQuasi(place[i]) || !IsWhole(fields[i])) continue;
            if (whole[place[i]].Meet(fields[i].real ? 1 : 0)) continue;
            sink_->TellApartAt(fmt::format("{}: row {}: {}", source, number, wanted[i]),
                               "whole numbers must be stored in the same way throughout, but this "
                               "one is not");
          }
          if (number % kRowsBetweenReports == 0) progress_->Advance(kRowsBetweenReports);
          if (number % kRowsBetweenChecks == 0) {
            Status held = CheckMemory(*progress_, source);
            if (!held.ok()) return held;
          }
          return join_.AddRow(row, static_cast<uint32_t>(number));
        }));
    return join_.EndTable();
  }

  static bool IsWhole(const TableJoin::Field& field) {
    return field.kind == ValueKind::kNumber &&
           field.text.find_first_of(".eE") == std::string_view::npos;
  }

  const Schema* schema_;
  SqliteDatabase* database_;
  Progress* progress_;
  DatasetSink* sink_;
  TableJoin join_;
  // By class.
  std::vector<SqliteTable> tables_;
};

}  // namespace

Status ReadSqlite(const Policy& policy, const std::string& path, Progress& progress,
                  DatasetSink& sink) {
  sink.dataset().has_lines = false;
  if (sink.published()) FindSqliteJournals(path, sink);
  THICKET_ASSIGN(std::unique_ptr<SqliteDatabase> database,
                 SqliteDatabase::OpenToRead(
                     path, sink.published() ? "check the path"
                                            : "check the path, and input.path in the policy"));
  database->StopWith(progress);
  // One state of all tables, whatever others do meanwhile. It ends with the connection.
  THICKET_TRY(database->Execute("BEGIN"));
  THICKET_TRY(SqliteReader(policy, *database, progress, sink).Run());
  if (!sink.published()) return {};
  THICKET_TRY(FindSqliteContent(*database, *policy.schema, sink));
  THICKET_ASSIGN(const std::vector<SqliteTree> trees, ListSqliteTrees(*database));
  database.reset();
  return FindSqliteLeftoversOf(path, trees, sink);
}

}  // namespace thicket
