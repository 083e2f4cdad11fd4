#include "policy/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/policy.h"

namespace thicket::yaml_test {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const YamlNode> Parse(const std::string& text) {
  Result<std::shared_ptr<const YamlNode>> node = ParseYaml(text, "p.yaml");
  EXPECT_TRUE(node.ok()) << node.error().message;
  return node.ok() ? *node : std::make_shared<const YamlNode>();
}

std::string ErrorOf(const std::string& text) {
  const Result<std::shared_ptr<const YamlNode>> node = ParseYaml(text, "p.yaml");
  return node.ok() ? "no error" : node.error().message;
}

TEST(Yaml, KeepsOrderKindsAndLines) {
  const auto root = Parse("b: 1\na:\n  - x\n  - {c: }\nd: 'null'\n");
  ASSERT_EQ(root->entries.size(), 3U);
  EXPECT_EQ(root->entries[0].key, "b");
  EXPECT_EQ(root->entries[0].line, 1);
  EXPECT_EQ(root->entries[1].line, 2);
  const YamlNode& list = *root->Find("a")->value;
  ASSERT_EQ(list.items.size(), 2U);
  EXPECT_EQ(list.items[1]->line, 4);
  EXPECT_TRUE(list.items[1]->Find("c")->value->is_null());
  EXPECT_EQ(root->Find("d")->value->text, "null");
  EXPECT_EQ(root->Find("e"), nullptr);
}

TEST(Yaml, RejectsAKeyThatOccursTwice) {
  EXPECT_EQ(ErrorOf("a: 1\nb: 2\na: 3\n"),
            "p.yaml:3: a key must occur once, but \"a\" is there twice");
  EXPECT_THAT(ErrorOf("x: {a: 1, a: 2}"), HasSubstr("p.yaml:1: a key must occur once"));
}

TEST(Yaml, FollowsAliasesOfFinishedParts) {
  const auto root = Parse("a: &x {n: 1}\nb: *x\n");
  EXPECT_EQ(root->Find("b")->value->Find("n")->value->text, "1");
  EXPECT_THAT(ErrorOf("a: &x [1, *x]\n"),
              HasSubstr("p.yaml:1: an alias must name a finished part"));
  EXPECT_THAT(ErrorOf("a: *nobody\n"), HasSubstr("p.yaml:1:"));
}

TEST(Yaml, StopsABombOfAliases) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    bomb += name + ": &" + name + " [" + last;
    for (int j = 0; j < 9; ++j) bomb += ", " + last;
    bomb += "]\n";
  }
  EXPECT_THAT(ErrorOf(bomb), HasSubstr("aliases make it huge"));
}

TEST(Yaml, StopsDeepNesting) {
  for (const int depth : {600, 100000}) {
    EXPECT_THAT(ErrorOf(std::string(depth, '[')), HasSubstr("p.yaml:")) << depth;
    EXPECT_THAT(ErrorOf("a: " + std::string(depth, '[') + std::string(depth, ']')),
                HasSubstr("p.yaml:"))
        << depth;
  }
  std::string aliases = "a0: &a0 [x]\n";
  for (int i = 1; i < 1100; ++i) {
    aliases += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" +
               std::to_string(i - 1) + "]\n";
  }
  EXPECT_THAT(ErrorOf(aliases), HasSubstr("nested at most 1,000 deep"));
}

TEST(Yaml, StopsClassesNestedTooDeep) {
  std::string policy = "version: 1\nprivacy: {k: 2}\nrecord: {class: c, children: ";
  std::string end = "}";
  for (int i = 0; i < 5000; ++i) {
    policy += "[{class: c" + std::to_string(i) + ", at: a, children: ";
    end += "}]";
  }
  EXPECT_FALSE(ParsePolicy(policy + end, "p.yaml").ok());
}

TEST(Yaml, RejectsWhatIsNotOneDocument) {
  EXPECT_EQ(ErrorOf(""), "p.yaml: a policy must not be empty, but this file is");
  EXPECT_EQ(ErrorOf("# only a comment\n"), "p.yaml: a policy must not be empty, but this file is");
  EXPECT_THAT(ErrorOf("a: 1\n---\nb: 2\n"), HasSubstr("a policy must be one YAML document"));
}

TEST(Yaml, RejectsBrokenTextWithItsLine) {
  EXPECT_THAT(ErrorOf("a: 1\nb: [1, 2\nc: 3\n"), HasSubstr("p.yaml:"));
  EXPECT_THAT(ErrorOf("a: 1\n b: 2\n"), HasSubstr("p.yaml:2: a policy must be YAML"));
  EXPECT_EQ(ErrorOf("a: 1\nb: \xff\n"), "p.yaml:2: a policy must be UTF-8, but this line is not");
  EXPECT_THAT(ErrorOf("? [a]\n: b\n"), HasSubstr("a key must be a plain word"));
}

}  // namespace
}  // namespace thicket::yaml_test
