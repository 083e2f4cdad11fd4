#include "survey/propose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>

#include "generate/generate.h"
#include "io/arrow/table_builder.h"
#include "survey/guess.h"
#include "survey/guess_names.h"
#include "survey/propose_test.h"
#include "survey/survey.h"

namespace thicket::propose_test {
namespace {

namespace fs = std::filesystem;

TEST_F(ProposeTest, FindsTheRolesOfGeneratedStudents) {
  ASSERT_TRUE(Generate("students", 300, 7, directory_.string(), progress_).ok());
  const Policy policy = ProposeAndRead(Path("students.jsonl"));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(policy.input.path, "students.jsonl");
  EXPECT_EQ(policy.privacy.k, 2);
  ASSERT_EQ(policy.schema->classes.size(), 3U);
  const VertexClass& student = policy.schema->classes[0];
  EXPECT_EQ(student.name, "student");
  EXPECT_EQ(student.id, "student_id");
  EXPECT_EQ(student.drop, (Names{"name", "email"}));
  EXPECT_EQ(QuasiNames(student), (Names{"campus", "major", "birth_year"}));
  EXPECT_EQ(student.quasi[2].recoding.kind, Recoding::Kind::kRanges);
  EXPECT_EQ(SensitiveNames(student), (Names{"gpa"}));
  EXPECT_GE(student.sensitive[0].buckets.size(), 5U);
  const VertexClass& course = policy.schema->classes[1];
  EXPECT_EQ(course.at, "courses");
  EXPECT_EQ(QuasiNames(course), (Names{"code"}));
  EXPECT_EQ(course.quasi[0].recoding.kind, Recoding::Kind::kMask);
  EXPECT_EQ(SensitiveNames(course), (Names{"grade"}));
  EXPECT_EQ(QuasiNames(policy.schema->classes[2]), (Names{"title"}));
  EXPECT_NE(text_.find("# confirm"), std::string::npos);
}

TEST_F(ProposeTest, ReadsTheOtherGeneratedDataAsProposed) {
  for (const std::string name : {"college-years", "transcripts"}) {
    ASSERT_TRUE(Generate(name, 200, 3, directory_.string(), progress_).ok());
    const Policy policy = ProposeAndRead(Path(name + ".jsonl"));
    ASSERT_TRUE(policy.schema);
    EXPECT_EQ(policy.schema->root().id, "student_id");
  }
}

TEST_F(ProposeTest, DescribesATableWithItsTypes) {
  std::string csv = "Patient ID;zip;Age;visited;weight;sex;diagnosis;Remarks\n";
  for (int i = 0; i < 120; ++i) {
    csv += "P" + std::to_string(1000 + i * 7) + ";0" + std::to_string(1000 + i % 9) + ";" +
           std::to_string(20 + i % 50) + ";2021-0" + std::to_string(1 + i % 9) + "-11;" +
           std::to_string(50 + i % 13) + ".5;" + (i % 2 == 0 ? "f" : "m") + ";" +
           (i % 3 == 0 ? "flu" : "cold") + ";\"note; number " + std::to_string(i) + "\"\n";
  }
  const Policy policy = ProposeAndRead(Put("visits.csv", csv));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(policy.input.format, Format::kCsv);
  const VertexClass& visit = policy.schema->root();
  EXPECT_EQ(visit.name, "visit");
  EXPECT_EQ(visit.id, "Patient ID");
  EXPECT_EQ(visit.drop, (Names{"Remarks"}));
  EXPECT_EQ(QuasiNames(visit), (Names{"zip", "Age", "visited", "weight", "sex"}));
  EXPECT_EQ(visit.quasi[0].recoding.kind, Recoding::Kind::kMask);
  EXPECT_EQ(visit.quasi[1].recoding.kind, Recoding::Kind::kRanges);
  EXPECT_EQ(visit.quasi[2].recoding.kind, Recoding::Kind::kDate);
  EXPECT_EQ(visit.quasi[3].recoding.kind, Recoding::Kind::kRanges);
  EXPECT_EQ(visit.quasi[4].recoding.kind, Recoding::Kind::kTaxonomy);
  EXPECT_EQ(SensitiveNames(visit), (Names{"diagnosis"}));
}

// Methods that recode all rows of a table alike need hierarchies; where there is anything below the root none of them will
// do, and free intervals lose less.
TEST_F(ProposeTest, ProposesHierarchiesForATableAndFreeIntervalsInTrees) {
  std::string table;
  std::string trees;
  for (int i = 0; i < 30; ++i) {
    const std::string own = R"({"height":)" + std::to_string(150 + i % 30) +
                            ".25,\"children\":" + std::to_string(i % 5) + R"(,"huge":)" +
                            std::to_string(i * 12345) + R"(,"disease":"d)" + std::to_string(i % 3) +
                            "\"";
    table += own + "}\n";
    trees += own + R"(,"visits":[{"ward":"w)" + std::to_string(i % 4) + "\"}]}\n";
  }
  const Policy flat = ProposeAndRead(Put("flat.jsonl", table));
  ASSERT_TRUE(flat.schema);
  EXPECT_EQ(QuasiNames(flat.schema->root()), (Names{"height", "children", "huge"}));
  for (const QuasiAttribute& attribute : flat.schema->root().quasi) {
    EXPECT_EQ(attribute.recoding.kind, Recoding::Kind::kRanges) << attribute.name;
  }
  const auto with_method = [](const std::string& policy, const std::string& name) {
    return ParsePolicy(policy + "method: {name: " + name + "}\n", "policy.yaml");
  };
  for (const char* name : {"clustree", "lplus", "incognito", "annealing"}) {
    const auto policy = with_method(text_, name);
    EXPECT_TRUE(policy.ok()) << name << ": " << policy.error().message;
  }
  const Policy deep = ProposeAndRead(Put("deep.jsonl", trees));
  ASSERT_TRUE(deep.schema);
  EXPECT_EQ(deep.schema->root().quasi[1].recoding.kind, Recoding::Kind::kNumeric);
  // The ends of free intervals would be single people's heights.
  EXPECT_EQ(deep.schema->root().quasi[0].recoding.kind, Recoding::Kind::kRanges);
  EXPECT_EQ(text_.find("lplus"), std::string::npos);
}

