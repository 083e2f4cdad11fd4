#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/sqlite/sqlite_database.h"
#include "survey/propose.h"
#include "survey/propose_test.h"
#include "survey/survey.h"

namespace thicket::propose_tables_test {
namespace {

namespace fs = std::filesystem;

// A column of a test's table: row r holds the prefix and r, or r * 7 % modulo where there is one.
struct Column {
  std::string name;
  std::string prefix;
  int modulo = 0;
};

class ProposeTablesTest : public ProposeTest {
 protected:
  void PutTable(const std::string& file, const std::vector<Column>& columns, int rows) {
    std::string text;
    for (const Column& column : columns) text += (text.empty() ? "" : ",") + column.name;
    text += '\n';
    for (int row = 0; row < rows; ++row) {
      for (size_t i = 0; i < columns.size(); ++i) {
        const int number = columns[i].modulo == 0 ? row : row * 7 % columns[i].modulo;
        text += (i == 0 ? "" : ",") + columns[i].prefix + std::to_string(number);
      }
      text += '\n';
    }
    fs::create_directories(directory_ / "data");
    Put("data/" + file, text);
  }

  // A clinic in three tables, with a second key.
  void PutClinic() {
    PutTable("patients.csv", {{"ID", "p-", 0}, {"sex", "s", 2}, {"born", "19", 90}}, 40);
    PutTable("visits.csv", {{"ID", "v-", 0}, {"PATIENT", "p-", 40}, {"ward", "w", 5}}, 80);
    PutTable("conditions.csv", {{"PATIENT", "p-", 40}, {"VISIT", "v-", 80}, {"code", "c", 9}}, 90);
  }

  std::string MakeSqlite(const std::string& statements) {
    std::string path = Put("data.db", "");
    auto database = SqliteDatabase::OpenToFill(path, path);
    EXPECT_TRUE(database.ok());
    EXPECT_TRUE((*database)->Execute(statements).ok());
    return path;
  }

  std::string Fails(const std::string& path) {
    const auto proposal = ProposePolicy(path, Path("policy.yaml"));
    if (proposal.ok()) return "accepted";
    const std::string& message = proposal.error().message;
    const std::string folder = directory_.string() + "/";
    return message.starts_with(folder) ? message.substr(folder.size()) : message;
  }

