// A connection to a PostgreSQL server, and what can go wrong with it.
//
//   THICKET_ASSIGN(PostgresPlace place, FindPostgres(policy.input, location));
//   THICKET_ASSIGN(auto connection, PostgresConnection::Connect(place.connection));
//   connection->StopWith(progress);
//   THICKET_ASSIGN(PostgresRows rows, connection->Query("SELECT $1", {"x"}, "ask"));
//
// Passwords come from PGPASSWORD, from ~/.pgpass or from nowhere: one in a connection string is refused. Messages say
// what the server says where that is about names, rights and the connection; where it could be about values (SQLSTATE
// classes 22, 23 and unknown ones) they say the SQLSTATE only.
//
// A connection that is given up in the middle of a statement cancels it, and an open transaction is rolled back.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "io/postgres/libpq.h"
#include "policy/policy.h"

namespace thicket {

struct PostgresPlace {
  // A URL or "host=... dbname=...", without a password.
  std::string connection;
  std::string schema;
};

// What `location` means: a connection string if it holds "://" or "=", else the name of a schema on the policy's
// server; empty for the policy's server and schema.
Result<PostgresPlace> FindPostgres(const InputPolicy& input, const std::string& location);

// What a query gave.
class PostgresRows {
 public:
  explicit PostgresRows(PGresult* result) : result_(result) {}

  int count() const { return libpq::PQntuples(result_.get()); }
  // Empty for NULL.
  std::string Text(int row, int column) const {
    return libpq::PQgetvalue(result_.get(), row, column);
  }
  bool IsTrue(int row, int column) const { return Text(row, column) == "t"; }

 private:
  friend class PostgresConnection;
  struct Clear {
    void operator()(PGresult* result) const { libpq::PQclear(result); }
  };
  ExecStatusType status() const { return libpq::PQresultStatus(result_.get()); }
  std::string Field(int field) const {
    const char* text = libpq::PQresultErrorField(result_.get(), field);
    return text == nullptr ? "" : text;
  }

  std::unique_ptr<PGresult, Clear> result_;
};

class PostgresConnection {
 public:
  // Gives up after ten seconds, unless the connection string or PGCONNECT_TIMEOUT says otherwise.
  static Result<std::unique_ptr<PostgresConnection>> Connect(const std::string& connection);
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;
  ~PostgresConnection();

  // From now on calls stop with Interrupted() when the user wants to; null: never. The progress must outlive the
  // connection or the next StopWith().
  void StopWith(const Progress* progress) { progress_ = progress; }

  // False once the connection is lost: nobody knows what became of the last statement.
  bool IsOpen() const { return libpq::PQstatus(connection_) == CONNECTION_OK; }

  // "database school", for messages.
  std::string name() const;

  // `doing` says in messages what the statement is for: "cannot <doing>".
  Status Execute(const std::string& statements, std::string_view doing);
  // The parameters $1, $2, ... are texts.
  Result<PostgresRows> Query(const std::string& query, const std::vector<std::string>& parameters,
                             std::string_view doing);

  // COPY ... TO STDOUT, row by row. The row is valid during the call only; an error stops it, and the connection can
  // then only be closed.
  using Row = std::function<Status(std::string_view row)>;
  Status CopyOut(const std::string& copy, std::string_view doing, const Row& row);

  // COPY ... FROM STDIN: begun, fed with bytes, ended.
  Status BeginCopyIn(const std::string& copy, std::string_view doing);
  Status PutCopy(std::string_view bytes, std::string_view doing);
  Status EndCopyIn(std::string_view doing);

 private:
  explicit PostgresConnection(PGconn* connection) : connection_(connection) {}

  Error CannotConnect() const;
  Error Lost(std::string_view doing) const;
  // `computing`: rows of views are being computed, so that even what is said of names may quote a value.
  Error Failed(const PostgresRows& rows, std::string_view doing, bool computing = false) const;
  // Waits for the server, or until something can be sent to it.
  Status Wait(bool to_send, std::string_view doing);
  Status Flush(std::string_view doing);
  // A null result: the statement is done.
  Result<PostgresRows> NextResult(std::string_view doing);
  // The result of the last statement sent, or the first error of them.
  Result<PostgresRows> Collect(std::string_view doing, bool computing = false);

  PGconn* connection_;
  const Progress* progress_ = nullptr;
};

}  // namespace thicket
