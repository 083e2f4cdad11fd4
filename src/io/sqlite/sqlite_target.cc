#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/decimal.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/data_target.h"
#include "io/file/atomic_file.h"
#include "io/file/file_plan.h"
#include "io/sqlite/sqlite_database.h"
#include "io/sqlite/sqlite_pages.h"
#include "io/tables/outgoing_tables.h"
#include "io/tables/sql_name.h"

namespace thicket {

namespace {

using Role = OutgoingColumn::Role;

constexpr uint64_t kRowsBetweenLooks = 4096;

std::string UpperCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// Section 3.1 of SQLite's "Datatypes": the rules in their order.
bool HasTextAffinity(const std::string& type) {
  const std::string upper = UpperCase(type);
  const auto has = [&](std::string_view word) { return upper.find(word) != std::string::npos; };
  return !has("INT") && (has("CHAR") || has("CLOB") || has("TEXT"));
}

// The one name of all types that hold the same values: any text is a type to SQLite, so a type's own name could say anything.
std::string TypeSql(const std::string& type) {
  const std::string upper = UpperCase(type);
  const auto has = [&](std::string_view word) { return upper.find(word) != std::string::npos; };
  // ANY holds everything as it is in a strict table, and turns text into numbers elsewhere.
  if (upper.empty() || upper == "ANY") return "";
  if (has("INT")) return " INTEGER";
  if (HasTextAffinity(type)) return " TEXT";
  if (has("BLOB")) return "";
  return has("REAL") || has("FLOA") || has("DOUB") ? " REAL" : " NUMERIC";
}

std::optional<int64_t> WholeNumber(std::string_view text) {
  int64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  const bool same =
      error == std::errc() && end == text.data() + text.size() && std::to_string(whole) == text;
  return same ? std::optional<int64_t>(whole) : std::nullopt;
}

std::optional<double> RealNumber(std::string_view text) {
  const std::optional<double> number = ParseNumber(text);
  return number && NumberText(*number) == text ? number : std::nullopt;
}

// A type that makes numbers of texts would round those of a database whose numbers are longer.
bool WouldRound(const Dictionary& values) {
  for (Symbol symbol = 1; symbol < values.size(); ++symbol) {
    StopPoint();
    const std::string_view text = values.text(symbol);
    if (!Decimal::IsNumber(text) || WholeNumber(text)) continue;
    const std::optional<double> real = ParseNumber(text);
    if (!real || Decimal::Parse(text) != Decimal(*real)) return true;
  }
  return false;
}

std::string ColumnSql(const OutgoingColumn& column, const Schema& schema,
                      const std::vector<Dictionary>& values) {
  std::string name = QuoteSqlName(column.name);
  switch (column.role) {
    case Role::kKey:
      return name + " INTEGER PRIMARY KEY";
    case Role::kParent:
    case Role::kAncestor: {
      const VertexClass& target = schema.classes[column.target];
      return fmt::format("{} INTEGER{} REFERENCES {}({})", name, column.nullable ? "" : " NOT NULL",
                         QuoteSqlName(target.table), QuoteSqlName(target.key));
    }
    case Role::kClassNumber:
      return name + " INTEGER";
    case Role::kQuasi:
      // Labels are texts: a type that makes numbers of them would change some.
      return name + (HasTextAffinity(column.type) ? TypeSql(column.type) : "");
    case Role::kOther:
      if (!HasTextAffinity(column.type) && WouldRound(values[column.slot])) return name;
      break;
  }
  return name + TypeSql(column.type);
}

// A number goes in as one where it comes out with the same text, and as that text elsewhere.
void BindNumber(SqliteStatement& statement, int index, std::string_view text) {
  if (const std::optional<int64_t> whole = WholeNumber(text)) {
    statement.Bind(index, *whole);
  } else if (const std::optional<double> real = RealNumber(text)) {
    statement.Bind(index, *real);
  } else {
    statement.Bind(index, text);
  }
}

void BindValue(SqliteStatement& statement, int index, const OutgoingValue& value) {
  switch (value.kind) {
    case ValueKind::kNone:
      statement.BindNull(index);
      break;
    case ValueKind::kNumber:
      BindNumber(statement, index, value.text);
      break;
    case ValueKind::kString:
    case ValueKind::kBoolean:
      statement.Bind(index, value.text);
  }
}

bool IsCompressed(const std::string& path) {
  const std::string_view end =
      std::string_view(path).substr(path.size() - std::min(path.size(), size_t{4}));
  return end == ".zst" || (end.size() > 3 && end.substr(1) == ".gz");
}

// What SQLite left beside a file that is in use would be taken for the new file's. Also where that is a link: SQLite looks
// beside what the link leads to.
Status MustNotBeInUse(const std::string& path) {
  for (const std::string& journal : SqliteJournals(path)) {
    struct stat status {};
    if (lstat(journal.c_str(), &status) != 0) continue;
    return ErrorAt(
        ErrorCode::kIo, {.file = path}, fmt::format("must not be in use, but {} is there", journal),
        "close the programs that use it and remove what they left, or write somewhere else "
        "with -o");
  }
  return {};
}

class SqliteTarget final : public DataTarget {
 public:
  SqliteTarget(const Policy& policy, std::string path, std::unique_ptr<AtomicFile> file)
      : policy_(&policy), path_(std::move(path)), file_(std::move(file)) {}