TEST_F(ProposeTest, NeverQuotesAValueInThePolicy) {
  std::string lines;
  for (int i = 0; i < 60; ++i) {
    lines += R"({"id":)" + std::to_string(i) + R"(,"town":"Secretville)" + std::to_string(i % 4) +
             R"(","income":)" + std::to_string(12345 + i * 17) + R"(,"note":"xyzzy )" +
             std::to_string(i) + "\"}\n";
  }
  ProposeAndRead(Put("people.jsonl", lines));
  EXPECT_EQ(text_.find("Secretville"), std::string::npos);
  EXPECT_EQ(text_.find("xyzzy"), std::string::npos);
  EXPECT_EQ(text_.find("12345"), std::string::npos);
  ASSERT_EQ(files_.size(), 1U);
  EXPECT_EQ(files_[0].first, "taxonomies/town.csv");
  EXPECT_EQ(files_[0].second, "Secretville0;*\nSecretville1;*\nSecretville2;*\nSecretville3;*\n");
}

TEST_F(ProposeTest, FindsTheRecordsOfADocument) {
  const std::string people = R"([{"id":1,"sex":"f","tags":["a","b"],"home":{"city":"X"}},)"
                             R"({"id":2,"sex":"m","tags":[],"home":{"city":"Y"}}])";
  const Policy array = ProposeAndRead(Put("array.json", people));
  ASSERT_TRUE(array.schema);
  EXPECT_EQ(array.input.format, Format::kJson);
  EXPECT_EQ(array.input.at, "");
  ASSERT_EQ(array.schema->classes.size(), 3U);
  EXPECT_EQ(array.schema->classes[1].at, "tags");
  EXPECT_EQ(QuasiNames(array.schema->classes[1]), (Names{"tag"}));
  EXPECT_EQ(array.schema->classes[2].at, "home");

  const Policy nested =
      ProposeAndRead(Put("nested.json", R"({"meta":{"n":2},"result":{"people":)" + people + "}}"));
  EXPECT_EQ(nested.input.at, "result.people");

  const Policy keyed =
      ProposeAndRead(Put("keyed.json", R"({"p1":{"sex":"f","age":30},"p2":{"sex":"m","age":31}})"));
  ASSERT_TRUE(keyed.schema);
  EXPECT_EQ(keyed.input.at, "");
  EXPECT_EQ(QuasiNames(keyed.schema->root()), (Names{"sex", "age"}));
}

