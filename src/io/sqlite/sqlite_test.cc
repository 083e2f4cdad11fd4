// SQLite in and out: what is written is read back, and what cannot be read is said to be so.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/tables/database_catalogue.h"
#include "io/tables/test_tables.h"
#include "io/test_random_data.h"

namespace thicket::sqlite_test {
namespace {

using testing::Describe;
using testing::DescribeCatalogue;
using ::testing::ElementsAre;
using testing::ErrorOf;
using ::testing::HasSubstr;
using testing::JoinedPolicy;
using testing::RandomDataset;
using testing::TemporaryFolder;

// SQLite takes ID and id for one name.
Policy SqlitePolicy() {
  Policy policy = testing::Changed(
      JoinedPolicy(), [](std::vector<VertexClass>& classes) { classes[0].id = "number"; });
  policy.input.format = Format::kSqlite;
  return policy;
}

void RunSql(sqlite3* database, const std::string& sql) {
  char* fault = nullptr;
  ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &fault), SQLITE_OK) << fault;
}

std::string MakeDatabase(const TemporaryFolder& folder, const std::string& sql) {
  std::string path = folder.path() + "/data.db";
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  RunSql(database, sql);
  sqlite3_close(database);
  return path;
}

constexpr char kTables[] =
    "CREATE TABLE students (ID INTEGER PRIMARY KEY, number TEXT, name TEXT, major VARCHAR(9), gpa "
    "REAL,"
    "  campus, photo BLOB);"
    "CREATE TABLE courses (CID TEXT PRIMARY KEY, SID INTEGER REFERENCES students, code INTEGER,"
    "  grade TEXT) WITHOUT ROWID;"
    "CREATE TABLE books (CID TEXT REFERENCES courses(CID), title TEXT);"
    "CREATE INDEX titles ON books (title, CID);"
    "CREATE VIEW tags AS SELECT ID AS SID, campus AS tag FROM students WHERE campus IS NOT NULL;";

constexpr char kRows[] =
    "INSERT INTO students VALUES (7, 's1', 'Ann', 'CS', 3.5, 'N', x'00ff'), (3, 's2', 'Bob', NULL,"
    "  4, 12, NULL);"
    "INSERT INTO courses VALUES ('b', 7, 101, 'A'), ('a', 3, 1e300, 'it''s');"
    "INSERT INTO books VALUES ('b', 'z'), ('b', 'a'), ('a', '');";

Result<Dataset> ReadFile(const std::string& path, const Policy& policy = SqlitePolicy(),
                         ReadAs as = ReadAs::kOriginal) {
  Progress progress;
  return ReadDataset(policy, path, as, progress);
}

std::string ErrorAfter(const std::string& change) {
  const TemporaryFolder folder;
  const auto data = ReadFile(MakeDatabase(folder, std::string(kTables) + kRows + change));
  if (data.ok()) return "no error";
  EXPECT_EQ(data.error().code, ErrorCode::kData);
  return ErrorOf(data).substr(folder.path().size() + 1);
}

TEST(ReadSqlite, KeepsKindsAndTheOrderOfRowsWhateverIndexesThereAre) {
  const TemporaryFolder folder;
  const auto data = ReadFile(MakeDatabase(folder, std::string(kTables) + kRows));
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data),
            "student(-,4,12){course(1e+300,'it's'){book('')}tag(12)}\n"
            "student('CS',3.5,'N'){course(101,'A'){book('z')book('a')}tag('N')}\n");
}

TEST(ReadSqlite, NamesTableRowAndColumnOfABlob) {
  EXPECT_EQ(ErrorAfter("UPDATE students SET major = x'01' WHERE ID = 7"),
            "data.db: students: row 2: major: must be text or a number, but is a BLOB [put the "
            "column under drop, or convert it in a view]");
}

TEST(ReadSqlite, RefusesTextThatIsNotUtf8) {
  EXPECT_EQ(ErrorAfter("UPDATE books SET title = CAST(x'ff41' AS TEXT) WHERE title = 'a'"),
            "data.db: books: row 2: title: must be UTF-8, but a byte is not [correct the text in "
            "the database]");
}

TEST(ReadSqlite, SuggestsTheTableThatWasMeant) {
  EXPECT_EQ(ErrorAfter("ALTER TABLE books RENAME TO book"),
            "data.db: must have the table books, but has none of this name [did you mean book?]");
}

TEST(ReadSqlite, SaysWhyAViewCannotBeQueried) {
  EXPECT_THAT(ErrorAfter("DROP VIEW tags; CREATE VIEW tags AS SELECT SID, tag FROM gone"),
              HasSubstr("data.db: cannot be queried: no such table: main.gone"));
}

