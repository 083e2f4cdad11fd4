#include "io/sqlite/sqlite_pages.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/stop.h"
#include "io/sqlite/sqlite_content.h"
#include "io/tables/test_tables.h"

namespace thicket::sqlite_pages_test {
namespace {

using testing::TemporaryFolder;

// Runs statements on a file that may be there already; what the last one gave, rows separated by semicolons.
std::string RunSql(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  // Nothing here has to outlive the machine.
  sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", nullptr, nullptr,
               nullptr);
  std::string result;
  const auto add = [](void* to, int columns, char** texts, char**) {
    for (int i = 0; i < columns; ++i) {
      *static_cast<std::string*>(to) += (texts[i] == nullptr ? "-" : texts[i]) + std::string(";");
    }
    return 0;
  };
  char* fault = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &result, &fault), SQLITE_OK) << fault;
  sqlite3_close(database);
  return result;
}

std::string Bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::vector<SqliteTree> TreesOf(const std::string& path) {
  auto database = SqliteDatabase::OpenToRead(path, "");
  EXPECT_TRUE(database.ok());
  return *ListSqliteTrees(**database);
}

SqliteLeftovers Leftovers(const std::string& path) {
  const auto left = FindSqliteLeftovers(path, TreesOf(path));
  EXPECT_TRUE(left.ok());
  return *left;
}

constexpr char kPeople[] =
    "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, illness TEXT);"
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
    "  INSERT INTO people SELECT i, 'name ' || i, 'illness ' || i % 7 FROM n;";

TEST(SqlitePages, OfAFileThatWasVacuumedAreFull) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.db";
  RunSql(path, std::string(kPeople) + "CREATE INDEX names ON people (name); VACUUM");
  const SqliteLeftovers left = Leftovers(path);
  EXPECT_EQ(left.pages, 0U);
  EXPECT_EQ(left.rows, 0U);
  EXPECT_FALSE(left.odd);
}

TEST(SqlitePages, RememberDeletedRows) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.db";
  RunSql(path, std::string("PRAGMA secure_delete = OFF;") + kPeople);
  ASSERT_TRUE(WipeSqliteFile(path, path, TreesOf(path)).ok());
  ASSERT_FALSE(Leftovers(path).any());
  RunSql(path, "PRAGMA secure_delete = OFF; DELETE FROM people WHERE id = 1000");
  EXPECT_EQ(Leftovers(path).pages, 0U);
  EXPECT_GT(Leftovers(path).gaps, 0U);
  RunSql(path, "PRAGMA secure_delete = OFF; DELETE FROM people");
  EXPECT_GT(Leftovers(path).pages, 0U);
}

TEST(SqlitePages, RememberAColumnThatWasTakenOutOfTheCatalogue) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.db";
  RunSql(path, std::string(kPeople) +
                   "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = "
                   "'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)'");
  EXPECT_EQ(Leftovers(path).rows, 2000U);
}

TEST(SqlitePages, KnowWhatSqliteDoesNotWrite) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.db";
  RunSql(path, kPeople);
  const std::vector<SqliteTree> trees = TreesOf(path);
  std::ofstream(path, std::ios::binary | std::ios::app) << "and a secret";
  EXPECT_TRUE(FindSqliteLeftovers(path, trees)->odd);
  std::ofstream(path, std::ios::binary) << "short";
  EXPECT_TRUE(FindSqliteLeftovers(path, trees)->odd);
  EXPECT_FALSE(FindSqliteLeftovers(folder.path() + "/none.db", trees).ok());
}

TEST(SqlitePages, AreLeftWhenTheUserWantsToStop) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.db";
  RunSql(path, std::string("PRAGMA secure_delete = OFF;") + kPeople + "DELETE FROM people");
  const std::vector<SqliteTree> trees = TreesOf(path);
  const std::string before = Bytes(path);
  Progress progress;
  progress.Cancel();
  const auto found = Stoppable(progress, [&] { return FindSqliteLeftovers(path, trees); });
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kInterrupted);
  const Status wiped = Stoppable(progress, [&] { return WipeSqliteFile(path, path, trees); });
  ASSERT_FALSE(wiped.ok());
  EXPECT_EQ(wiped.error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(Bytes(path), before);
}

// Writes a number where SQLite's header has it.
void SetLong(const std::string& path, size_t at, uint32_t number) {
  std::string bytes = Bytes(path);
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(number >> (24 - 8 * i));
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(SqlitePages, KnowNumbersOfTheHeaderThatAFileJustWrittenDoesNotHave) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.db";
  RunSql(path, std::string(kPeople) + "VACUUM");
  const std::vector<SqliteTree> trees = TreesOf(path);
  ASSERT_TRUE(WipeSqliteFile(path, path, trees).ok());
  ASSERT_FALSE(Leftovers(path).any());
  const std::string good = Bytes(path);
  // The counters of changes, one of them alone and both; pages, free pages, the catalogue, its format, and the writer.
  const std::vector<std::vector<std::pair<size_t, uint32_t>>> changes = {
      {{24, 7777}}, {{24, 7777}, {92, 7777}}, {{28, 7777}}, {{36, 1}}, {{40, 7777}},
      {{44, 7777}}, {{96, 3040001 + 900}}};
  for (const auto& numbers : changes) {
    std::ofstream(path, std::ios::binary) << good;
    for (const auto& [at, number] : numbers) SetLong(path, at, number);
    const auto left = FindSqliteLeftovers(path, trees);
    ASSERT_TRUE(left.ok());
    EXPECT_TRUE(left->numbers) << numbers[0].first;
    EXPECT_FALSE(left->odd) << numbers[0].first;
  }
}

