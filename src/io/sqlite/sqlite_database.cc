#include "io/sqlite/sqlite_database.h"

#include <fmt/format.h>

#include <new>

#include "io/file/source.h"

namespace thicket {

namespace {

constexpr int kWaitForLockMs = 2000;
// How many steps of SQLite's machine pass between two looks at the progress: about a millisecond.
constexpr int kStepsBetweenLooks = 100000;

int WantsToStop(void* progress) { return static_cast<const Progress*>(progress)->cancelled(); }

// SQLite takes some names for more than files.
std::string PlainPath(const std::string& path) {
  return path.empty() || path.front() == '/' ? path : "./" + path;
}

}  // namespace

void SqliteStatement::Bind(int index, std::string_view text) {
  Keep(sqlite3_bind_text64(statement_.get(), index, text.data() == nullptr ? "" : text.data(),
                           text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void SqliteStatement::Bind(int index, int64_t number) {
  Keep(sqlite3_bind_int64(statement_.get(), index, number));
}

void SqliteStatement::Bind(int index, double number) {
  Keep(sqlite3_bind_double(statement_.get(), index, number));
}

void SqliteStatement::BindNull(int index) { Keep(sqlite3_bind_null(statement_.get(), index)); }

void SqliteStatement::Keep(int code) {
  if (bound_ == SQLITE_OK) bound_ = code;
}

Result<bool> SqliteStatement::Step() {
  // A parameter that could not be bound would be NULL.
  if (bound_ != SQLITE_OK) return database_->Failed(bound_);
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  Status status;
  if (code != SQLITE_DONE) status = database_->FailedToRun(code);
  sqlite3_reset(statement_.get());
  if (!status.ok()) return status.error();
  return false;
}

std::string_view SqliteStatement::Text(int column) const {
  const void* text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) {
    // Either NULL, or a text that found no memory; the latter must not be taken for a missing value.
    sqlite3* database = sqlite3_db_handle(statement_.get());
    if (sqlite3_errcode(database) == SQLITE_NOMEM) throw std::bad_alloc();
    return {};
  }
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {static_cast<const char*>(text), static_cast<size_t>(size)};
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::OpenToRead(const std::string& path,
                                                                   std::string_view if_missing) {
  if (path == "-") {
    return Error{ErrorCode::kUsage,
                 "a SQLite database must be a file, but standard input was given", "give its path",
                 ""};
  }
  // SQLite only says that it cannot open a file; this says why.
  THICKET_TRY(Source::Open(path, if_missing));
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(path, false));
  THICKET_TRY(database->Open(path, SQLITE_OPEN_READONLY));
  return database;
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::OpenToFill(const std::string& path,
                                                                   std::string name) {
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(std::move(name), true));
  THICKET_TRY(database->Open(path, SQLITE_OPEN_READWRITE));
  return database;
}

Status SqliteDatabase::Open(const std::string& path, int flags) {
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(PlainPath(path).c_str(), &database,
                                   flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) return Failed(code);
  sqlite3_busy_timeout(database, kWaitForLockMs);
  if (filling_) {
    // No files beside it, and none of SQLite's own safety: a file that was not filled to its end is thrown away.
    return Execute(
        "PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
        "PRAGMA locking_mode = EXCLUSIVE");
  }
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return {};
}

void SqliteDatabase::StopWith(const Progress& progress) {
  sqlite3_progress_handler(database_.get(), kStepsBetweenLooks, WantsToStop,
                           const_cast<Progress*>(&progress));
}

Status SqliteDatabase::Execute(const std::string& sql) {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return Failed(code);
  return {};
}

Result<SqliteStatement> SqliteDatabase::Prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return Failed(code);
  return SqliteStatement(*this, statement);
}

Error SqliteDatabase::Failed(int code) const {
  if ((code & 0xff) == SQLITE_INTERRUPT) return Interrupted();
  return filling_ ? CannotWrite(code) : CannotRead(code);
}

Error SqliteDatabase::FailedToRun(int code) const {
  if ((code & 0xff) != SQLITE_ERROR || filling_) return Failed(code);
  // What SQLite says of a function of a view may quote the value that the function was given.
  return ErrorAt(ErrorCode::kData, {.file = name_},
                 "every row must be readable, but a view or a column that is computed "
                 "fails on one",
                 "look for the row with sqlite3, and correct the view or table");
}

Error SqliteDatabase::CannotRead(int code) const {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return ErrorAt(ErrorCode::kData, {.file = name_}, "must be a SQLite database, but is not",
                     "check that it is the right file, and input.format in the policy");
    case SQLITE_CORRUPT:
      return ErrorAt(ErrorCode::kData, {.file = name_},
                     "must be a whole SQLite database, but is damaged",
                     "look at it with sqlite3 and PRAGMA integrity_check, or fetch it again");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorAt(
          ErrorCode::kIo, {.file = name_},
          "must be free to be read, but another program has locked it",
          "wait until that program is done, or read a copy made with sqlite3 and .backup");
    case SQLITE_READONLY:
      return ErrorAt(ErrorCode::kIo, {.file = name_},
                     "cannot be read: SQLite must make files beside it, since it is in "
                     "WAL mode or was left in the middle of a write, but may not",
                     "copy it, and what stands beside it, to a folder that you may write to");
    case SQLITE_ERROR:
      // About names in a view or table, never about values: SQLite found it out before it read a row (FailedToRun).
      return ErrorAt(ErrorCode::kData, {.file = name_},
                     fmt::format("cannot be queried: {}", sqlite3_errmsg(database_.get())),
                     "correct the view or table");
    default:
      return ErrorAt(
          ErrorCode::kIo, {.file = name_}, fmt::format("cannot be read: {}", sqlite3_errstr(code)),
          code == SQLITE_NOMEM ? "use a machine with more memory"
                               : "look at it with sqlite3; if it opens there, read a copy made "
                                 "with .backup");
  }
}

Error SqliteDatabase::CannotWrite(int code) const {
  // SQLite does not say which error of the system it met; a limit of the file's size is a failed write, too.
  const bool full = (code & 0xff) == SQLITE_FULL || code == SQLITE_IOERR_WRITE;
  return ErrorAt(ErrorCode::kIo, {.file = name_},
                 fmt::format("cannot be written: {}", sqlite3_errstr(code)),
                 full ? "make room, or write somewhere else with -o" : "");
}

}  // namespace thicket
