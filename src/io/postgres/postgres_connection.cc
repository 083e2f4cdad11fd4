#include "io/postgres/postgres_connection.h"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <utility>

namespace thicket {

namespace {

constexpr int kLookEveryMs = 100;
constexpr char kConnectTimeoutS[] = "10";
// Leaves everything to the PG* variables.
constexpr char kDefaultServer[] = "postgresql://";
constexpr char kDefaultSchema[] = "public";

bool IsConnectionString(std::string_view text) {
  return text.find("://") != std::string_view::npos || text.find('=') != std::string_view::npos;
}

std::string FirstLine(std::string_view text) {
  const size_t end = text.find('\n');
  return std::string(text.substr(0, end));
}

// libpq's own messages about a connection string may quote a part of it, and so a password: they are not passed on.
Status CheckConnectionString(const std::string& connection) {
  THICKET_TRY(libpq::Load());
  char* fault = nullptr;
  PQconninfoOption* options = libpq::PQconninfoParse(connection.c_str(), &fault);
  // Without memory libpq says so, or has none left for a message.
  const bool out_of_memory =
      options == nullptr && (fault == nullptr || FirstLine(fault) == "out of memory");
  libpq::PQfreemem(fault);
  if (out_of_memory) throw std::bad_alloc();
  if (options == nullptr) {
    return Error{ErrorCode::kUsage,
                 "the connection string must be a URL or pairs of key=value, but is neither",
                 "write postgresql://user@host:port/database, or host=... dbname=...", ""};
  }
  bool has_password = false;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    const std::string_view keyword = option->keyword;
    has_password |= option->val != nullptr && (keyword == "password" || keyword == "sslpassword");
  }
  libpq::PQconninfoFree(options);
  if (!has_password) return {};
  return Error{ErrorCode::kUsage,
               "the connection string must not hold a password, but does: others can read it",
               "put the password into PGPASSWORD or into ~/.pgpass", ""};
}

ErrorCode CodeOf(std::string_view state) {
  if (state == "42P06" || state == "42939") return ErrorCode::kUsage;
  if (state == "42P01" || state == "42703" || state == "42704" || state == "3F000") {
    return ErrorCode::kData;
  }
  const std::string_view kind = state.substr(0, 2);
  return kind == "22" || kind == "23" ? ErrorCode::kData : ErrorCode::kIo;
}

// Whether what the server says is about names, rights, resources and the connection, and never about a value.
// Class 42 is about names as long as no row is computed: then it may be about a value that is taken for a name.
bool MayBeShown(std::string_view state, bool computing) {
  if (computing && state.substr(0, 2) == "42") return false;
  for (const std::string_view kind : {"08", "25", "28", "3D", "3F", "42", "53", "55", "57"}) {
    if (state.substr(0, 2) == kind) return true;
  }
  return false;
}

std::string_view HintFor(std::string_view state) {
  if (state == "42501") return "ask the owner of the database for the right, or use another role";
  if (state == "42P06") return "name a schema that is not there yet, or drop this one first";
  if (state == "42939") return "name a schema that does not begin with pg_";
  if (state == "25006") return "use a server and a role that may write";
  if (state.substr(0, 2) == "53") return "make room on the server";
  if (state.substr(0, 2) == "22") return "look for a view that computes, or for an encoding";
  return "";
}

}  // namespace

Result<PostgresPlace> FindPostgres(const InputPolicy& input, const std::string& location) {
  PostgresPlace place;
  place.connection = input.path.empty() ? kDefaultServer : input.path;
  place.schema = input.schema.empty() ? kDefaultSchema : input.schema;
  if (IsConnectionString(location)) {
    place.connection = location;
  } else if (!location.empty()) {
    place.schema = location;
  }
  THICKET_TRY(CheckConnectionString(place.connection));
  return place;
}