TEST(SqlitePages, KnowFilesThatShrinkByThemselves) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.db";
  RunSql(path, std::string("PRAGMA auto_vacuum = FULL;") + kPeople);
  EXPECT_TRUE(Leftovers(path).auto_vacuum);
  EXPECT_EQ(Leftovers(path).pages, 0U);
  RunSql(path, "PRAGMA auto_vacuum = NONE; VACUUM");
  EXPECT_FALSE(Leftovers(path).auto_vacuum);
}

// Whatever happened to a file: wiped, it has no gaps, its content is what it was, and nothing of what was deleted is in
// its pages.
RC_GTEST_PROP(SqlitePages, AreWipedWithoutHarm, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.db";
  const size_t sizes[] = {512, 1024, 4096, 65536};
  RunSql(path, "PRAGMA page_size = " + std::to_string(sizes[random.Below(4)]) +
                   "; PRAGMA secure_delete = OFF; CREATE TABLE a (x INTEGER PRIMARY KEY, y, z);"
                   "CREATE TABLE b (y, z PRIMARY KEY) WITHOUT ROWID; CREATE INDEX i ON a (y)");
  std::string sql = "PRAGMA secure_delete = OFF; BEGIN;";
  for (int i = 0; i < 60; ++i) {
    const std::string long_text =
        "replace(hex(zeroblob(" + std::to_string(random.Below(3000)) + ")), '00', 'long ')";
    switch (random.Below(4)) {
      case 0:
        sql += "DELETE FROM a WHERE x % 5 = " + std::to_string(random.Below(5)) + ";";
        break;
      case 1:
        sql += "UPDATE a SET y = " + long_text + " WHERE x % 7 = 1;";
        break;
      case 2:
        sql += "INSERT OR REPLACE INTO b VALUES ('short', " + std::to_string(i) + " || " +
               long_text + ");";
        break;
      default:
        sql += "INSERT INTO a (y, z) VALUES ('gone' || " + std::to_string(i) + ", " + long_text +
               "), (1, 2.5), (NULL, x'00');";
    }
  }
  RunSql(path, sql + "COMMIT; UPDATE a SET y = 'kept' WHERE y LIKE 'gone%'");
  const char* all =
      "SELECT x, quote(y), quote(z) FROM a; SELECT quote(y), quote(z) FROM b; "
      "PRAGMA integrity_check";
  const std::string before = RunSql(path, all);
  const SqliteLeftovers found = Leftovers(path);
  RC_ASSERT(!found.odd);
  RC_ASSERT(found.rows == 0U);
  RC_ASSERT(WipeSqliteFile(path, path, TreesOf(path)).ok());
  RC_ASSERT(Leftovers(path).gaps == 0U);
  RC_ASSERT(Leftovers(path).pages == found.pages);
  RC_ASSERT(RunSql(path, all) == before);
  if (found.pages == 0) RC_ASSERT(Bytes(path).find("gone") == std::string::npos);
}

TEST(SqliteContent, TakesNamesAndKeys) {
  const std::vector<std::string> names = {"people",  "id", "born",   "VARCHAR(9)",
                                          "VARCHAR", "9",  "my type"};
  for (const char* statement :
       {"CREATE TABLE people (id INTEGER PRIMARY KEY, born VARCHAR(9) NOT NULL REFERENCES people)",
        "create table \"people\" (\n  `ID` integer,\n  [born] \"my type\" UNIQUE\n)",
        "CREATE TABLE people (\n\tid INTEGER NOT NULL, \n\tborn VARCHAR(9), \n\tPRIMARY KEY "
        "(id)\n)"}) {
    EXPECT_TRUE(SaysOnlyNames(statement, names)) << statement;
  }
}

TEST(SqliteContent, TakesNothingElse) {
  const std::vector<std::string> names = {"people", "id"};
  for (const char* statement :
       {"CREATE TABLE people (id /* Ann */)", "CREATE TABLE people (id -- Ann\n)",
        "CREATE TABLE people (id DEFAULT 'Ann')", "CREATE TABLE people (id DEFAULT 1)",
        "CREATE TABLE people (id CHECK (id <> 7))", "CREATE TABLE people (id, ann)",
        "CREATE TABLE people (id \"Ann\")", "CREATE TABLE people (id COLLATE nocase)",
        "CREATE TABLE people (id [Ann", "CREATE TABLE  people (id)", "CREATE TABLE people (id)\t",
        "CREATE TABLE people (\n  id,\n   id)", "CREATE TABLE people (\n                 id)",
        "CREATE taBLe people (id)", "CREATE VIRTUAL TABLE people USING fts5(id)"}) {
    EXPECT_FALSE(SaysOnlyNames(statement, names)) << statement;
  }
}

}  // namespace
}  // namespace thicket::sqlite_pages_test