TEST_F(ProposeTest, LeavesOutWhatNoPolicyCanDescribeAndSaysWhy) {
  const Policy policy = ProposeAndRead(
      Put("odd.jsonl",
          R"({"sex":"f","mixed":1,"grid":[[1]],"unset":null,"empty":[],"both":[{"a":"x"}]})"
          "\n"
          R"({"sex":"m","mixed":{"a":1},"grid":[[2]],"unset":null,"empty":[],"both":["y"]})"
          "\n"));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(policy.schema->classes.size(), 1U);
  for (const char* name : {"mixed", "grid", "unset", "empty", "both"}) {
    EXPECT_NE(text_.find(std::string("# left out: ") + name), std::string::npos) << name;
  }
}

TEST_F(ProposeTest, QuotesNamesThatYamlWouldMisread) {
  const Policy policy = ProposeAndRead(
      Put("strange.jsonl",
          R"({"yes":"a","1":"b","a: b":"c","#x":"d","q\"\\":"e","über":"f","kinds":[{"no":"g"}]})"
          "\n"
          R"({"yes":"b","1":"c","a: b":"d","#x":"e","q\"\\":"f","über":"g","kinds":[{"no":"h"}]})"
          "\n"));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(QuasiNames(policy.schema->root()), (Names{"yes", "1", "a: b", "#x", "q\"\\", "über"}));
}

TEST_F(ProposeTest, ReadsStrangeValuesBackFromTheirTaxonomy) {
  const Policy policy = ProposeAndRead(Put("values.jsonl", R"({"v":"a;b","w":"*"})"
                                                           "\n"
                                                           R"({"v":"say \"x\"","w":"a"})"
                                                           "\n"
                                                           R"({"v":"","w":"b"})"
                                                           "\n"
                                                           R"({"v":"two\nlines","w":"c"})"
                                                           "\n"));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(QuasiNames(policy.schema->root()), (Names{"v"}));
  EXPECT_EQ(policy.schema->root().drop, (Names{"w"}));
}

TEST_F(ProposeTest, GivesClassesAndFilesNamesOfTheirOwn) {
  const Policy policy = ProposeAndRead(
      Put("trees.jsonl", R"({"kind":"a","trees":[{"kind":"b","trees":[{"kind":"c"}]}]})"
                         "\n"
                         R"({"kind":"d","trees":[{"kind":"e","trees":[{"kind":"f"}]}]})"
                         "\n"));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(policy.schema->classes.size(), 3U);
  EXPECT_EQ(files_.size(), 3U);
}

TEST_F(ProposeTest, RejectsDataThatItCannotRead) {
  const auto fails = [&](const std::string& name, const std::string& content) {
    const auto proposal = ProposePolicy(Put(name, content), Path("policy.yaml"));
    if (proposal.ok()) return std::string("accepted");
    EXPECT_EQ(proposal.error().code, ErrorCode::kData);
    return proposal.error().message.substr(directory_.string().size() + 1);
  };
  EXPECT_EQ(fails("empty.jsonl", ""), "empty.jsonl: must hold records, but holds none");
  EXPECT_EQ(fails("header.csv", "a,b\n"), "header.csv: must hold records, but holds none");
  EXPECT_EQ(fails("number.jsonl", "{\"a\":1}\n5\n"),
            "number.jsonl:2: a record must be an object, but is a number");
  EXPECT_EQ(fails("broken.jsonl", "{\"a\":1}\n{\"a\":\n").substr(0, 15), "broken.jsonl:2:");
  EXPECT_EQ(fails("broken.json", "[{\"a\":1},]").substr(0, 14), "broken.json:1:");
  EXPECT_EQ(fails("short.csv", "a,b\n1\n").substr(0, 12), "short.csv:2:");
  EXPECT_EQ(fails("twice.csv", "a,a\n1,2\n").substr(0, 12), "twice.csv:1:");
  EXPECT_EQ(fails("numbers.json", "[1, 2]").substr(0, 28), "numbers.json: must hold an a");
  EXPECT_EQ(fails("ids.jsonl", "{\"id\":1}\n{\"id\":2}\n").substr(0, 33),
            "ids.jsonl: must have an attribute");
  const auto missing = ProposePolicy(Path("nowhere.jsonl"), Path("policy.yaml"));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
}

