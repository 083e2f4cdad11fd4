#include "generate/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "policy/policy.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket::generate_test {
namespace {

namespace fs = std::filesystem;

class GenerateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = fs::path(::testing::TempDir()) / (std::string("thicket_generate_") + test->name());
    fs::remove_all(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::map<std::string, std::string> Files(const fs::path& directory) {
    std::map<std::string, std::string> files;
    if (!fs::exists(directory)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      if (!entry.is_regular_file()) continue;
      std::ostringstream content;
      content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      files[fs::relative(entry.path(), directory).string()] = content.str();
    }
    return files;
  }

  fs::path directory_;
  Progress progress_;
};

// So many records that every generator takes them.
uint64_t SomeFor(const std::string& name) {
  return name.ends_with("-table") ? DefaultGenerated(name) : 30;
}

TEST_F(GenerateTest, WritesDataPolicyAndTaxonomies) {
  for (const std::string& name : GeneratorNames()) {
    const fs::path target = directory_ / name;
    const uint64_t n = SomeFor(name);
    ASSERT_TRUE(Generate(name, n, 7, target.string(), progress_).ok());
    const auto files = Files(target);
    const std::string& data = files.at(GeneratedFile(name));
    const bool table = GeneratedFile(name) == name + ".csv";
    const bool log = GeneratedFile(name) == name + ".tsv";
    const auto lines = static_cast<uint64_t>(std::count(data.begin(), data.end(), '\n'));
    if (log) {
      EXPECT_GT(lines, n);
      EXPECT_LT(lines, 3 * n);
    } else {
      EXPECT_EQ(lines, n + (table ? 1 : 0));
    }
    const auto policy = ParsePolicy(files.at("policy.yaml"), "policy.yaml");
    ASSERT_TRUE(policy.ok()) << policy.error().message;
    EXPECT_EQ(policy->input.path, GeneratedFile(name));
    const int k = policy->privacy.alpha                                 ? 10
                  : name == "electives"                                 ? 5
                  : name == "enrolments"                                ? 5
                  : name == "customers"                                 ? 20
                  : name == "baskets"                                   ? 5
                  : name == "querylog"                                  ? 5
                  : name == "baskets-table" || name == "querylog-table" ? 2
                                                                        : 3;
    if (!table) {
      EXPECT_EQ(policy->privacy.class_size(), k);
    }
    size_t taxonomies = 0;
    for (const VertexClass& vertex_class : policy->schema->classes) {
      for (const QuasiAttribute& quasi : vertex_class.quasi) {
        if (quasi.recoding.kind != Recoding::Kind::kTaxonomy) continue;
        const auto taxonomy = ParseTaxonomy(files.at(quasi.recoding.file), quasi.recoding.file);
        ASSERT_TRUE(taxonomy.ok()) << taxonomy.error().message;
        if (!name.ends_with("-table")) {
          EXPECT_EQ(taxonomy->label(Taxonomy::kRoot), "*");
        }
        ++taxonomies;
      }
    }
    // The tree of the words of a query log is there for methods that need one; the policy names a network.
    EXPECT_EQ(files.size(), taxonomies + (name == "querylog" ? 3 : 2));
  }
}

TEST_F(GenerateTest, GivesTheSameInMemory) {
  for (const std::string& name : GeneratorNames()) {
    const fs::path target = directory_ / name;
    ASSERT_TRUE(Generate(name, SomeFor(name), 7, target.string(), progress_).ok());
    const auto text = GenerateText(name, SomeFor(name), 7, progress_);
    ASSERT_TRUE(text.ok()) << text.error().message;
    std::map<std::string, std::string> parts = {{"policy.yaml", text->policy},
                                                {GeneratedFile(name), text->data}};
    for (const auto& [file, taxonomy] : text->taxonomies) parts[file] = taxonomy.text();
    for (const auto& [file, taxonomy] : text->other_taxonomies) parts[file] = taxonomy.text();
    EXPECT_EQ(parts, Files(target)) << name;
  }
  EXPECT_EQ(GenerateText("studnets", 30, 7, progress_).error().code, ErrorCode::kUsage);
  EXPECT_EQ(GenerateText("students", 3, 7, progress_).error().code, ErrorCode::kUsage);
  progress_.Cancel();
  EXPECT_EQ(GenerateText("students", 30, 7, progress_).error().code, ErrorCode::kInterrupted);
}

TEST_F(GenerateTest, TheSameSeedGivesTheSameFiles) {
  for (const std::string& name : GeneratorNames()) {
    ASSERT_TRUE(Generate(name, SomeFor(name), 7, (directory_ / "a").string(), progress_).ok());
    ASSERT_TRUE(Generate(name, SomeFor(name), 7, (directory_ / "b").string(), progress_).ok());
    EXPECT_EQ(Files(directory_ / "a"), Files(directory_ / "b"));
  }
}

TEST_F(GenerateTest, RejectsAnUnknownNameAndNamesTheNearest) {
  const Status status = Generate("student", 100, 1, directory_.string(), progress_);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  EXPECT_EQ(status.error().message,
            "generate: the name must be one of students, college-years, transcripts, electives, "
            "grades, evaluations, enrolments, customers, patients-table, census, census-variants, "
            "census-repeated, baskets, baskets-table, querylog, querylog-table, but is "
            "'student'");
  EXPECT_EQ(status.error().hint, "did you mean students?");
  EXPECT_FALSE(fs::exists(directory_));
}

TEST_F(GenerateTest, RejectsTooFewAndTooManyRecords) {
  for (const uint64_t n : {uint64_t{0}, uint64_t{9}, uint64_t{10'000'001}}) {
    const Status status = Generate("students", n, 1, directory_.string(), progress_);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    EXPECT_NE(status.error().message.find("n must be from 10 to 10,000,000"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(directory_));
}

TEST_F(GenerateTest, TheTableOfPatientsHasTenRecords) {
  const Status status = Generate("patients-table", 11, 1, directory_.string(), progress_);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  EXPECT_EQ(status.error().message, "generate: n must be 10 for patients-table, but is 11");
  EXPECT_FALSE(fs::exists(directory_));
}

TEST_F(GenerateTest, TheTableOfBasketsHasFiveRecords) {
  const Status status = Generate("baskets-table", 10, 1, directory_.string(), progress_);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "generate: n must be 5 for baskets-table, but is 10");
  EXPECT_FALSE(fs::exists(directory_));
}

TEST_F(GenerateTest, ALogOfQueriesHasTheTreeOfItsWords) {
  const auto text = GenerateText("querylog", 3000, 7, progress_);
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_TRUE(text->taxonomies.empty());
  const auto tree =
      ParseTaxonomy(text->other_taxonomies.at("taxonomies/term.csv").text(), "term.csv");
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  EXPECT_EQ(tree->label(Taxonomy::kRoot), "*");
  EXPECT_GT(tree->leaf_count(), 500U);
}

TEST_F(GenerateTest, SaysHowToGetTheWordsOfALogOfQueries) {
  ASSERT_EQ(setenv("WNSEARCHDIR", "/nonexistent", 1), 0);
  const Status status = Generate("querylog", 30, 7, directory_.string(), progress_);
  ASSERT_EQ(unsetenv("WNSEARCHDIR"), 0);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_NE(status.error().hint.find("apt-get install wordnet-base"), std::string::npos);
  EXPECT_FALSE(fs::exists(directory_));
}

TEST_F(GenerateTest, LeavesNothingWhenItIsInterrupted) {
  progress_.Cancel();
  const Status status = Generate("students", 100, 1, directory_.string(), progress_);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
  EXPECT_TRUE(Files(directory_).empty());
}

TEST_F(GenerateTest, SaysWhenTheDirectoryCannotBeCreated) {
  fs::create_directories(directory_);
  std::ofstream(directory_ / "file") << "x";
  const Status status =
      Generate("students", 100, 1, (directory_ / "file" / "below").string(), progress_);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
}

TEST(GeneratorNamesTest, EachHasASummaryAndASize) {
  for (const std::string& name : GeneratorNames()) {
    EXPECT_FALSE(GeneratorSummary(name).empty());
    EXPECT_GE(DefaultGenerated(name), name.ends_with("-table") ? 5U : 1000U);
  }
  EXPECT_EQ(GeneratedFile("students"), "students.jsonl");
  EXPECT_EQ(GeneratedFile("census"), "census.csv");
  EXPECT_EQ(GeneratedFile("baskets"), "baskets.txt");
  EXPECT_EQ(GeneratedFile("querylog"), "querylog.tsv");
  EXPECT_EQ(GeneratedFile("nothing"), "");
  EXPECT_EQ(DefaultGenerated("transcripts"), 3162U);
  EXPECT_EQ(DefaultGenerated("enrolments"), 28'785U);
  EXPECT_EQ(DefaultGenerated("customers"), 250'000U);
  EXPECT_EQ(DefaultGenerated("census"), 45'222U);
  EXPECT_EQ(DefaultGenerated("baskets"), 500'000U);
  EXPECT_EQ(DefaultGenerated("querylog"), 2'000'000U);
  EXPECT_EQ(DefaultGenerated("querylog-table"), 13U);
  EXPECT_EQ(DefaultGenerated("nothing"), 0U);
}

}  // namespace
}  // namespace thicket::generate_test
