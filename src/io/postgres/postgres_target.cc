#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/stop.h"
#include "io/data_target.h"
#include "io/dataset_sink.h"
#include "io/postgres/postgres_connection.h"
#include "io/postgres/postgres_copy.h"
#include "io/postgres/postgres_reader.h"
#include "io/postgres/postgres_tables.h"
#include "io/tables/outgoing_tables.h"
#include "io/tables/sql_name.h"

namespace thicket {

namespace {

using Role = OutgoingColumn::Role;

constexpr size_t kPiece = size_t{1} << 16;
// Longer names are cut by the server, without an error.
constexpr size_t kLongestName = 63;

// Types are taken over from a list: the text may come from another database, and becomes a part of a statement.
bool IsKnownType(const std::string& type) {
  constexpr std::array<std::string_view, 25> kTypes = {"smallint",
                                                       "integer",
                                                       "bigint",
                                                       "real",
                                                       "double precision",
                                                       "numeric",
                                                       "boolean",
                                                       "text",
                                                       "character varying",
                                                       "character",
                                                       "bpchar",
                                                       "name",
                                                       "date",
                                                       "interval",
                                                       "uuid",
                                                       "inet",
                                                       "cidr",
                                                       "macaddr",
                                                       "macaddr8",
                                                       "money",
                                                       "bit varying",
                                                       "time without time zone",
                                                       "time with time zone",
                                                       "timestamp without time zone",
                                                       "timestamp with time zone"};
  std::string base;
  bool inside = false;
  for (const char c : type) {
    if (c == '(') inside = true;
    if (inside && c != '(' && c != ')' && c != ',' && (c < '0' || c > '9')) return false;
    if (!inside) base += c;
    if (c == ')') inside = false;
  }
  return !inside && std::find(kTypes.begin(), kTypes.end(), base) != kTypes.end();
}

// Whether a numeric column gives the same text back: -12.50, but not 1e3 or 007.
bool IsPlainDecimal(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  const auto are_digits = [](std::string_view digits) {
    return !digits.empty() && digits.size() < 1000 &&
           digits.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const bool zero = text.find_first_not_of("0.") == std::string_view::npos;
  return are_digits(whole) && (whole.size() == 1 || whole.front() != '0') &&
         (point == text.size() || are_digits(fraction)) && !(negative && zero);
}

// For values that come from no database: a type that gives each of them back as it is.
std::string TypeFor(const Dictionary& values) {
  bool numbers = true;
  bool booleans = true;
  for (Symbol symbol = 1; symbol < values.size(); ++symbol) {
    StopPoint();
    numbers &= values.kind(symbol) == ValueKind::kNumber && IsPlainDecimal(values.text(symbol));
    booleans &= values.kind(symbol) == ValueKind::kBoolean;
  }
  if (values.size() == 1 || numbers == booleans) return "text";
  return numbers ? "numeric" : "boolean";
}

std::string TypeOf(const OutgoingColumn& column, const VertexClass& type,
                   const std::vector<Dictionary>& values) {
  switch (column.role) {
    case Role::kKey:
    case Role::kParent:
    case Role::kAncestor:
    case Role::kClassNumber:
      return "bigint";
    case Role::kQuasi:
      return "text";
    case Role::kOther:
      break;
  }
  if (column.has_suppressed) return "text";
  // What stands for no value is a text as a rule.
  if (column.type.empty() && column.slot < type.missing.size() &&
      !type.missing[column.slot].empty()) {
    return "text";
  }
  if (column.type.empty()) return TypeFor(values[column.slot]);
  return IsKnownType(column.type) ? column.type : "text";
}

Status CheckName(const std::string& name) {
  if (!name.empty() && name.size() <= kLongestName) return {};
  return ErrorAt(ErrorCode::kUsage, {.path = name},
                 fmt::format("a name in PostgreSQL must have 1 to {} bytes, but this one has {}",
                             kLongestName, name.size()),
                 "choose a shorter one");
}

class PostgresTarget final : public DataTarget {
 public:
  PostgresTarget(const Policy& policy, PostgresPlace place)
      : policy_(&policy), place_(std::move(place)) {}

  // Makes the schema and takes it back, which shows all that could stand in the way.
  Status Try() {
    THICKET_TRY(CheckName(place_.schema));
    THICKET_TRY(Begin(nullptr));
    THICKET_TRY(connection_->Execute("ROLLBACK", "begin"));
    // Until the data is ready the server may close connections that are idle.
    connection_.reset();
    return {};
  }

  Status Write(OutgoingRecords& records, const WriteOptions& options, Progress& progress) override {
    THICKET_TRY(Begin(&progress));
    THICKET_TRY(SetPostgresValueForms(*connection_));
    OutgoingTables tables(records, options);
    const size_t classes = records.schema().classes.size();
    for (size_t id = 0; id < classes; ++id) {
      THICKET_TRY(CreateTable(tables, static_cast<ClassId>(id), records.data().dictionaries[id]));
      THICKET_TRY(FillTable(tables, static_cast<ClassId>(id), progress));
    }
    for (size_t id = 0; id < classes; ++id) {
      THICKET_TRY(AddKeys(tables, records.schema(), static_cast<ClassId>(id)));
    }
    return {};
  }

  Result<Dataset> ReadBack(Progress& progress) override {
    DatasetSink sink(*policy_, place_.schema, ReadAs::kPublished);
    sink.LimitMemory(progress);
    THICKET_TRY(ReadPostgresSchema(*policy_, *connection_, place_.schema, progress, sink));
    return std::move(sink).Finish();
  }

  // The schema is new.
  bool Replaces() const override { return false; }
  bool MayHaveAppeared() const override { return may_have_appeared_; }

  Status Commit() override {
    // Not to be interrupted: nobody would know whether it happened.
    connection_->StopWith(nullptr);
    may_have_appeared_ = true;
    Status status = connection_->Execute("COMMIT", "commit");
    // A server that answers has done nothing.
    may_have_appeared_ = status.ok() || !connection_->IsOpen();
    if (may_have_appeared_ && !status.ok()) {
      status.error().hint =
          fmt::format("look whether the schema {} is there: it is there as a whole, or not at all",
                      place_.schema);
    }
    return status;
  }

 private:
  Status Begin(const Progress* progress) {
    THICKET_ASSIGN(connection_, PostgresConnection::Connect(place_.connection));
    connection_->StopWith(progress);
    // Somebody else may be making a schema of the same name.
    THICKET_TRY(connection_->Execute("BEGIN; SET LOCAL lock_timeout = '10s'", "begin"));
    return connection_->Execute("CREATE SCHEMA " + QuoteSqlName(place_.schema),
                                "create the schema " + place_.schema);
  }

  std::string PathOf(const std::string& table) const {
    return QuoteSqlName(place_.schema) + "." + QuoteSqlName(table);
  }
  std::string Doing(const std::string& table) const {
    return fmt::format("write {}.{}", place_.schema, table);
  }

  Status CreateTable(const OutgoingTables& tables, ClassId id,
                     const std::vector<Dictionary>& values) {
    THICKET_TRY(CheckName(tables.name(id)));
    std::string columns;
    for (const OutgoingColumn& column : tables.columns(id)) {
      THICKET_TRY(CheckName(column.name));
      columns += fmt::format("{}{} {}", columns.empty() ? "" : ", ", QuoteSqlName(column.name),
                             TypeOf(column, tables.vertex_class(id), values));
    }
    return connection_->Execute(
        fmt::format("CREATE TABLE {} ({})", PathOf(tables.name(id)), columns),
        Doing(tables.name(id)));
  }

  Status FillTable(OutgoingTables& tables, ClassId id, Progress& progress) {
    const std::string doing = Doing(tables.name(id));
    THICKET_TRY(connection_->BeginCopyIn(fmt::format("COPY {} FROM STDIN", PathOf(tables.name(id))),
                                         doing));
    std::string text;
    std::vector<CopyField> fields;
    const auto send = [&]() -> Status {
      THICKET_TRY(connection_->PutCopy(text, doing));
      text.clear();
      if (progress.cancelled()) return Interrupted();
      return {};
    };
    THICKET_TRY(tables.ForEachRow(id, [&](const std::vector<OutgoingValue>& row) -> Status {
      fields.clear();
      for (const OutgoingValue& value : row) {
        fields.push_back(value.kind == ValueKind::kNone ? CopyField() : CopyField(value.text));
      }
      AppendCopyRow(fields, text);
      return text.size() < kPiece ? Status() : send();
    }));
    THICKET_TRY(send());
    return connection_->EndCopyIn(doing);
  }

  // After the rows, since checking all of them at once is faster.
  Status AddKeys(const OutgoingTables& tables, const Schema& schema, ClassId id) {
    const std::string doing = Doing(tables.name(id));
    for (const OutgoingColumn& column : tables.columns(id)) {
      const std::string name = QuoteSqlName(column.name);
      if (column.role == Role::kKey) {
        THICKET_TRY(connection_->Execute(
            fmt::format("ALTER TABLE {} ADD PRIMARY KEY ({})", PathOf(tables.name(id)), name),
            doing));
      } else if (column.role == Role::kParent || column.role == Role::kAncestor) {
        const VertexClass& target = schema.classes[column.target];
        THICKET_TRY(connection_->Execute(
            fmt::format("ALTER TABLE {} {}ADD FOREIGN KEY ({}) REFERENCES {} ({})",
                        PathOf(tables.name(id)),
                        column.nullable ? "" : fmt::format("ALTER {} SET NOT NULL, ", name), name,
                        PathOf(target.table), QuoteSqlName(target.key)),
            doing));
      }
    }
    return {};
  }

  const Policy* policy_;
  PostgresPlace place_;
  std::unique_ptr<PostgresConnection> connection_;
  bool may_have_appeared_ = false;
};

}  // namespace

Result<std::unique_ptr<DataTarget>> CreatePostgresTarget(const Policy& policy,
                                                         const OutputPlace& place) {
  THICKET_ASSIGN(PostgresPlace server, FindPostgres(policy.input, place.path));
  server.schema = place.schema;
  auto target = std::make_unique<PostgresTarget>(policy, std::move(server));
  THICKET_TRY(target->Try());
  return std::unique_ptr<DataTarget>(std::move(target));
}

}  // namespace thicket