TEST_F(ProposeTest, TellsTheFormatByTheContentWhereTheNameDoesNot) {
  EXPECT_EQ(SurveyData(Put("a", "{\"a\":1}\n{\"a\":2}\n"))->format, Format::kJsonl);
  EXPECT_EQ(SurveyData(Put("b", "[{\"a\":1}]"))->format, Format::kJson);
  EXPECT_EQ(SurveyData(Put("c", "a,b\n1,2\n"))->format, Format::kCsv);
  EXPECT_EQ(SurveyData(Put("d.json", "{\"a\":1}\n{\"a\":2}\n"))->format, Format::kJsonl);
  EXPECT_EQ(SurveyData(Put("e.json", "{\n\"x\":[{\"a\":1}]\n}"))->format, Format::kJson);
}

TEST_F(ProposeTest, TextInMemoryIsProposedForAsItsFile) {
  const std::string data = "{\"sex\":\"f\",\"age\":30}\n{\"sex\":\"m\",\"age\":41}\n";
  const auto file = ProposePolicy(Put("people.jsonl", data), Path("policy.yaml"));
  const auto text = ProposePolicyForText(data, "people.jsonl");
  ASSERT_TRUE(file.ok() && text.ok());
  EXPECT_EQ(text->format, "jsonl");
  EXPECT_EQ(text->files, file->files);
  EXPECT_EQ(text->policy.find("path:"), std::string::npos);
  const auto policy = ParsePolicy(text->policy, "policy");
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  EXPECT_EQ(policy->schema->root().name, "people");
  EXPECT_EQ(ProposePolicyForText("", "people.jsonl").error().code, ErrorCode::kData);
}

TEST_F(ProposeTest, ErrorsHaveTheirPlaceInParts) {
  const auto line = ProposePolicyForText("{\"a\":1}\n[2]\n", "people.jsonl");
  ASSERT_FALSE(line.ok());
  EXPECT_EQ(line.error().place.file, "people.jsonl");
  EXPECT_EQ(line.error().place.line, 2U);
  const auto record = ProposePolicyForText(R"([{"a":1},2])", "people.json");
  ASSERT_FALSE(record.ok());
  EXPECT_EQ(record.error().place.record, 2U);
  EXPECT_EQ(record.error().message,
            "people.json: record 2: a record must be an object, but is not");
  const auto header = ProposePolicyForText("a,a\n1,2\n", "people.csv");
  ASSERT_FALSE(header.ok());
  EXPECT_EQ(header.error().place.line, 1U);
  const auto folder = ProposePolicy(directory_.string(), Path("policy.yaml"));
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().place.file, directory_.string());
}

TEST_F(ProposeTest, NamesTheDataSeenFromThePolicy) {
  fs::create_directories(directory_ / "data");
  Put("data/p.jsonl", "{\"sex\":\"f\"}\n{\"sex\":\"m\"}\n");
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  const auto proposal = ProposePolicy("data/p.jsonl", "policies/policy.yaml");
  fs::current_path(before);
  ASSERT_TRUE(proposal.ok());
  EXPECT_NE(proposal->policy.find("path: ../data/p.jsonl"), std::string::npos) << proposal->policy;
}

