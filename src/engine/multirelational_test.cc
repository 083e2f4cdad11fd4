// Tables in, tables out: what is published is k-anonymous over the join, as Nergiz et al. 2008 define it, whatever method
// has done it (testing/multirelational_check.h).
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/assess.h"
#include "engine/thicket.h"
#include "testing/multirelational_check.h"

namespace thicket::multirelational_test {
namespace {

using testing::FindFault;
using testing::Snowflake;
using testing::SnowflakeSchema;
using testing::SnowflakeTable;

namespace fs = std::filesystem;

using Texts = std::map<std::string, std::string>;  // by table

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "thicket-join-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  std::string File(const std::string& name) const { return (path_ / name).string(); }
  void Write(const std::string& name, const std::string& content) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

 private:
  fs::path path_;
};

// Random tables with few rows and few values, and the policy to publish them by.
class RandomSnowflake {
 public:
  explicit RandomSnowflake(uint64_t seed) : random_(Random::Seeded(seed)) {
    const size_t tables = 1 + random_.Below(4);
    for (size_t table = 0; table < tables; ++table) AddTable(table);
    // Without it l would have nothing to protect.
    schema_[random_.Below(tables)].sensitive = {"secret"};
    if (schema_[0].quasi.empty()) schema_[0].sensitive = {"secret"};
    for (size_t table = 0; table < tables; ++table) texts_[schema_[table].name] = Header(table);
    const uint64_t persons = 4 + random_.Below(7);
    for (uint64_t i = 0; i < persons; ++i) AddRow(0, "");
    k_ = static_cast<int>(2 + random_.Below(2));
  }

  const SnowflakeSchema& schema() const { return schema_; }
  const Texts& texts() const { return texts_; }
  int k() const { return k_; }

  // Labels begin with the more general ones: a1 is below a, and that below *.
  static std::string Taxonomy() { return "a1;a;*\na2;a;*\na3;a;*\nb1;b;*\nb2;b;*\nc1;c;*\n"; }

  std::string Policy(const std::string& method, bool refine, bool diverse) const {
    std::string text = "version: 1\ninput: {format: tables, path: data}\nrecord:\n";
    AppendClass(0, "  ", text);
    text += "privacy: {k: " + std::to_string(k_) + (diverse ? ", l: 2" : "") + "}\n";
    text += "method: {name: " + method + (refine ? ", refine: on" : "");
    if (method != "clustree") text += ", climit: 3, th: 0.3";
    return text + "}\n";
  }

 private:
  void AddTable(size_t number) {
    SnowflakeTable table;
    table.name = "t" + std::to_string(number);
    if (number > 0) {
      SnowflakeTable& parent = schema_[random_.Below(number)];
      parent.key = "key_of_" + parent.name;
      table.parent_table = parent.name;
      table.foreign_key = "in_" + parent.name;
    } else {
      table.key = "person";
    }
    const uint64_t quasi = random_.Below(3) + (number == 0 ? 0 : 1);
    for (uint64_t i = 0; i < quasi; ++i) table.quasi.push_back("q" + std::to_string(i));
    if (random_.Below(3) > 0) table.sensitive = {"secret"};
    schema_.push_back(std::move(table));
  }

  std::string Header(size_t table) const {
    std::string line;
    for (const std::string& name : {schema_[table].key, schema_[table].foreign_key}) {
      if (!name.empty()) line += name + ",";
    }
    for (const std::string& name : schema_[table].quasi) line += name + ",";
    for (const std::string& name : schema_[table].sensitive) line += name + ",";
    line.back() = '\n';
    return line;
  }

