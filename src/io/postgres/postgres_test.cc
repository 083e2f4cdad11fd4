// PostgreSQL in and out, on a real server: run with `python3 tests/postgres_server.py -- io_test`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "io/postgres/postgres_connection.h"
#include "io/tables/database_catalogue.h"
#include "io/tables/test_tables.h"
#include "io/test_random_data.h"

namespace thicket::postgres_test {
namespace {

using testing::Describe;
using testing::DescribeCatalogue;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kServer[] = "postgresql://";

Policy PostgresPolicy() {
  Policy policy = testing::JoinedPolicy();
  policy.input.format = Format::kPostgresql;
  return policy;
}

// Never a server that somebody needs: only the one that the test started.
bool HasServer() { return std::getenv("THICKET_TEST_SERVER") != nullptr; }

class PostgresServer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasServer()) GTEST_SKIP() << "needs tests/postgres_server.py";
    auto connection = PostgresConnection::Connect(kServer);
    ASSERT_TRUE(connection.ok()) << connection.error().message;
    connection_ = std::move(*connection);
    RunSql("DROP SCHEMA IF EXISTS raw CASCADE; DROP SCHEMA IF EXISTS published CASCADE");
  }
  void RunSql(const std::string& statements) {
    const Status status = connection_->Execute(statements, "test");
    ASSERT_TRUE(status.ok()) << status.error().message;
  }

  std::unique_ptr<PostgresConnection> connection_;
};

// Labels are texts in PostgreSQL, so that kinds are not compared.
std::string WithoutKinds(const Dataset& data) {
  std::string text = Describe(data);
  text.erase(std::remove(text.begin(), text.end(), '\''), text.end());
  return text;
}

RC_GTEST_FIXTURE_PROP(PostgresServer, GivesBackWhatItWasGiven, (uint64_t seed)) {
  // RapidCheck does not know of skipped tests.
  if (!HasServer()) return;
  const Dataset data = testing::RandomDataset(seed);
  const Policy policy = PostgresPolicy();
  Progress progress;
  const auto target = DataTarget::Create(policy, {"", "random", 0644});
  RC_ASSERT(target.ok());
  DatasetRecords records(data);
  RC_ASSERT((*target)->Write(records, {}, progress).ok());
  const auto again = (*target)->ReadBack(progress);
  RC_ASSERT(again.ok());
  RC_ASSERT(WithoutKinds(*again) == WithoutKinds(data));
}

TEST_F(PostgresServer, ValuesThatComeFromNoDatabaseGetTypesThatGiveThemBack) {
  Policy json = testing::JoinedPolicy();
  json.input.format = Format::kJsonl;
  const auto data = testing::Read(
      json,
      R"({"major": 1, "gpa": 3.50, "campus": true, "courses": [{"code": "x", "grade": 1e3}]})"
      "\n"
      R"({"major": "a", "gpa": -2, "campus": false, "courses": [{"code": "y", "grade": 7}]})",
      ReadAs::kPublished);
  ASSERT_TRUE(data.ok()) << testing::ErrorOf(data);
  const Policy policy = PostgresPolicy();
  Progress progress;
  const auto target = DataTarget::Create(policy, {"", "published", 0644});
  ASSERT_TRUE(target.ok()) << target.error().message;
  DatasetRecords records(*data);
  ASSERT_TRUE((*target)->Write(records, {}, progress).ok());
  ASSERT_TRUE((*target)->Commit().ok());
  Progress reading;
  const auto again = ReadDataset(policy, "published", ReadAs::kPublished, reading);
  ASSERT_TRUE(again.ok()) << testing::ErrorOf(again);
  EXPECT_EQ(Describe(*again),
            "student('1',3.50,true){course('x','1e3')}\n"
            "student('a',-2,false){course('y','7')}\n");
}

TEST_F(PostgresServer, CatalogueTellsTablesColumnsAndForeignKeys) {
  RunSql(
      "CREATE SCHEMA raw; "
      "CREATE TABLE raw.students (id int PRIMARY KEY, name varchar(9), tags text[], photo bytea); "
      "CREATE TABLE raw.courses (id int, student int REFERENCES raw.students, grade char(2), "
      "  UNIQUE (id, student)); "
      "CREATE TABLE raw.books (course int, student int, title text, "
      "  FOREIGN KEY (course, student) REFERENCES raw.courses (id, student)); "
      "CREATE VIEW raw.all_books AS SELECT title FROM raw.books; "
      "INSERT INTO raw.students VALUES (1, 'Ann'), (2, NULL), (3, 'Cem'); ANALYZE raw.students");
  const auto tables = ReadPostgresCatalogue(kServer, "raw");
  ASSERT_TRUE(tables.ok()) << tables.error().message;
  EXPECT_THAT(DescribeCatalogue(*tables),
              ElementsAre("books 0: course/integer student/integer title/text",
                          "courses 0: id/integer student/integer grade/character(2) "
                          "student->students.id",
                          "students 3: id/integer! name/character varying(9) tags/text[]? "
                          "photo/bytea?",
                          "all_books 0: title/text"));
}

TEST_F(PostgresServer, RowsComeWithTheirKinds) {
  RunSql(
      "CREATE SCHEMA raw; CREATE TABLE raw.t (a int, b text, c boolean); "
      "INSERT INTO raw.t VALUES (1, 'x', true), (NULL, '', false), (3, 'y', NULL)");
  std::string text;
  const Status status = ForEachPostgresRow(
      kServer, "raw", "t", {"c", "a", "b"}, 2, [&](const std::vector<TableJoin::Field>& row) {
        for (const TableJoin::Field& field : row) {
          text += std::to_string(static_cast<int>(field.kind)) + std::string(field.text) + " ";
        }
        return Status();
      });
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(text, "3true 21 1x 3false 0 1 ");
  const auto ignore = [](const std::vector<TableJoin::Field>&) { return Status(); };
  EXPECT_FALSE(ForEachPostgresRow(kServer, "raw", "u", {"a"}, 0, ignore).ok());
  EXPECT_FALSE(ForEachPostgresRow(kServer, "raw", "t", {"d"}, 0, ignore).ok());
  const Status missing = ForEachPostgresRow(kServer, "row", "t", {"a"}, 0, ignore);
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().hint, HasSubstr("did you mean raw?"));
}

TEST_F(PostgresServer, ATypeThatIsNoTypeNeverBecomesAPartOfAStatement) {
  RunSql("CREATE SCHEMA raw; CREATE TABLE raw.safe ()");
  auto data = testing::RandomDataset(1);
  data.shape.tables[0].columns = {
      {TableColumn::Role::kKey, 0, ""},
      {TableColumn::Role::kValue, 1, "text); DROP SCHEMA raw CASCADE; --"},
      {TableColumn::Role::kValue, 2, "numeric(1); DROP SCHEMA raw CASCADE; --)"}};
  const Policy policy = PostgresPolicy();
  Progress progress;
  const auto target = DataTarget::Create(policy, {"", "published", 0644});
  ASSERT_TRUE(target.ok()) << target.error().message;
  DatasetRecords records(data);
  ASSERT_TRUE((*target)->Write(records, {}, progress).ok());
  ASSERT_TRUE((*target)->Commit().ok());
  RunSql("SELECT FROM raw.safe");
}

}  // namespace
}  // namespace thicket::postgres_test