TEST_F(ProposeTest, RowsOfOnePersonAreOneRecord) {
  std::string csv = "id,surname,born,year,prize\n";
  for (int i = 0; i < 40; ++i) {
    const std::string who = std::to_string(1000 + i * 7) + ",Name" + std::to_string(i % 9) + "," +
                            std::to_string(1850 + i) + ",";
    csv += who + std::to_string(1901 + i % 30) + "," + (i % 2 == 0 ? "peace" : "physics") + "\n";
    if (i % 5 == 0) csv += who + std::to_string(1940 + i % 30) + ",chemistry\n";
  }
  const Policy policy = ProposeAndRead(Put("laureates.csv", csv));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(policy.schema->root().group_by, "id");
  EXPECT_EQ(policy.schema->root().drop, (Names{"surname"}));
  EXPECT_EQ(QuasiNames(policy.schema->root()), (Names{"born"}));
  ASSERT_EQ(policy.schema->classes.size(), 2U);
  EXPECT_EQ(QuasiNames(policy.schema->classes[1]), (Names{"year", "prize"}));
  EXPECT_NE(text_.find("40 people in 48 rows"), std::string::npos);
}

// The same rows as a table in memory, where numbers have types: the same policy, and no decimal comma from texts.
TEST_F(ProposeTest, RowsOfOnePersonAreOneRecordInTablesToo) {
  TableBuilder builder;
  for (int i = 0; i < 48; ++i) {
    const int who = i % 40;
    const std::pair<std::string, std::string> values[] = {
        {"born", std::to_string(1850 + who)},
        {"id", std::to_string(1000 + who * 7)},
        {"surname", "Name" + std::to_string(who % 9)},
        {"year", std::to_string(1901 + i)},
        {"size", std::to_string(i % 3) + ",5"}};
    ASSERT_TRUE(builder.BeginStruct().ok());
    for (const auto& [name, text] : values) {
      ASSERT_TRUE(builder.Key(name).ok());
      const bool number = name == "born" || name == "id" || name == "year";
      ASSERT_TRUE(
          builder.Value({number ? TableValue::Kind::kInteger : TableValue::Kind::kText, text})
              .ok());
    }
    builder.EndStruct();
  }
  const auto table = std::move(builder).Finish();
  ASSERT_TRUE(table.ok());
  const auto proposal = ProposePolicyForTable(*table, "laureates");
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  const auto policy = ParsePolicy(proposal->policy, "policy.yaml");
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  EXPECT_EQ(policy->schema->root().group_by, "id");
  EXPECT_EQ(policy->schema->root().drop, (Names{"surname"}));
  EXPECT_EQ(QuasiNames(policy->schema->root()), (Names{"born"}));
  ASSERT_EQ(policy->schema->classes.size(), 2U);
  EXPECT_EQ(QuasiNames(policy->schema->classes[1]), (Names{"year", "size"}));
  EXPECT_EQ(proposal->policy.find("decimal"), std::string::npos) << proposal->policy;
  EXPECT_NE(proposal->policy.find("40 people in 48 rows"), std::string::npos);
}

// Somebody's number may stand in another's row by mistake: names that differ are names all the same.
TEST_F(ProposeTest, NamesInRowsOfOnePersonAreDropped) {
  const Policy policy =
      ProposeAndRead(Put("visits.csv", "patient,name,ward\n1,Ann,a\n2,Bob,b\n2,Cem,a\n3,Dan,b\n"));
  ASSERT_TRUE(policy.schema);
  EXPECT_EQ(policy.schema->root().group_by, "patient");
  ASSERT_EQ(policy.schema->classes.size(), 2U);
  EXPECT_EQ(policy.schema->classes[1].drop, (Names{"name"}));
  EXPECT_EQ(QuasiNames(policy.schema->classes[1]), (Names{"ward"}));
  for (const auto& [name, text] : files_) EXPECT_EQ(text.find("Ann"), std::string::npos) << name;
}

AttributeSurvey Surveyed(const std::string& name, const std::vector<std::string>& values) {
  AttributeSurvey survey(name);
  for (const std::string& value : values) survey.Add(value);
  return survey;
}