Result<std::unique_ptr<PostgresConnection>> PostgresConnection::Connect(
    const std::string& connection) {
  THICKET_TRY(CheckConnectionString(connection));
  // What comes after the connection string wins over it, what comes before only fills its gaps. A key without a value
  // is taken from the environment.
  const std::array<const char*, 5> keys = {"connect_timeout", "fallback_application_name", "dbname",
                                           "client_encoding", nullptr};
  const std::array<const char*, 5> values = {
      std::getenv("PGCONNECT_TIMEOUT") == nullptr ? kConnectTimeoutS : nullptr, "thicket",
      connection.c_str(), "UTF8", nullptr};
  std::unique_ptr<PostgresConnection> result(
      new PostgresConnection(libpq::PQconnectdbParams(keys.data(), values.data(), 1)));
  if (libpq::PQstatus(result->connection_) != CONNECTION_OK) return result->CannotConnect();
  libpq::PQsetNoticeProcessor(
      result->connection_, [](void*, const char*) {}, nullptr);
  if (libpq::PQsetnonblocking(result->connection_, 1) != 0) return result->Lost("connect");
  return result;
}

PostgresConnection::~PostgresConnection() {
  if (libpq::PQtransactionStatus(connection_) == PQTRANS_ACTIVE) {
    // Without it the server would notice only at the end of a statement that nobody is there any more.
    if (PGcancel* cancel = libpq::PQgetCancel(connection_)) {
      std::array<char, 256> fault{};
      libpq::PQcancel(cancel, fault.data(), static_cast<int>(fault.size()));
      libpq::PQfreeCancel(cancel);
    }
  }
  libpq::PQfinish(connection_);
}

std::string PostgresConnection::name() const {
  const char* database = libpq::PQdb(connection_);
  return fmt::format("database {}", database == nullptr ? "" : database);
}

Error PostgresConnection::CannotConnect() const {
  const char* hint = "check the URL in the policy, and the PG* variables";
  if (libpq::PQconnectionNeedsPassword(connection_) != 0) {
    hint = "put the password into PGPASSWORD or into ~/.pgpass";
  } else if (libpq::PQconnectionUsedPassword(connection_) != 0) {
    hint = "check the user, and the password in PGPASSWORD or ~/.pgpass";
  }
  return ErrorAt(ErrorCode::kIo, {.file = name()},
                 fmt::format("cannot connect: {}", FirstLine(libpq::PQerrorMessage(connection_))),
                 hint);
}

Error PostgresConnection::Lost(std::string_view doing) const {
  std::string what = FirstLine(libpq::PQerrorMessage(connection_));
  // An error of a statement may quote a value; that the connection is gone does not.
  if (what.empty() || what.substr(0, 5) == "ERROR") what = "the connection is lost";
  return ErrorAt(ErrorCode::kIo, {.file = name()}, fmt::format("cannot {}: {}", doing, what),
                 "try again when the server can be reached; it is as it was");
}

Error PostgresConnection::Failed(const PostgresRows& rows, std::string_view doing,
                                 bool computing) const {
  const std::string state = rows.Field(PG_DIAG_SQLSTATE);
  if (state.empty()) return Lost(doing);
  const std::string what = MayBeShown(state, computing) ? rows.Field(PG_DIAG_MESSAGE_PRIMARY) + " "
                                                        : std::string("the server refuses ");
  return {CodeOf(state), fmt::format("{}: cannot {}: {}(SQLSTATE {})", name(), doing, what, state),
          std::string(HintFor(state)), ""};
}