  void AddRow(size_t table, const std::string& parent) {
    const std::vector<std::string> leaves = {"a1", "a1", "a2", "a3", "b1", "b2", "c1"};
    const std::string key = "x" + std::to_string(++rows_);
    std::string line;
    if (!schema_[table].key.empty()) line += key + ",";
    if (!parent.empty()) line += parent + ",";
    for (size_t i = 0; i < schema_[table].quasi.size(); ++i) {
      line += leaves[random_.Below(leaves.size())] + ",";
    }
    for (size_t i = 0; i < schema_[table].sensitive.size(); ++i) {
      line += std::to_string(random_.Below(6)) + ",";
    }
    line.back() = '\n';
    texts_[schema_[table].name] += line;
    for (size_t child = 1; child < schema_.size(); ++child) {
      if (schema_[child].parent_table != schema_[table].name) continue;
      for (uint64_t i = random_.Below(3); i > 0; --i) AddRow(child, key);
    }
  }

  void AppendClass(size_t number, const std::string& indent, std::string& text) const {
    const SnowflakeTable& table = schema_[number];
    text += indent + "class: " + table.name + "\n" + indent + "table: " + table.name + "\n";
    if (!table.key.empty()) text += indent + "key: " + table.key + "\n";
    if (number == 0) text += indent + "id: " + table.key + "\n";
    if (number > 0) text += indent + "parent: " + table.foreign_key + "\n";
    if (!table.quasi.empty()) text += indent + "quasi:\n";
    for (const std::string& name : table.quasi) {
      text += indent + "  " + name + ": {taxonomy: values.csv}\n";
    }
    if (!table.sensitive.empty()) text += indent + "sensitive: {secret: {}}\n";
    bool first = true;
    for (size_t child = 1; child < schema_.size(); ++child) {
      if (schema_[child].parent_table != table.name) continue;
      if (first) text += indent + "children:\n";
      first = false;
      std::string below;
      AppendClass(child, indent + "    ", below);
      below[indent.size() + 2] = '-';
      text += below;
    }
  }

  Random random_;
  SnowflakeSchema schema_;
  Texts texts_;
  int rows_ = 0;
  int k_ = 2;
};

// Publishes with the method; nothing where no class can be made. Everything on the way must be in order.
std::optional<Texts> Publish(const RandomSnowflake& given, const std::string& policy_text) {
  const Folder folder;
  folder.Write("policy.yaml", policy_text);
  folder.Write("values.csv", RandomSnowflake::Taxonomy());
  for (const auto& [name, text] : given.texts()) folder.Write("data/" + name + ".csv", text);
  Progress progress;
  const auto policy = LoadPolicy(folder.File("policy.yaml"));
  if (!policy.ok()) RC_FAIL(policy.error().message);
  RunOptions options;
  options.seed = 1;
  options.threads = 1;
  const auto report =
      AnonymizeFile(*policy, {"", folder.File("public"), "", ""}, options, progress);
  if (!report.ok()) {
    const bool defect = report.error().hint.find("defect") != std::string::npos;
    if (report.error().code == ErrorCode::kPromise && !defect) return {};
    RC_FAIL(report.error().message);
  }
  const auto verdict = VerifyFile(*policy, folder.File("public"), folder.File("data"), progress);
  if (!verdict.ok()) RC_FAIL(verdict.error().message);
  RC_ASSERT(verdict->holds);
  Texts published;
  for (const auto& [name, text] : given.texts()) {
    published[name] = folder.Read("public/" + name + ".csv");
  }
  return published;
}

void CheckMethod(const std::string& method, bool diverse) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const RandomSnowflake given(seed);
  const std::string policy = given.Policy(method, *rc::gen::arbitrary<bool>(), diverse);
  RC_LOG() << "RandomSnowflake(" << seed << ")\n" << policy;
  const auto published = Publish(given, policy);
  if (!published) RC_DISCARD("nothing can be published");
  RC_ASSERT(FindFault(Snowflake(given.schema(), given.texts()),
                      Snowflake(given.schema(), *published), static_cast<size_t>(given.k())) == "");
}