TEST(GuessTest, ChoosesRolesByName) {
  const std::vector<std::string> values = {"a", "b", "a"};
  const AttributePlace root{.one_per_record = true, .root = true, .vertices = 3};
  const AttributePlace child{.vertices = 3};
  EXPECT_EQ(GuessAttribute(Surveyed("name", values), root).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAttribute(Surveyed("name", values), child).role, GuessedRole::kQuasi);
  EXPECT_EQ(GuessAttribute(Surveyed("homePhone", values), child).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAttribute(Surveyed("E-MAIL", values), root).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAttribute(Surveyed("monthly_income", values), root).role, GuessedRole::kSensitive);
  EXPECT_EQ(GuessAttribute(Surveyed("patientId", {"a", "b", "c"}), root).role, GuessedRole::kId);
  EXPECT_EQ(GuessAttribute(Surveyed("patientId", values), root).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAttribute(Surveyed("patientId", {"a", "a", "b", "b"}), root).role,
            GuessedRole::kQuasi);
  // What could be known of a person is not kept, however constant.
  EXPECT_EQ(GuessAttribute(Surveyed("state", {"a", "a", "a"}), root).role, GuessedRole::kQuasi);
  EXPECT_EQ(GuessAttribute(Surveyed("resourceType", {"a", "a", "a"}), root).role,
            GuessedRole::kKeep);
  EXPECT_EQ(GuessAttribute(Surveyed("diagnosis", {"a", "a", "a"}), root).role,
            GuessedRole::kSensitive);
  AttributePlace diagnoses = child;
  diagnoses.class_key = "diagnoses";
  EXPECT_EQ(GuessAttribute(Surveyed("code", values), diagnoses).role, GuessedRole::kSensitive);
  // What all of them have in common is no secret, and would be in the way of every l.
  diagnoses.vertices = 30;
  EXPECT_EQ(GuessAttribute(Surveyed("state", std::vector<std::string>(30, "done")), diagnoses).role,
            GuessedRole::kQuasi);
  diagnoses.vertices = 3;
  // A child that says whose it is must not publish that, whatever its class is called.
  EXPECT_EQ(GuessAttribute(Surveyed("patient", values), diagnoses).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAttribute(Surveyed("CUSTOMER_ID", values), child).role, GuessedRole::kDrop);
}

// So many values, each of which this many records have.
std::vector<std::string> Many(const std::function<std::string(int)>& value, int count,
                              int repeated = 1) {
  std::vector<std::string> values;
  for (int i = 0; i < count * repeated; ++i) values.push_back(value(i / repeated));
  return values;
}

Guess GuessAt(const std::string& name, const std::vector<std::string>& values, bool root = true) {
  AttributePlace place{.one_per_record = root, .root = root, .vertices = values.size()};
  place.id_taken = true;
  return GuessAttribute(Surveyed(name, values), place);
}

TEST(GuessTest, IdentifiersAreNoQuasiIdentifiers) {
  const auto number = [](int i) { return std::to_string(28400 + i * 37); };
  const auto code = [](int i) { return "K" + std::to_string(1000 + i); };
  for (const char* name : {"id_student", "studentId", "StudentNo", "IDStudent", "key", "code", "nr",
                           "govtrack", "number", "case", "whatever"}) {
    EXPECT_EQ(GuessAt(name, Many(number, 200)).role, GuessedRole::kDrop) << name;
    EXPECT_EQ(GuessAt(name, Many(code, 200)).role, GuessedRole::kDrop) << name;
    EXPECT_EQ(GuessAt(name, Many(number, 200), false).role, GuessedRole::kDrop) << name;
  }
  // A person may have two records, and some have no number at all.
  std::vector<std::string> nearly = Many(number, 200);
  for (int i = 0; i < 20; ++i) nearly.push_back(number(i));
  EXPECT_EQ(GuessAt("id_student", nearly).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAt("whatever", nearly).role, GuessedRole::kDrop);
  // What many share is data, whatever it is called.
  EXPECT_EQ(GuessAt("code", Many(code, 20, 10)).role, GuessedRole::kQuasi);
  EXPECT_EQ(GuessAt("course_id", Many(number, 20, 10)).role, GuessedRole::kQuasi);
}

TEST(GuessTest, FewNumbersOfManyDigitsAreIdentifiersToo) {
  const auto number = [](int i) { return std::to_string(428400 + i * 37); };
  EXPECT_EQ(GuessAt("case", Many(number, 12)).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAt("case", Many(number, 12), false).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAt("age", {"31", "44", "57", "62", "28"}).role, GuessedRole::kQuasi);
  EXPECT_EQ(GuessAt("born", {"1931", "1944", "1957", "1962", "1928"}).role, GuessedRole::kQuasi);
}