Status PostgresConnection::Wait(bool to_send, std::string_view doing) {
  while (true) {
    if (progress_ != nullptr && progress_->cancelled()) return Interrupted();
    pollfd socket{};
    socket.fd = libpq::PQsocket(connection_);
    socket.events = static_cast<int16_t>(POLLIN | (to_send ? POLLOUT : 0));
    const int ready = poll(&socket, 1, kLookEveryMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    if (ready < 0 || socket.fd < 0) return Lost(doing);
    if ((socket.revents & ~POLLOUT) != 0 && libpq::PQconsumeInput(connection_) == 0)
      return Lost(doing);
    return {};
  }
}

Status PostgresConnection::Flush(std::string_view doing) {
  while (true) {
    const int left = libpq::PQflush(connection_);
    if (left == 0) return {};
    if (left < 0) return Lost(doing);
    THICKET_TRY(Wait(true, doing));
  }
}

Result<PostgresRows> PostgresConnection::NextResult(std::string_view doing) {
  THICKET_TRY(Flush(doing));
  while (libpq::PQisBusy(connection_) != 0) THICKET_TRY(Wait(false, doing));
  return PostgresRows(libpq::PQgetResult(connection_));
}

Result<PostgresRows> PostgresConnection::Collect(std::string_view doing, bool computing) {
  PostgresRows last(nullptr);
  Status status;
  while (true) {
    THICKET_ASSIGN(PostgresRows rows, NextResult(doing));
    if (rows.result_ == nullptr) break;
    if (rows.status() != PGRES_COMMAND_OK && rows.status() != PGRES_TUPLES_OK && status.ok()) {
      status = Failed(rows, doing, computing);
    }
    last = std::move(rows);
    // A connection that is gone gives no end.
    if (libpq::PQstatus(connection_) != CONNECTION_OK) break;
  }
  if (!status.ok()) return std::move(status.error());
  if (last.result_ == nullptr) return Lost(doing);
  return last;
}

Status PostgresConnection::Execute(const std::string& statements, std::string_view doing) {
  if (libpq::PQsendQuery(connection_, statements.c_str()) == 0) return Lost(doing);
  THICKET_TRY(Collect(doing));
  return {};
}

Result<PostgresRows> PostgresConnection::Query(const std::string& query,
                                               const std::vector<std::string>& parameters,
                                               std::string_view doing) {
  std::vector<const char*> values;
  values.reserve(parameters.size());
  for (const std::string& parameter : parameters) values.push_back(parameter.c_str());
  if (libpq::PQsendQueryParams(connection_, query.c_str(), static_cast<int>(values.size()), nullptr,
                               values.data(), nullptr, nullptr, 0) == 0) {
    return Lost(doing);
  }
  return Collect(doing);
}

Status PostgresConnection::CopyOut(const std::string& copy, std::string_view doing,
                                   const Row& row) {
  if (libpq::PQsendQuery(connection_, copy.c_str()) == 0) return Lost(doing);
  THICKET_ASSIGN(const PostgresRows begun, NextResult(doing));
  if (begun.status() != PGRES_COPY_OUT) return Failed(begun, doing);
  while (true) {
    char* text = nullptr;
    const int size = libpq::PQgetCopyData(connection_, &text, 1);
    if (size == -1) break;
    if (size == -2) return Lost(doing);
    if (size == 0) {
      THICKET_TRY(Wait(false, doing));
      continue;
    }
    Status status = row({text, static_cast<size_t>(size)});
    libpq::PQfreemem(text);
    if (!status.ok()) return status;
  }
  THICKET_TRY(Collect(doing, true));
  return {};
}

Status PostgresConnection::BeginCopyIn(const std::string& copy, std::string_view doing) {
  if (libpq::PQsendQuery(connection_, copy.c_str()) == 0) return Lost(doing);
  THICKET_ASSIGN(const PostgresRows begun, NextResult(doing));
  if (begun.status() != PGRES_COPY_IN) return Failed(begun, doing);
  return {};
}

Status PostgresConnection::PutCopy(std::string_view bytes, std::string_view doing) {
  if (libpq::PQputCopyData(connection_, bytes.data(), static_cast<int>(bytes.size())) != 1) {
    return Lost(doing);
  }
  return Flush(doing);
}

Status PostgresConnection::EndCopyIn(std::string_view doing) {
  if (libpq::PQputCopyEnd(connection_, nullptr) != 1) return Lost(doing);
  THICKET_TRY(Collect(doing));
  return {};
}

}  // namespace thicket