RC_GTEST_PROP(MultirelationalTest, MiraclePublishesTablesThatAreAnonymousOverTheJoin, ()) {
  CheckMethod("miracle", false);
}
RC_GTEST_PROP(MultirelationalTest, MiracleXPublishesTablesThatAreAnonymousOverTheJoin, ()) {
  CheckMethod("miraclex", false);
}
RC_GTEST_PROP(MultirelationalTest, CdghPublishesTablesThatAreAnonymousOverTheJoin, ()) {
  CheckMethod("cdgh", false);
}
RC_GTEST_PROP(MultirelationalTest, DMiraclePublishesTablesThatAreAnonymousOverTheJoin, ()) {
  CheckMethod("dmiracle", true);
}
RC_GTEST_PROP(MultirelationalTest, ClusTreePublishesTablesThatAreAnonymousOverTheJoin, ()) {
  CheckMethod("clustree", *rc::gen::arbitrary<bool>());
}

// Table II of the paper without books, and its anonymizations. Labels begin with the more general ones.
const SnowflakeSchema kStudents = {
    {"students", "sid", "", "", {}, {"gpa"}},
    {"courses", "scid", "student", "students", {"course"}, {"grade"}},
    {"books", "", "enrolment", "courses", {"title"}, {}}};

const Texts kOriginal = {
    {"students", "sid,gpa\nS1,3.72\nS2,2.34\nS3,3.12\nS4,4.00\n"},
    {"courses",
     "scid,student,course,grade\n"
     "1,S1,Science-Math,93\n2,S1,Science-Physics,91\n3,S1,Social-History,85\n"
     "4,S2,Science-CS,78\n5,S2,Science-Physics,62\n6,S2,Social-Religion,42\n"
     "7,S3,Social-History,85\n8,S3,Social-Religion,75\n"
     "9,S3,Science-Physics,77\n"
     "10,S4,Social-History,98\n11,S4,Social-Religion,96\n"},
    {"books", "enrolment,title\n1,Discrete\n2,Calc\n2,Dyn\n4,Discrete\n5,Dyn\n"}};

const Texts kPublished = {{"students", "sid,gpa\n1,3.72\n2,2.34\n3,3.12\n4,4.00\n"},
                          {"courses",
                           "scid,student,course,grade\n"
                           "1,1,Science,93\n2,1,Science-Physics,91\n3,1,Social,85\n"
                           "4,2,Science,78\n5,2,Science-Physics,62\n6,2,Social,42\n"
                           "7,3,Social-History,85\n8,3,Social-Religion,75\n"
                           "9,4,Social-History,98\n10,4,Social-Religion,96\n"},
                          {"books", "enrolment,title\n1,Discrete\n2,Dyn\n4,Discrete\n5,Dyn\n"}};

std::string FaultOf(const Texts& published) {
  return FindFault(Snowflake(kStudents, kOriginal), Snowflake(kStudents, published), 2);
}

// The published tables with the first `was` of a table replaced.
std::string FaultWith(const std::string& table, const std::string& was, const std::string& now) {
  Texts published = kPublished;
  std::string& text = published[table];
  const size_t at = text.find(was);
  EXPECT_NE(at, std::string::npos) << was;
  text.replace(at, was.size(), now);
  return FaultOf(published);
}

TEST(MultirelationalCheckTest, AcceptsTheAnonymizationOfTable3) {
  EXPECT_EQ(FaultOf(kPublished), "");
}

TEST(MultirelationalCheckTest, RejectsTheTablesOfThePaperThatAreNotAnonymous) {
  const std::string too_few = "requirement 1: too few values in students";
  // Section II: as they are, only S4 reads American History.
  EXPECT_EQ(FaultOf(kOriginal), too_few);
  // Section III-A, AT1 of Table V, and III-B, T1 of Table VI: each tuple is there twice, but only S1 has two science
  // courses and history.
  Texts at_1 = kPublished;
  at_1["courses"] =
      "scid,student,course,grade\n"
      "1,1,Science,93\n2,1,Science,91\n3,1,Social-History,85\n"
      "4,2,Science,78\n5,2,Science-Physics,62\n6,2,Social-Religion,42\n"
      "7,3,Social-History,85\n8,3,Social-Religion,75\n9,3,Science-Physics,77\n"
      "10,4,Social-History,98\n11,4,Social-Religion,96\n";
  at_1["books"] = "enrolment,title\n";
  EXPECT_EQ(FaultOf(at_1), too_few);
}