TEST(GuessTest, IdentifiersAreKnownByTheirForm) {
  const auto mail = [](int i) { return "p" + std::to_string(i) + "@example.org"; };
  const auto page = [](int i) { return "https://example.org/" + std::to_string(i); };
  EXPECT_EQ(GuessAt("reach", Many(mail, 10)).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAt("reach", Many(mail, 3, 10)).role, GuessedRole::kDrop);
  EXPECT_EQ(GuessAt("site", Many(page, 60)).role, GuessedRole::kDrop);
  // A page that many have in common is a topic.
  EXPECT_EQ(GuessAt("topic", Many(page, 3, 20)).role, GuessedRole::kQuasi);
  EXPECT_THAT(GuessAt("reach", Many(mail, 10)).reason, testing::HasSubstr("e-mail"));
}

// One record's vertices may repeat its number: it is still one record's only.
TEST(GuessTest, UniquenessIsCountedByRecord) {
  AttributeSurvey survey("phase");
  for (int record = 0; record < 100; ++record) {
    for (int i = 0; i < 5; ++i) survey.Add(std::to_string(70000 + record * 3), record);
  }
  EXPECT_EQ(survey.unique_share(), 1);
  EXPECT_EQ(survey.singles(), 100U);
  EXPECT_EQ(GuessAttribute(survey, {.vertices = 500}).role, GuessedRole::kDrop);
  AttributeSurvey shared("phase");
  for (int i = 0; i < 500; ++i) shared.Add(std::to_string(70000 + (i % 100) * 3), i);
  EXPECT_EQ(shared.singles(), 0U);
  EXPECT_EQ(GuessAttribute(shared, {.vertices = 500}).role, GuessedRole::kQuasi);
}

TEST(GuessTest, KindsWrittenAsNumbersGetATaxonomy) {
  const auto digit = [](int i) { return std::to_string(i + 1); };
  for (const char* name : {"race", "SEX", "marital_status", "q17", "RELATIONSHIP"}) {
    const Guess guess = GuessAt(name, Many(digit, 6, 20));
    EXPECT_EQ(guess.role, GuessedRole::kQuasi) << name;
    EXPECT_EQ(guess.recoding, "") << name;
  }
  // More kinds than digits, where the name says that they are some.
  EXPECT_EQ(GuessAt("occupation", Many(digit, 400, 5)).recoding, "");
  EXPECT_EQ(GuessAt("religion", Many(digit, 14, 20)).role, GuessedRole::kSensitive);
  EXPECT_EQ(GuessAt("religion", Many(digit, 14, 20)).recoding, "");
  for (const char* name : {"age", "children", "visits", "number_of_rooms"}) {
    EXPECT_NE(GuessAt(name, Many(digit, 6, 20)).recoding, "") << name;
  }
}

TEST(GuessTest, SensitiveGuessesSayWhichLTheyAllow) {
  EXPECT_THAT(GuessAt("diagnosis", {"a", "a", "b", "c", "c", "d"}).reason,
              testing::HasSubstr("allow l = 3"));
  EXPECT_THAT(GuessAt("diagnosis", {"a", "a", "a", "a", "b"}).reason,
              testing::HasSubstr("l = 2 would lose 60 %"));
}

TEST(GuessTest, BucketsCoverAllValuesWithRoundBounds) {
  std::vector<std::string> values;
  for (int i = 3; i <= 39; ++i)
    values.push_back(std::to_string(i / 10) + "." + std::to_string(i % 10));
  const Guess guess = GuessAttribute(Surveyed("gpa", values), {.vertices = values.size()});
  EXPECT_EQ(guess.recoding, "buckets: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]");
}

TEST(GuessTest, SingularsAreTheUsualOnes) {
  EXPECT_EQ(Singular("courses"), "course");
  EXPECT_EQ(Singular("diagnoses"), "diagnosis");
  EXPECT_EQ(Singular("categories"), "category");
  EXPECT_EQ(Singular("addresses"), "address");
  EXPECT_EQ(Singular("status"), "status");
  EXPECT_EQ(Singular("book"), "book");
}

}  // namespace
}  // namespace thicket::propose_test