  Status Write(OutgoingRecords& records, const WriteOptions& options, Progress& progress) override {
    THICKET_TRY(Fill(records, options, progress));
    return file_->Close();
  }

  Result<Dataset> ReadBack(Progress& progress) override {
    return ReadDataset(*policy_, file_->temporary_path(), ReadAs::kPublished, progress);
  }

  bool Replaces() const override { return file_->Replaces(); }
  Status Commit() override {
    THICKET_TRY(MustNotBeInUse(path_));
    return file_->Commit();
  }
  bool MayHaveAppeared() const override { return file_->MayHaveAppeared(); }

 private:
  Status Fill(OutgoingRecords& records, const WriteOptions& options, Progress& progress) {
    THICKET_ASSIGN(std::unique_ptr<SqliteDatabase> database,
                   SqliteDatabase::OpenToFill(file_->temporary_path(), path_));
    database->StopWith(progress);
    OutgoingTables tables(records, options);
    const Schema& schema = records.schema();
    THICKET_TRY(database->Execute("BEGIN"));
    for (size_t i = 0; i < schema.classes.size(); ++i) {
      const auto id = static_cast<ClassId>(i);
      THICKET_TRY(CreateTable(*database, tables, id, schema, records.data().dictionaries[id]));
      THICKET_TRY(FillTable(*database, tables, id, progress));
    }
    THICKET_TRY(database->Execute("COMMIT"));
    // Rows that moved while pages were split have left copies of themselves behind.
    THICKET_ASSIGN(const std::vector<SqliteTree> trees, ListSqliteTrees(*database));
    database.reset();
    return WipeSqliteFile(file_->temporary_path(), path_, trees);
  }

  static Status CreateTable(SqliteDatabase& database, const OutgoingTables& tables, ClassId id,
                            const Schema& schema, const std::vector<Dictionary>& values) {
    std::string columns;
    for (const OutgoingColumn& column : tables.columns(id)) {
      columns += (columns.empty() ? "" : ", ") + ColumnSql(column, schema, values);
    }
    return database.Execute(
        fmt::format("CREATE TABLE {} ({})", QuoteSqlName(tables.name(id)), columns));
  }

  static Status FillTable(SqliteDatabase& database, OutgoingTables& tables, ClassId id,
                          Progress& progress) {
    std::string places;
    for (size_t i = 0; i < tables.columns(id).size(); ++i) places += i == 0 ? "?" : ", ?";
    THICKET_ASSIGN(SqliteStatement insert,
                   database.Prepare(fmt::format("INSERT INTO {} VALUES ({})",
                                                QuoteSqlName(tables.name(id)), places)));
    uint64_t rows = 0;
    return tables.ForEachRow(id, [&](const std::vector<OutgoingValue>& row) -> Status {
      if (++rows % kRowsBetweenLooks == 0 && progress.cancelled()) return Interrupted();
      for (size_t i = 0; i < row.size(); ++i) BindValue(insert, static_cast<int>(i) + 1, row[i]);
      THICKET_TRY(insert.Step());
      return {};
    });
  }

  const Policy* policy_;
  std::string path_;
  std::unique_ptr<AtomicFile> file_;
};

}  // namespace

Result<std::unique_ptr<DataTarget>> CreateSqliteTarget(const Policy& policy,
                                                       const OutputPlace& place) {
  if (IsCompressed(place.path)) {
    return ErrorAt(ErrorCode::kUsage, {.file = place.path},
                   "a SQLite database must not be compressed, but the name ends so",
                   "name it .db, and compress it afterwards");
  }
  THICKET_TRY(MustNotBeInUse(place.path));
  THICKET_ASSIGN(auto file, AtomicFile::Create(place.path, place.file_mode()));
  return std::unique_ptr<DataTarget>(
      std::make_unique<SqliteTarget>(policy, place.path, std::move(file)));
}

}  // namespace thicket
