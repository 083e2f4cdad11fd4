#include "io/sqlite/sqlite_content.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "io/file/file_plan.h"
#include "io/one_way.h"
#include "io/sqlite/sqlite_tables.h"
#include "io/tables/sql_name.h"

namespace thicket {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// Not tExT, which could hold a message.
bool IsOneCase(std::string_view word) {
  const auto is = [](int (*kind)(int)) {
    return [kind](char c) { return kind(static_cast<unsigned char>(c)) != 0; };
  };
  return std::none_of(word.begin(), word.end(), is(std::isupper)) ||
         std::none_of(word.begin(), word.end(), is(std::islower));
}

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}

// A type that a published column may declare: one per affinity, since any text is a type to SQLite.
bool IsUsualType(const std::string& type) {
  constexpr std::array<std::string_view, 6> kTypes = {"",     "text",    "integer",
                                                      "real", "numeric", "blob"};
  return IsOneCase(type) &&
         std::find(kTypes.begin(), kTypes.end(), LowerCase(type)) != kTypes.end();
}

// The words of a declared type, and all of it.
void AddType(const std::string& type, std::vector<std::string>& names) {
  names.push_back(type);
  if (type.size() > 2 && type.front() == '"' && type.back() == '"') {
    names.push_back(type.substr(1, type.size() - 2));
  }
  for (size_t at = 0; at < type.size();) {
    size_t end = at;
    while (end < type.size() && IsWord(type[end])) ++end;
    if (end > at) names.push_back(type.substr(at, end - at));
    at = end + 1;
  }
}

Status CheckStatement(SqliteDatabase& database, const Schema& schema, const SqliteTable& table,
                      std::string_view statement, DatasetSink& sink) {
  std::vector<std::string> names;
  for (const VertexClass& type : schema.classes) {
    names.push_back(type.table);
    names.push_back(type.key);
  }
  THICKET_ASSIGN(const std::vector<SqliteColumn> columns, ListSqliteColumns(database, table));
  for (const SqliteColumn& column : columns) {
    names.push_back(column.name);
    AddType(column.type, names);
    if (IsUsualType(column.type)) continue;
    sink.MeetUnnamedAt(fmt::format("{}: {}", database.name(), table.name),
                       "a column of another type than TEXT, INTEGER, REAL, NUMERIC and BLOB");
  }
  if (SaysOnlyNames(statement, names)) return {};
  sink.MeetUnnamedAt(fmt::format("{}: {}", database.name(), table.name),
                     "more than names, types and keys in the statement that made the table");
  return {};
}

// A number that no column shows: the rowid, under whichever of its names is free.
Status CheckRowNumbers(SqliteDatabase& database, const SqliteTable& table, DatasetSink& sink) {
  THICKET_ASSIGN(SqliteStatement without,
                 database.Prepare("SELECT wr FROM pragma_table_list WHERE name = ?1 AND wr"));
  without.Bind(1, table.name);
  THICKET_ASSIGN(const bool has_none, without.Step());
  if (has_none) return {};
  THICKET_ASSIGN(const std::vector<SqliteColumn> columns, ListSqliteColumns(database, table));
  for (const char* name : {"rowid", "_rowid_", "oid"}) {
    const bool taken = std::any_of(columns.begin(), columns.end(), [&](const SqliteColumn& column) {
      return LowerCase(column.name) == name;
    });
    if (taken) continue;
    THICKET_ASSIGN(SqliteStatement numbers,
                   database.Prepare(fmt::format("SELECT min({0}), max({0}), count(*) FROM {1}",
                                                name, QuoteSqlName(table.name))));
    THICKET_TRY(numbers.Step());
    const int64_t count = numbers.Integer(2);
    if (count > 0 && (numbers.Integer(0) != 1 || numbers.Integer(1) != count)) {
      sink.TellApartAt(fmt::format("{}: {}", database.name(), table.name),
                       "the rowids must be 1, 2, 3 and so on, but are others");
    }
    return {};
  }
  return {};
}

Status CheckNumber(SqliteDatabase& database, const char* pragma, const char* what,
                   DatasetSink& sink) {
  THICKET_ASSIGN(SqliteStatement statement, database.Prepare(fmt::format("PRAGMA {}", pragma)));
  THICKET_TRY(statement.Step());
  if (statement.Integer(0) != 0) sink.MeetUnnamedAt(database.name(), what);
  return {};
}