TEST(MultirelationalCheckTest, FindsAPersonWhoStandsAlone) {
  const std::string too_few = "requirement 1: too few values in students";
  EXPECT_EQ(FaultWith("students", "4,4.00\n", "").substr(0, 7), "courses");
  Texts alone = kPublished;
  alone["students"] = "sid,gpa\n1,3.72\n2,2.34\n3,3.12\n";
  alone["courses"].resize(alone["courses"].find("9,4,"));
  EXPECT_EQ(FaultOf(alone), too_few);
  // Told apart by a label, a missing row, or a row that hangs elsewhere.
  EXPECT_EQ(FaultWith("courses", "Social-History,98", "Social,98"), too_few);
  EXPECT_EQ(FaultWith("books", "5,Dyn\n", ""), too_few);
  EXPECT_EQ(FaultWith("books", "5,Dyn\n", "4,Dyn\n"), too_few);
}

TEST(MultirelationalCheckTest, FindsAPersonWhoStandsAloneWhereNothingIsSensitive) {
  const SnowflakeSchema schema = {{"people", "id", "", "", {"city"}, {}}};
  const Snowflake original(schema, {{"people", "id,city\nx,a1\ny,a2\nz,a1\n"}});
  EXPECT_EQ(FindFault(original, Snowflake(schema, {{"people", "id,city\n1,a\n2,a\n3,a1\n"}}), 2),
            "requirement 2: too few persons alike");
  EXPECT_EQ(FindFault(original, Snowflake(schema, {{"people", "id,city\n1,a\n2,a\n3,a\n"}}), 2),
            "");
}

TEST(MultirelationalCheckTest, FindsWhatIsNotTrueOfTheOriginal) {
  const std::string not_correct = "requirement 3: not a generalization of the original";
  EXPECT_EQ(FaultWith("courses", "Science,93", "Science,94"), not_correct);
  EXPECT_EQ(FaultWith("students", "3.72", "3.73"), not_correct);
  Texts wrong = kPublished;
  wrong["books"] = "enrolment,title\n1,Calc\n2,Dyn\n4,Calc\n5,Dyn\n";
  EXPECT_EQ(FaultOf(wrong), not_correct);
  Texts invented = kPublished;
  invented["books"] += "7,Dyn\n9,Dyn\n";
  EXPECT_EQ(FaultOf(invented), not_correct);
  Texts moved = kPublished;
  moved["books"] = "enrolment,title\n1,Dyn\n2,Discrete\n4,Dyn\n5,Discrete\n";
  EXPECT_EQ(FaultOf(moved), not_correct);
  Texts twice = kPublished;
  twice["students"] += "5,4.00\n";
  twice["courses"] += "11,5,Social-History,98\n12,5,Social-Religion,96\n";
  EXPECT_EQ(FaultOf(twice), not_correct);
}

TEST(MultirelationalCheckTest, FindsTablesAndKeysThatAreNotInOrder) {
  EXPECT_EQ(FaultWith("courses", "2,1,", "1,1,"), "courses: a key stands for two rows");
  EXPECT_EQ(FaultWith("books", "5,", "50,"), "books: joins nothing");
  EXPECT_EQ(FaultWith("students", "sid,gpa", "sid,mark"), "students: other columns");
  Texts fewer = kPublished;
  fewer.erase("books");
  EXPECT_EQ(FaultOf(fewer), "no table books");
}

}  // namespace
}  // namespace thicket::multirelational_test
