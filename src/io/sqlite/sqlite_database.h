// An open SQLite file, and statements on it.
//
// A file is opened to be read (a locked one is waited for, two seconds; one transaction sees one state of it), or to be
// filled, when it is new and nobody else knows of it. Content is not trusted: views get none of SQLite's dangerous
// functions.
//
//   THICKET_ASSIGN(auto database, SqliteDatabase::OpenToRead("students.db", "check the path"));
//   THICKET_ASSIGN(SqliteStatement statement, database->Prepare("SELECT name FROM sqlite_schema"));
//   while (true) {
//     THICKET_ASSIGN(bool more, statement.Step());
//     if (!more) break;
//     Use(statement.Text(0));
//   }
//
// Errors name the file: kIo where it cannot be read or written, kData where it is no database or a damaged one. A
// statement must not outlive its database.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"

namespace thicket {

class SqliteDatabase;

class SqliteStatement {
 public:
  // Binds the parameter `index`, from 1 on; the text must live until the next Step() is done, which also says whether
  // that failed.
  void Bind(int index, std::string_view text);
  void Bind(int index, int64_t number);
  void Bind(int index, double number);
  void BindNull(int index);

  // Goes to the next row; false if there is none, and the statement can run again.
  Result<bool> Step();

  // A value of the row, by column from 0 on; texts are valid until the next Step(). Throws std::bad_alloc, as any other
  // text does, where there is no memory for one.
  int Type(int column) const { return sqlite3_column_type(statement_.get(), column); }
  int64_t Integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  double Real(int column) const { return sqlite3_column_double(statement_.get(), column); }
  std::string_view Text(int column) const;

 private:
  friend class SqliteDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  SqliteStatement(const SqliteDatabase& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}
  void Keep(int code);

  const SqliteDatabase* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  // Of the first Bind() that failed.
  int bound_ = SQLITE_OK;
};

class SqliteDatabase {
 public:
  // `if_missing` is the next step where there is no such file.
  static Result<std::unique_ptr<SqliteDatabase>> OpenToRead(const std::string& path,
                                                            std::string_view if_missing);
  // An empty file that is there already; `name` is what messages call it. What is written to it is not safe from a
  // crash before the caller has synced the file.
  static Result<std::unique_ptr<SqliteDatabase>> OpenToFill(const std::string& path,
                                                            std::string name);

  // Statements stop with Interrupted() when the user wants to. The progress must outlive the database.
  void StopWith(const Progress& progress);

  Status Execute(const std::string& sql);
  Result<SqliteStatement> Prepare(const std::string& sql);

  const std::string& name() const { return name_; }
  // What the result of a call to SQLite means; and of a call that runs a statement, whose message may quote a value.
  Error Failed(int code) const;
  Error FailedToRun(int code) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };

  explicit SqliteDatabase(std::string name, bool filling)
      : name_(std::move(name)), filling_(filling) {}
  Status Open(const std::string& path, int flags);
  Error CannotRead(int code) const;
  Error CannotWrite(int code) const;

  std::string name_;
  bool filling_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace thicket