bool IsKeyword(const std::string& word) {
  constexpr std::array<std::string_view, 10> kWords = {"create",  "table", "integer", "primary",
                                                       "key",     "not",   "null",    "references",
                                                       "foreign", "unique"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

// One blank or line end, or the indentation that all lines have: more could hold a message.
bool IsUsualGap(std::string_view blanks, OneWay& indentation) {
  constexpr size_t kMost = 16;
  // Some programs leave one at the end of a line.
  if (blanks.substr(0, 2) == " \n") blanks.remove_prefix(1);
  if (blanks == " " || blanks == "\n" || blanks == "\r\n") return true;
  return blanks.size() <= kMost && blanks.find('\n') != std::string_view::npos &&
         IsIndentation(blanks) && indentation.Meet(blanks);
}

// The name that begins here in quotes of SQL, MySQL or SQL Server; moves `at` behind it.
std::string QuotedName(std::string_view statement, size_t& at) {
  const char end = statement[at] == '[' ? ']' : statement[at];
  std::string name;
  for (++at; at < statement.size(); ++at) {
    if (statement[at] != end) {
      name += statement[at];
    } else if (end != ']' && at + 1 < statement.size() && statement[at + 1] == end) {
      name += statement[at++];
    } else {
      break;
    }
  }
  ++at;
  return name;
}

}  // namespace

bool SaysOnlyNames(std::string_view statement, const std::vector<std::string>& names) {
  std::set<std::string> allowed;
  for (const std::string& name : names) allowed.insert(LowerCase(name));
  OneWay indentation;
  for (size_t at = 0; at < statement.size();) {
    const char c = statement[at];
    if (c == '"' || c == '`' || c == '[') {
      if (!allowed.contains(LowerCase(QuotedName(statement, at)))) return false;
    } else if (IsWord(c)) {
      const size_t begin = at;
      while (at < statement.size() && IsWord(statement[at])) ++at;
      const std::string_view word = statement.substr(begin, at - begin);
      const std::string lower = LowerCase(word);
      if (!(IsKeyword(lower) && IsOneCase(word)) && !allowed.contains(lower)) return false;
    } else if (kBlanks.find(c) != std::string_view::npos) {
      const size_t end = std::min(statement.find_first_not_of(kBlanks, at), statement.size());
      if (!IsUsualGap(statement.substr(at, end - at), indentation)) return false;
      at = end;
    } else if (std::string_view("(),").find(c) != std::string_view::npos) {
      ++at;
    } else {
      return false;
    }
  }
  return true;
}

void FindSqliteJournals(const std::string& path, DatasetSink& sink) {
  for (const std::string& journal : SqliteJournals(path)) {
    struct stat status {};
    if (stat(journal.c_str(), &status) != 0 || status.st_size == 0) continue;
    sink.MeetUnnamedAt(path, "a journal beside the file");
    return;
  }
}

Status FindSqliteContent(SqliteDatabase& database, const Schema& schema, DatasetSink& sink) {
  THICKET_ASSIGN(SqliteStatement statement,
                 database.Prepare("SELECT type, name, sql FROM sqlite_schema "
                                  "WHERE type <> 'index' OR sql IS NOT NULL ORDER BY rowid"));
  while (true) {
    THICKET_ASSIGN(const bool more, statement.Step());
    if (!more) break;
    const std::string type(statement.Text(0));
    const SqliteTable table = {std::string(statement.Text(1)), false};
    const bool named = type == "table" &&
                       std::any_of(schema.classes.begin(), schema.classes.end(),
                                   [&](const VertexClass& one) { return one.table == table.name; });
    if (!named) {
      sink.CountOutside(type + " " + table.name);
      continue;
    }
    const std::string sql(statement.Text(2));
    THICKET_TRY(CheckStatement(database, schema, table, sql, sink));
    THICKET_TRY(CheckRowNumbers(database, table, sink));
  }
  THICKET_TRY(CheckNumber(database, "user_version", "a user version in the file's header", sink));
  return CheckNumber(database, "application_id", "an application id in the file's header", sink);
}

Status FindSqliteLeftoversOf(const std::string& path, const std::vector<SqliteTree>& trees,
                             DatasetSink& sink) {
  THICKET_ASSIGN(const SqliteLeftovers left, FindSqliteLeftovers(path, trees));
  if (left.pages > 0) sink.MeetUnnamedAt(path, "a page that belongs to no table");
  if (left.gaps > 0) sink.MeetUnnamedAt(path, "something between the rows of its pages");
  if (left.rows > 0) sink.MeetUnnamedAt(path, "a row with values that no column shows");
  if (left.odd) sink.MeetUnnamedAt(path, "a file that SQLite would not write so");
  if (left.numbers) {
    sink.MeetUnnamedAt(path,
                       "a number in the file's header that a file just written does not have; "
                       "sqlite3 and .dump write it into a new file");
  }
  if (left.auto_vacuum) {
    sink.MeetUnnamedAt(path,
                       "room for auto_vacuum, which no table shows; PRAGMA auto_vacuum = NONE and "
                       "VACUUM remove it");
  }
  return {};
}

}  // namespace thicket
