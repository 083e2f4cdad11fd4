#include "policy/policy_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/policy_writer.h"

namespace thicket::policy_tree_test {
namespace {

using ::testing::HasSubstr;

ValueTree Students() {
  ValueTree tree = ValueTree::Mapping();
  tree.Set("version", 1);
  ValueTree& record = tree.Set("record", ValueTree::Mapping());
  record.Set("class", "student");
  record.Set("id", "student_id");
  ValueTree& quasi = record.Set("quasi", ValueTree::Mapping());
  quasi.Set("birth_year", ValueTree::Mapping({{"ranges", ValueTree::List({5, 10, 20})}}));
  record.Set("sensitive", ValueTree::Mapping({{"gpa", ValueTree()}}));
  tree.Set("privacy", ValueTree::Mapping({{"k", 3}, {"l", 3}}));
  tree.Set("method", ValueTree::Mapping({{"s", ValueTree::Number("0.25")}, {"passes", false}}));
  return tree;
}

TEST(PolicyTree, SaysWhatTheSamePolicySaysAsText) {
  const auto policy = ReadPolicyTree(Students(), "policy");
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  const auto text = ParsePolicy(R"(
version: 1
record:
  class: student
  id: student_id
  quasi:
    birth_year: {ranges: [5, 10, 20]}
  sensitive:
    gpa:
privacy: {k: 3, l: 3}
method: {s: 0.25, passes: off}
)",
                                "policy");
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(FormatPolicy(*policy), FormatPolicy(*text));
  EXPECT_EQ(policy->method.s, 0.25);
  EXPECT_FALSE(policy->method.passes);
}

TEST(PolicyTree, ErrorsNameThePathInsteadOfALine) {
  ValueTree tree = Students();
  tree.Set("privcy", ValueTree::Mapping());
  const auto policy = ReadPolicyTree(tree, "policy");
  ASSERT_FALSE(policy.ok());
  EXPECT_EQ(policy.error().message, "policy: privcy must be a known key, but is not");
  EXPECT_THAT(policy.error().hint, HasSubstr("privacy"));
  EXPECT_EQ(policy.error().place.file, "policy");
  EXPECT_EQ(policy.error().place.path, "privcy");
  EXPECT_EQ(policy.error().place.line, 0U);
}

TEST(PolicyTree, RefusesAKeyThatIsThereTwice) {
  ValueTree tree = ValueTree::Mapping();
  tree.Set("privacy", ValueTree::Mapping({{"k", 2}, {"k", 3}}));
  const auto policy = ReadPolicyTree(tree, "policy");
  ASSERT_FALSE(policy.ok());
  EXPECT_EQ(policy.error().message, "policy: privacy.k must occur once, but is there twice");
}

TEST(PolicyTree, RefusesWhatIsTooDeepAndWhatIsNotUtf8) {
  ValueTree deep = ValueTree::List();
  for (int i = 0; i < 2000; ++i) {
    ValueTree outer = ValueTree::List();
    outer.Add(std::move(deep));
    deep = std::move(outer);
  }
  EXPECT_FALSE(ReadPolicyTree(deep, "policy").ok());
  ValueTree bytes = ValueTree::Mapping({{"version", "\xff"}});
  EXPECT_EQ(ReadPolicyTree(bytes, "policy").error().message,
            "policy: version must be UTF-8, but is not");
  EXPECT_FALSE(ReadPolicyTree(ValueTree(), "policy").ok());
  EXPECT_FALSE(ReadPolicyTree("text", "policy").ok());
}

TEST(PolicyText, ErrorsHaveLineAndColumn) {
  const auto policy = ParsePolicy("version: 1\nprivacy:\n  k: 1\nrecord: {class: a}\n", "p.yaml");
  ASSERT_FALSE(policy.ok());
  const auto bad = ParsePolicy(
      "version: 1\nrecord: {class: a, quasi: {b: {mask: 1}}}\nprivacy:\n  k: 1\n", "p.yaml");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().place.file, "p.yaml");
  EXPECT_EQ(bad.error().place.line, 4U);
  EXPECT_EQ(bad.error().place.column, 3U);
  EXPECT_EQ(bad.error().place.path, "privacy.k");
  const auto yaml = ParsePolicy("version: [1\n", "p.yaml");
  ASSERT_FALSE(yaml.ok());
  EXPECT_GT(yaml.error().place.line, 0U);
}

}  // namespace
}  // namespace thicket::policy_tree_test