  bool Says(const std::string& text) const { return text_.find(text) != std::string::npos; }
};

TEST_F(ProposeTablesTest, JoinsAFolderAndDropsTheSecondKey) {
  PutClinic();
  const Policy policy = ProposeAndRead(Path("data/"));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(policy.input.format, Format::kTables);
  EXPECT_EQ(policy.input.path, "data");
  EXPECT_FALSE(policy.input.drop_orphans);
  ASSERT_EQ(policy.schema->classes.size(), 3U);
  const VertexClass& patient = policy.schema->classes[0];
  EXPECT_EQ(patient.name, "patient");
  EXPECT_EQ(patient.table, "patients");
  EXPECT_EQ(patient.key, "ID");
  EXPECT_EQ(patient.id, "ID");
  EXPECT_EQ(QuasiNames(patient), (Names{"sex", "born"}));
  const VertexClass& visit = policy.schema->classes[1];
  EXPECT_EQ(visit.table, "visits");
  EXPECT_EQ(visit.key, "ID");
  EXPECT_EQ(visit.parent_key, "PATIENT");
  EXPECT_EQ(QuasiNames(visit), (Names{"ward"}));
  const VertexClass& condition = policy.schema->classes[2];
  EXPECT_EQ(condition.parent, 1);
  EXPECT_EQ(condition.key, "");
  EXPECT_EQ(condition.parent_key, "VISIT");
  EXPECT_EQ(condition.drop, (Names{"PATIENT"}));
  EXPECT_EQ(SensitiveNames(condition), (Names{"code"}));
  EXPECT_TRUE(Says("# a second key, to patients"));
}

TEST_F(ProposeTablesTest, JoinsByIntegerKeysOnlyWhereTheirNamesSaySo) {
  PutTable("customers.csv", {{"id", "", 0}, {"town", "t", 4}}, 50);
  PutTable("orders.csv", {{"id", "", 0}, {"customer_id", "", 50}, {"items", "", 6}}, 80);
  const Policy policy = ProposeAndRead(Path("data"));
  ASSERT_TRUE(policy.schema);
  ASSERT_EQ(policy.schema->classes.size(), 2U);
  EXPECT_EQ(policy.schema->classes[1].parent_key, "customer_id");
  EXPECT_EQ(policy.schema->classes[1].key, "id");
  EXPECT_EQ(QuasiNames(policy.schema->classes[1]), (Names{"items"}));
}

TEST_F(ProposeTablesTest, LeavesLookupTablesOutAndKeepsTheirCodes) {
  PutClinic();
  PutTable("wards.csv", {{"ward_code", "w", 0}, {"floor", "", 3}}, 5);
  PutTable("patients.csv", {{"ID", "p-", 0}, {"sex", "s", 2}, {"ward_code", "w", 5}}, 40);
  PutTable("empty.csv", {{"patient", "p-", 0}}, 0);
  Put("data/blank.csv", "");
  Put("data/notes.txt", "nothing");
  const Policy policy = ProposeAndRead(Path("data"));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(policy.schema->classes.size(), 3U);
  EXPECT_EQ(QuasiNames(policy.schema->root()), (Names{"sex", "ward_code"}));
  EXPECT_EQ(policy.schema->root().quasi[1].recoding.kind, Recoding::Kind::kTaxonomy);
  EXPECT_TRUE(Says("# left out: the table wards (no key leads from its rows to patients)"));
  EXPECT_TRUE(Says("# left out: the table empty (it has no rows)")) << text_;
  EXPECT_TRUE(Says("# left out: the table blank.csv (has no header)"));
  EXPECT_FALSE(Says("notes.txt"));
}

TEST_F(ProposeTablesTest, DropsOrphansWhereThereAreSomeAndCountsThem) {
  PutTable("patients.csv", {{"ID", "p-", 0}, {"sex", "s", 2}}, 200);
  PutTable("visits.csv", {{"PATIENT", "p-", 202}, {"ward", "w", 5}}, 404);
  const Policy policy = ProposeAndRead(Path("data"));
  ASSERT_TRUE(policy.schema);
  EXPECT_TRUE(policy.input.drop_orphans);
  EXPECT_TRUE(Says("# 4 rows have no parent, and are left out")) << text_;
  EXPECT_TRUE(Says("; 4 of 404 rows have no parent"));
}

TEST_F(ProposeTablesTest, DescribesASingleTableWithoutChildren) {
  PutTable("visits.csv", {{"ID", "p-", 0}, {"sex", "s", 2}}, 20);
  const Policy policy = ProposeAndRead(Path("data"));
  ASSERT_TRUE(policy.schema);
  ASSERT_EQ(policy.schema->classes.size(), 1U);
  EXPECT_EQ(policy.schema->root().id, "ID");
  EXPECT_EQ(QuasiNames(policy.schema->root()), (Names{"sex"}));
}

TEST_F(ProposeTablesTest, ReadsFilesOfEveryKindOfName) {
  PutTable("patients.csv", {{"ID", "p-", 0}, {"sex", "s", 2}}, 40);
  PutTable("patients.tsv", {{"ID", "q-", 0}, {"sex", "s", 2}}, 40);
  PutTable("visits.2020.csv", {{"PATIENT", "p-", 40}, {"ward", "w", 5}}, 80);
  const Policy policy = ProposeAndRead(Path("data"));
  ASSERT_TRUE(policy.schema);
  ASSERT_EQ(policy.schema->classes.size(), 2U);
  EXPECT_EQ(policy.schema->classes[1].table, "visits.2020");
  EXPECT_EQ(policy.schema->classes[1].name, "visit");
  EXPECT_TRUE(Says("# left out: the table patients.tsv (patients.csv is a file, too)"));
}

TEST_F(ProposeTablesTest, RejectsFoldersThatItCannotRead) {
  fs::create_directories(directory_ / "data");
  EXPECT_EQ(Fails(Path("data")).substr(0, 28), "data: a folder must hold tab");
  Put("data/a.csv", "x,x\n1,2\n");
  EXPECT_EQ(Fails(Path("data")).substr(0, 13), "data/a.csv:1:");
  Put("data/a.csv", "x,y\n1\n");
  EXPECT_EQ(Fails(Path("data")).substr(0, 13), "data/a.csv:2:");
  Put("data/a.csv", "x,y\n");
  EXPECT_EQ(Fails(Path("data")), "data: must hold records, but the table a has no rows");
}

TEST_F(ProposeTablesTest, FollowsTheDeclaredKeysOfADatabase) {
  const std::string path = MakeSqlite(R"(
      CREATE TABLE town(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE crew(no INTEGER PRIMARY KEY, boss INTEGER REFERENCES crew,
                        town INTEGER REFERENCES town(id), sex TEXT, photo BLOB, note TEXT);
      CREATE TABLE pay(who INTEGER REFERENCES crew(no), month INTEGER, kind TEXT,
                       PRIMARY KEY (who, month));
      CREATE TABLE item(pay INTEGER, owner INTEGER REFERENCES crew(no), what TEXT);
      CREATE TABLE never(owner INTEGER REFERENCES crew(no), what TEXT);
      INSERT INTO town VALUES (1, 'x'), (2, 'y');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO crew SELECT i, i / 10 + 1, i % 2 + 1, char(97 + i % 2), x'00ff',
                                CASE WHEN i = 3 THEN x'00' ELSE 'n' END FROM n;
      INSERT INTO pay SELECT no, 1, 'a' FROM crew UNION SELECT no, 2, 'b' FROM crew;
      INSERT INTO item SELECT who, who, kind FROM pay;)");
  const Policy policy = ProposeAndRead(path);
  ASSERT_TRUE(policy.schema) << text_;
  EXPECT_EQ(policy.input.format, Format::kSqlite);
  ASSERT_EQ(policy.schema->classes.size(), 3U);
  const VertexClass& crew = policy.schema->root();
  EXPECT_EQ(crew.table, "crew");
  EXPECT_EQ(crew.key, "no");
  EXPECT_EQ(crew.drop, (Names{"boss"}));
  EXPECT_EQ(QuasiNames(crew), (Names{"town", "sex"}));
  EXPECT_EQ(crew.quasi[0].recoding.kind, Recoding::Kind::kTaxonomy);
  EXPECT_TRUE(Says("# a second key, to crew"));
  EXPECT_TRUE(Says("# left out: photo (neither text nor a number)"));
  EXPECT_TRUE(Says("# left out: note (neither text nor a number)"));
  EXPECT_TRUE(Says("# left out: the table town (no key leads from its rows to crew)"));
  EXPECT_TRUE(Says("# left out: never (always empty)"));
  EXPECT_TRUE(Says("# a declared foreign key"));
  // A key of two columns is none that a table could be joined by.
  EXPECT_EQ(policy.schema->classes[2].table, "pay");
  EXPECT_EQ(policy.schema->classes[2].key, "");
  EXPECT_EQ(policy.schema->classes[2].parent_key, "who");
}

TEST_F(ProposeTablesTest, GuessesKeysThatADatabaseDoesNotDeclare) {
  const std::string path = MakeSqlite(R"(
      CREATE TABLE person(id INTEGER, sex TEXT);
      CREATE TABLE visit(person_id, ward TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO person SELECT i, char(97 + i % 2) FROM n;
      INSERT INTO visit SELECT id, 'w' || (id % 3) FROM person WHERE id % 2 = 0;)");
  const Policy policy = ProposeAndRead(path);
  ASSERT_TRUE(policy.schema);
  ASSERT_EQ(policy.schema->classes.size(), 2U);
  EXPECT_EQ(policy.schema->root().table, "person");
  EXPECT_EQ(policy.schema->classes[1].parent_key, "person_id");
}

TEST_F(ProposeTablesTest, RejectsDatabasesWithoutTables) {
  EXPECT_EQ(Fails(Put("empty.db", "")), "empty.db: must hold tables, but holds none");
}

TEST_F(ProposeTablesTest, LooksAtTheFirstRowsButAtAllKeys) {
  // The last parents and the last orphan stand behind what is looked at.
  const auto rows = static_cast<int>(kMostSurveyed) + 10;
  PutTable("patients.csv", {{"ID", "p-", 0}, {"sex", "s", 2}}, rows);
  std::string visits = "PATIENT,ward\n";
  for (int i = 0; i < rows; ++i) {
    visits += "p-" + std::to_string(rows - 1 - i) + ",w" + std::to_string(i % 3) + "\n";
  }
  Put("data/visits.csv", visits + "p-nobody,w1\n");
  const Policy policy = ProposeAndRead(Path("data"));
  ASSERT_TRUE(policy.schema);
  ASSERT_EQ(policy.schema->classes.size(), 2U);
  EXPECT_TRUE(policy.input.drop_orphans);
  EXPECT_TRUE(Says("guessed from the first 200,000 records"));
  EXPECT_TRUE(Says("# 200,011 in all"));
  EXPECT_TRUE(Says("1 row has no parent, and is left out"));
  EXPECT_TRUE(Says("unknown: generalize"));
}

}  // namespace
}  // namespace thicket::propose_tables_test
