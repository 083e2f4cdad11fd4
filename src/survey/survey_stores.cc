#include "survey/survey_stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "base/progress.h"
#include "io/csv/csv_rows.h"
#include "io/file/latin1.h"
#include "io/file/source.h"
#include "survey/survey_formats.h"

namespace thicket {

namespace {

namespace fs = std::filesystem;

// A file's table in a policy, in the order in which a reader looks for the file: "courses" for courses.csv.
struct TableName {
  size_t order = 0;
  std::string table;
};

std::optional<TableName> TableOfFile(const std::string& file) {
  size_t order = 0;
  for (const std::string_view end : {".csv", ".tsv", ".csv.gz", ".csv.zst"}) {
    if (file.size() > end.size() && file.ends_with(end)) {
      return TableName{order, file.substr(0, file.size() - end.size())};
    }
    ++order;
  }
  if (file.ends_with(".tsv.gz") || file.ends_with(".tsv.zst")) return TableName{order, file};
  return std::nullopt;
}

class CsvFolder final : public TableStore {
 public:
  CsvFolder(std::string folder, Progress* progress, TextEncoding encoding)
      : folder_(std::move(folder)),
        progress_(progress != nullptr ? progress : &own_progress_),
        encoding_(encoding) {}

  Status List() {
    std::error_code failure;
    std::vector<std::string> files;
    for (fs::directory_iterator i(folder_, failure), end; !failure && i != end;
         i.increment(failure)) {
      std::error_code ignored;
      const std::string file = i->path().filename().string();
      if (!file.starts_with('.') && !i->is_directory(ignored)) files.push_back(file);
    }
    if (failure) {
      return ErrorAt(ErrorCode::kIo, {.file = folder_},
                     fmt::format("cannot be read: {}", failure.message()), "");
    }
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) Choose(file);
    for (const auto& [table, file] : files_) THICKET_TRY(ReadHeader(table, file.second));
    if (!tables_.empty()) return {};
    return ErrorAt(ErrorCode::kData, {.file = folder_},
                   "a folder must hold tables with a header (.csv or .tsv), but "
                   "holds none",
                   "give the folder that holds them, or one file");
  }

  Status ForEachRow(const std::string& table, const std::vector<std::string>& columns,
                    uint64_t limit, const CatalogueRow& row) const override {
    const std::string path = PathOf(files_.at(table).second);
    THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(path));
    Latin1Source decoded(*source);
    const bool latin1 = encoding_ == TextEncoding::kLatin1;
    CsvRows rows(latin1 ? static_cast<Source&>(decoded) : *source, path, 0, *progress_);
    std::vector<size_t> places;
    std::vector<TableJoin::Field> fields(columns.size());
    uint64_t count = 0;
    EarlyEnd end;
    return end.Settle(rows.ForEach(
        [&](const CsvRows::Fields& header, uint32_t) -> Status {
          for (const std::string& column : columns) {
            const auto found = std::find(header.begin(), header.end(), column);
            places.push_back(static_cast<size_t>(found - header.begin()));
          }
          return {};
        },
        [&](const CsvRows::Fields& texts, uint32_t) -> Status {
          if (limit > 0 && count++ == limit) return end.Now();
          for (size_t i = 0; i < places.size(); ++i) {
            const std::string_view text = texts[places[i]];
            fields[i] = {text.empty() ? ValueKind::kNone : ValueKind::kString, text};
          }
          return row(fields);
        }));
  }

 private:
  std::string PathOf(const std::string& file) const { return (fs::path(folder_) / file).string(); }

  void Choose(const std::string& file) {
    const auto name = TableOfFile(file);
    if (!name) return;
    const auto [at, added] = files_.emplace(name->table, std::pair(name->order, file));
    if (added) return;
    std::string other = file;
    if (name->order < at->second.first) {
      other = at->second.second;
      at->second = {name->order, file};
    }
    others_.emplace_back(other, fmt::format("{} is a file, too", at->second.second));
  }

  Status ReadHeader(const std::string& table, const std::string& file) {
    const std::string path = PathOf(file);
    THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(path));
    Latin1Source decoded(*source);
    const bool latin1 = encoding_ == TextEncoding::kLatin1;
    CsvRows rows(latin1 ? static_cast<Source&>(decoded) : *source, path, 0, *progress_);
    CatalogueTable found;
    found.name = table;
    EarlyEnd end;
    const auto header = [&](const CsvRows::Fields& names, uint32_t) -> Status {
      THICKET_TRY(MustHaveNamesOfTheirOwn(names, path));
      for (const std::string_view column : names) {
        found.columns.push_back({std::string(column), "", false, true});
      }
      return end.Now();
    };
    const auto row = [](const CsvRows::Fields&, uint32_t) { return Status(); };
    THICKET_TRY(end.Settle(rows.ForEach(header, row)));
    if (found.columns.empty()) {
      others_.emplace_back(file, "has no header");
    } else {
      tables_.push_back(std::move(found));
    }
    return {};
  }

  std::string folder_;
  Progress own_progress_;
  Progress* progress_;
  TextEncoding encoding_;
  // By table: how early a reader looks for the file, and the file.
  std::map<std::string, std::pair<size_t, std::string>> files_;
};

class SqliteStore final : public TableStore {
 public:
  explicit SqliteStore(std::string path) : path_(std::move(path)) {}

  Status List() {
    THICKET_ASSIGN(tables_, ReadSqliteCatalogue(path_));
    return {};
  }

  Status ForEachRow(const std::string& table, const std::vector<std::string>& columns,
                    uint64_t limit, const CatalogueRow& row) const override {
    return ForEachSqliteRow(path_, table, columns, limit, row);
  }

 private:
  std::string path_;
};

class PostgresStore final : public TableStore {
 public:
  PostgresStore(std::string location, std::string schema)
      : location_(std::move(location)), schema_(std::move(schema)) {}

  Status List() {
    THICKET_ASSIGN(tables_, ReadPostgresCatalogue(location_, schema_));
    return {};
  }

  Status ForEachRow(const std::string& table, const std::vector<std::string>& columns,
                    uint64_t limit, const CatalogueRow& row) const override {
    return ForEachPostgresRow(location_, schema_, table, columns, limit, row);
  }

 private:
  std::string location_;
  std::string schema_;
};

template <typename Store>
Result<std::unique_ptr<TableStore>> Listed(std::unique_ptr<Store> store) {
  THICKET_TRY(store->List());
  return std::unique_ptr<TableStore>(std::move(store));
}

}  // namespace

Result<std::unique_ptr<TableStore>> TableStore::Open(Format format, const std::string& location,
                                                     const std::string& schema, Progress* progress,
                                                     TextEncoding encoding) {
  switch (format) {
    case Format::kSqlite:
      return Listed(std::make_unique<SqliteStore>(location));
    case Format::kPostgresql:
      return Listed(std::make_unique<PostgresStore>(location, schema));
    default:
      return Listed(std::make_unique<CsvFolder>(location, progress, encoding));
  }
}

}  // namespace thicket
