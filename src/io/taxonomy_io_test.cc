#include "io/taxonomy_io.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/test_policy.h"

namespace thicket::taxonomy_io_test {
namespace {

using ::testing::HasSubstr;
using testing::StudentPolicy;
using testing::TemporaryFolder;

// Major and code come from a taxonomy; the other quasi-identifiers do not.
Policy PolicyWith(const std::string& folder, const std::string& major, const std::string& code) {
  Policy policy = StudentPolicy();
  policy.file = folder + "/policy.yaml";
  Schema schema = *policy.schema;
  for (VertexClass& type : schema.classes) {
    for (QuasiAttribute& attribute : type.quasi) attribute.recoding.kind = Recoding::Kind::kMask;
  }
  Recoding& root = schema.classes[0].quasi[0].recoding;
  Recoding& course = schema.classes[1].quasi[0].recoding;
  root.kind = course.kind = Recoding::Kind::kTaxonomy;
  root.file = major;
  course.file = code;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

TEST(TaxonomyIo, LoadsEachFileBesideThePolicyOnce) {
  const TemporaryFolder folder;
  folder.File("t.csv", "CS;*\nEE;*\n");
  const auto loaded = LoadTaxonomies(PolicyWith(folder.path(), "t.csv", "t.csv"));
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  ASSERT_EQ(loaded->size(), 1U);
  EXPECT_EQ(loaded->at("t.csv").leaf_count(), 2U);
}

TEST(TaxonomyIo, FindsTheAttributesFileInAFolder) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkdir((folder.path() + "/h").c_str(), 0700), 0);
  folder.File("h/uni_hierarchy_major.csv", "CS;*\nEE;*\n");
  folder.File("h/uni_hierarchy_code.csv", "1;*\n2;*\n3;*\n");
  const auto loaded = LoadTaxonomies(PolicyWith(folder.path(), "h", "h"));
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded->at("h/major").leaf_count(), 2U);
  EXPECT_EQ(loaded->at("h/code").leaf_count(), 3U);
}

TEST(TaxonomyIo, TakesSensitiveItemsOutAndRefusesThemAsGroups) {
  const TemporaryFolder folder;
  folder.File("t.csv", "CS;Science;*\nEE;Science;*\nLaw;Other;*\n");
  Policy policy = PolicyWith(folder.path(), "t.csv", "t.csv");
  policy.privacy.sensitive_items = {{"law", 7}};
  const auto loaded = LoadTaxonomies(policy);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded->at("t.csv").leaf_count(), 2U);
  EXPECT_FALSE(loaded->at("t.csv").Find("Other"));
  policy.privacy.sensitive_items = {{"Law", 7}, {"science", 8}};
  const Error group = LoadTaxonomies(policy).error();
  EXPECT_EQ(group.code, ErrorCode::kUsage);
  EXPECT_EQ(group.place.line, 8U);
  EXPECT_EQ(group.value, "science");
  EXPECT_THAT(group.message, HasSubstr("privacy.sensitive_items[1]: a sensitive item must be no "
                                       "group of a taxonomy, but t.csv has this one as one"));
  policy.privacy.sensitive_items = {{"CS", 7}, {"EE", 7}, {"Law", 7}};
  EXPECT_THAT(LoadTaxonomies(policy).error().message,
              HasSubstr("t.csv must have an item that is not sensitive, but has none"));
}

TEST(TaxonomyIo, NamesTheAttributeWhoseFileIsNotThere) {
  const TemporaryFolder folder;
  folder.File("t.csv", "CS;*\nEE;*\n");
  const auto loaded = LoadTaxonomies(PolicyWith(folder.path(), "t.csv", "none.csv"));
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::kIo);
  EXPECT_EQ(loaded.error().message, folder.path() + "/policy.yaml: courses.code: taxonomy " +
                                        folder.path() +
                                        "/none.csv: cannot be read: No such file or directory");
  EXPECT_EQ(loaded.error().hint, "paths in a policy are relative to the policy's own directory");
}

TEST(TaxonomyIo, RejectsAFolderWithoutOrWithTwoFilesForAnAttribute) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkdir((folder.path() + "/h").c_str(), 0700), 0);
  folder.File("h/uni_hierarchy_major.csv", "CS;*\n");
  folder.File("h/old_hierarchy_major.csv", "CS;*\n");
  EXPECT_THAT(LoadTaxonomies(PolicyWith(folder.path(), "h", "h")).error().message,
              HasSubstr("must have one file <data>_hierarchy_major.csv, but has 2"));
}

}  // namespace
}  // namespace thicket::taxonomy_io_test