TEST(ReadSqlite, ReadsTextOfAnyEncodingThatSqliteHas) {
  const TemporaryFolder folder;
  const auto data =
      ReadFile(MakeDatabase(folder, std::string("PRAGMA encoding = 'UTF-16le';") + kTables + kRows +
                                        "UPDATE students SET major = 'Größe 😀' WHERE ID = 7"));
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_THAT(Describe(*data), HasSubstr("student('Größe 😀',3.5,'N')"));
}

TEST(ReadSqlite, AFileThatAnotherProgramHasLockedIsNotRead) {
  const TemporaryFolder folder;
  const std::string path = MakeDatabase(folder, std::string(kTables) + kRows);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  RunSql(other, "BEGIN EXCLUSIVE");
  const auto data = ReadFile(path);
  sqlite3_close(other);
  ASSERT_FALSE(data.ok());
  EXPECT_EQ(data.error().code, ErrorCode::kIo);
  EXPECT_THAT(data.error().message, HasSubstr("another program has locked it"));
}

TEST(ReadSqlite, StopsWhenTheUserWantsTo) {
  const TemporaryFolder folder;
  const std::string path = MakeDatabase(
      folder, std::string(kTables) + kRows +
                  "DROP VIEW tags; CREATE VIEW tags AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                  "SELECT i + 1 FROM n WHERE i < 1000000000) SELECT 7 AS SID, i AS tag FROM n");
  Progress progress;
  progress.Cancel();
  const auto data = ReadDataset(SqlitePolicy(), path, ReadAs::kOriginal, progress);
  ASSERT_FALSE(data.ok());
  EXPECT_EQ(data.error().code, ErrorCode::kInterrupted);
}

TEST(SqliteCatalogue, TellsTablesColumnsAndForeignKeys) {
  const TemporaryFolder folder;
  const std::string path = MakeDatabase(folder, std::string(kTables) + kRows);
  const auto tables = ReadSqliteCatalogue(path);
  ASSERT_TRUE(tables.ok()) << tables.error().message;
  EXPECT_THAT(DescribeCatalogue(*tables),
              ElementsAre("books 3: CID/TEXT title/TEXT CID->courses.CID",
                          "courses 2: CID/TEXT! SID/INTEGER code/INTEGER grade/TEXT "
                          "SID->students.ID",
                          "students 2: ID/INTEGER! number/TEXT name/TEXT major/VARCHAR(9) gpa/REAL "
                          "campus/ photo/BLOB?",
                          "tags 2: SID/ tag/"));
  std::vector<std::string> titles;
  const Status status =
      ForEachSqliteRow(path, "books", {"title"}, 2, [&](const std::vector<TableJoin::Field>& row) {
        titles.emplace_back(row[0].text);
        return Status();
      });
  EXPECT_TRUE(status.ok());
  EXPECT_THAT(titles, ElementsAre("z", "a"));
}

// Writing.

RC_GTEST_PROP(SqliteTarget, GivesBackWhatItWasGiven, ()) {
  const Dataset data = RandomDataset(*rc::gen::arbitrary<uint64_t>());
  const TemporaryFolder folder;
  const Policy policy = SqlitePolicy();
  Progress progress;
  const auto target = DataTarget::Create(policy, {folder.path() + "/out.db", "", 0644});
  RC_ASSERT(target.ok());
  DatasetRecords records(data);
  RC_ASSERT((*target)->Write(records, {}, progress).ok());
  const auto again = (*target)->ReadBack(progress);
  RC_ASSERT(again.ok());
  RC_ASSERT(Describe(*again) == Describe(data));
}

class SqliteTargetTest : public ::testing::Test {
 protected:
  // Reads the tables above and writes them, as `convert` would.
  void Write() {
    auto data = ReadFile(MakeDatabase(folder_, std::string(kTables) + kRows));
    ASSERT_TRUE(data.ok()) << ErrorOf(data);
    data_ = std::move(*data);
    auto target = DataTarget::Create(policy_, {path_, "", 0644});
    ASSERT_TRUE(target.ok()) << target.error().message;
    target_ = std::move(*target);
    DatasetRecords records(data_);
    const Status status = target_->Write(records, {.with_class = true}, progress_);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string Select(const std::string& sql) const {
    sqlite3* database = nullptr;
    sqlite3_open_v2(path_.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
    std::string text;
    const auto add = [](void* out, int count, char** values, char**) {
      for (int i = 0; i < count; ++i) {
        *static_cast<std::string*>(out) +=
            std::string(values[i] != nullptr ? values[i] : "-") + (i + 1 < count ? "|" : "\n");
      }
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &text, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
    return text;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() + "/out.db";
  Policy policy_ = SqlitePolicy();
  Progress progress_;
  Dataset data_;
  std::unique_ptr<DataTarget> target_;
};

TEST_F(SqliteTargetTest, NobodyElseCanReadItBeforeCommit) {
  Write();
  ASSERT_THAT(Files(), ::testing::SizeIs(2));
  struct stat status {};
  ASSERT_EQ(stat((folder_.path() + "/" + Files()[0]).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  ASSERT_TRUE(target_->Commit().ok());
  EXPECT_THAT(Files(), ElementsAre("data.db", "out.db"));
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644U);
}

TEST_F(SqliteTargetTest, LeavesNothingBehindWithoutCommit) {
  Write();
  target_.reset();
  EXPECT_THAT(Files(), ElementsAre("data.db"));
}

TEST_F(SqliteTargetTest, StopsWhenTheUserWantsToAndLeavesNothingBehind) {
  Dataset data = RandomDataset(7);
  auto target = DataTarget::Create(policy_, {path_, "", 0644});
  ASSERT_TRUE(target.ok());
  DatasetRecords records(data);
  progress_.Cancel();
  const Status status = (*target)->Write(records, {}, progress_);
  // What is small may be done before anybody looks.
  EXPECT_TRUE(status.ok() || status.error().code == ErrorCode::kInterrupted);
  target->reset();
  EXPECT_THAT(Files(), ::testing::IsEmpty());
}

TEST_F(SqliteTargetTest, DeclaresKeysReferencesAndTheTypesOfValuesThatAreNotGeneralized) {
  Write();
  ASSERT_TRUE(target_->Commit().ok());
  EXPECT_EQ(Select("SELECT sql FROM sqlite_schema ORDER BY rowid"),
            "CREATE TABLE \"students\" (\"ID\" INTEGER PRIMARY KEY, \"major\" TEXT, "
            "\"gpa\" REAL, \"campus\", \"_class\" INTEGER)\n"
            "CREATE TABLE \"courses\" (\"CID\" INTEGER PRIMARY KEY, \"SID\" INTEGER NOT NULL "
            "REFERENCES \"students\"(\"ID\"), \"code\", \"grade\" TEXT)\n"
            "CREATE TABLE \"books\" (\"CID\" INTEGER NOT NULL REFERENCES \"courses\"(\"CID\"), "
            "\"title\" TEXT)\n"
            "CREATE TABLE \"tags\" (\"SID\" INTEGER NOT NULL REFERENCES \"students\"(\"ID\"), "
            "\"tag\")\n");
  EXPECT_EQ(Select("PRAGMA foreign_key_check"), "");
  EXPECT_EQ(Select("PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(Select("SELECT gpa, typeof(gpa), code, title FROM students JOIN courses ON SID = ID "
                   "JOIN books USING (CID) ORDER BY ID, title"),
            "4.0|real|1.0e+300|\n3.5|real|101|a\n3.5|real|101|z\n");
}

TEST_F(SqliteTargetTest, DoesNotReplaceADatabaseInUse) {
  folder_.File("out.db-wal", "something");
  const auto target = DataTarget::Create(policy_, {path_, "", 0644});
  ASSERT_FALSE(target.ok());
  EXPECT_EQ(target.error().code, ErrorCode::kIo);
  EXPECT_EQ(target.error().message, path_ + ": must not be in use, but " + path_ + "-wal is there");
}

TEST_F(SqliteTargetTest, DoesNotPublishBesideAnyJournal) {
  for (const char* end : {"-wal", "-shm", "-journal"}) {
    const std::string journal = folder_.File("out.db" + std::string(end), "");
    EXPECT_FALSE(DataTarget::Create(policy_, {path_, "", 0644}).ok()) << end;
    ASSERT_EQ(unlink(journal.c_str()), 0);
  }
  EXPECT_TRUE(DataTarget::Create(policy_, {path_, "", 0644}).ok());
}

TEST_F(SqliteTargetTest, DoesNotPublishBesideAJournalBehindALink) {
  folder_.File("real.db", "");
  ASSERT_EQ(symlink("real.db", path_.c_str()), 0);
  ASSERT_TRUE(DataTarget::Create(policy_, {path_, "", 0644}).ok());
  const std::string journal = folder_.File("real.db-wal", "something");
  const auto target = DataTarget::Create(policy_, {path_, "", 0644});
  ASSERT_FALSE(target.ok());
  EXPECT_EQ(target.error().code, ErrorCode::kIo);
  EXPECT_EQ(target.error().message, path_ + ": must not be in use, but " + journal + " is there");
}

TEST_F(SqliteTargetTest, RefusesAPathThatAsksForCompression) {
  for (const char* end : {".gz", ".zst"}) {
    const auto target = DataTarget::Create(policy_, {path_ + end, "", 0644});
    ASSERT_FALSE(target.ok());
    EXPECT_EQ(target.error().code, ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace thicket::sqlite_test
