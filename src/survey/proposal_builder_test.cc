#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/records.h"
#include "engine/thicket.h"
#include "survey/propose.h"
#include "survey/survey.h"
#include "testing/cases.h"

namespace thicket::proposal_builder_test {
namespace {

// A record as a program may have it.
struct Node {
  std::vector<std::pair<std::string, std::optional<std::string>>> values;
  std::vector<std::pair<std::string, std::vector<Node>>> children;
};

Status PushVertex(const Node& node, ProposalBuilder& builder) {
  for (const auto& [name, text] : node.values) THICKET_TRY(builder.Set(name, text));
  for (const auto& [key, vertices] : node.children) {
    for (const Node& vertex : vertices) {
      THICKET_TRY(builder.OpenVertex(key));
      THICKET_TRY(PushVertex(vertex, builder));
      THICKET_TRY(builder.CloseVertex());
    }
  }
  return {};
}

Result<Proposal> Push(const std::vector<Node>& records, const std::string& name) {
  ProposalBuilder builder(name);
  for (const Node& record : records) {
    THICKET_TRY(builder.BeginRecord());
    THICKET_TRY(PushVertex(record, builder));
    THICKET_TRY(builder.EndRecord());
  }
  return std::move(builder).Finish();
}

// Which keys have two vertices below one somewhere; in the test a key stands at one place only.
void FindArrays(const Node& node, std::map<std::string, bool>& arrays) {
  for (const auto& [key, vertices] : node.children) {
    arrays[key] = arrays[key] || vertices.size() > 1;
    for (const Node& vertex : vertices) FindArrays(vertex, arrays);
  }
}

std::string Json(const Node& node, const std::map<std::string, bool>& arrays) {
  const bool plain = node.values.size() == 1 && node.values.front().first.empty();
  std::string text;
  for (const auto& [name, value] : node.values) {
    std::string literal = value ? '"' + *value + '"' : "null";
    if (plain) return literal;
    text += (text.empty() ? "\"" : ",\"") + name + "\":" + literal;
  }
  for (const auto& [key, vertices] : node.children) {
    if (vertices.empty()) continue;
    std::string inside;
    for (const Node& vertex : vertices)
      inside += (inside.empty() ? "" : ",") + Json(vertex, arrays);
    if (arrays.at(key)) inside = "[" + inside + "]";
    text += (text.empty() ? "\"" : ",\"") + key + "\":" + inside;
  }
  return "{" + text + "}";
}

class RandomRecords {
 public:
  explicit RandomRecords(uint32_t seed) : random_(seed) {}

  std::vector<Node> Some() {
    std::vector<Node> records(1 + Draw(80));
    for (size_t i = 0; i < records.size(); ++i) {
      Node& record = records[i];
      record.values = {{"patient_id", "P" + std::to_string(i)}, {"sex", Word(2)}};
      Maybe(record, "born", Draw(2) == 0 ? std::to_string(1950 + Draw(50)) : "1970");
      Maybe(record, "name", Word(100));
      Maybe(record, "_class", Word(2));
      record.children.emplace_back("visits", Visits());
      record.children.emplace_back("home", std::vector<Node>(1, {{{"town", Word(4)}}, {}}));
      std::vector<Node> tags(Draw(3));
      for (Node& tag : tags) tag.values = {{"", Word(3)}};
      record.children.emplace_back("tags", tags);
    }
    return records;
  }

 private:
  uint32_t Draw(uint32_t below) { return static_cast<uint32_t>(random_()) % below; }
  std::string Word(uint32_t different) { return "w" + std::to_string(Draw(different)); }

  void Maybe(Node& node, const std::string& name, std::string text) {
    const uint32_t what = Draw(4);
    if (what == 0) return;
    node.values.emplace_back(name, what == 1 ? std::optional<std::string>() : std::move(text));
  }

  std::vector<Node> Visits() {
    std::vector<Node> visits(Draw(4));
    for (Node& visit : visits) {
      Maybe(visit, "diagnosis", Word(5));
      Maybe(visit, "cost", std::to_string(Draw(5000)));
      Maybe(visit, "phone", Word(1000));
      std::vector<Node> drugs(Draw(2));
      for (Node& drug : drugs) drug.values = {{"dose", std::to_string(Draw(9))}};
      visit.children.emplace_back("drugs", drugs);
    }
    return visits;
  }

  std::mt19937 random_;
};

TEST(ProposalBuilderTest, ProposesForPushedRecordsWhatItProposesForTheirText) {
  for (uint32_t seed = 0; seed < Cases(60); ++seed) {
    const std::vector<Node> records = RandomRecords(seed).Some();
    std::map<std::string, bool> arrays;
    for (const Node& record : records) FindArrays(record, arrays);
    // A plain value that stands alone in JSON is an attribute.
    arrays["tags"] = true;
    std::string text;
    for (const Node& record : records) text += Json(record, arrays) + "\n";
    const auto read = ProposePolicyForText(text, "patients.jsonl");
    const auto pushed = Push(records, "patients");
    ASSERT_TRUE(read.ok()) << read.error().message << "\n" << text;
    ASSERT_TRUE(pushed.ok()) << pushed.error().message << "\n" << text;
    EXPECT_EQ(pushed->policy, read->policy) << text;
    EXPECT_EQ(pushed->files, read->files) << text;
    EXPECT_EQ(pushed->format, "jsonl");
  }
}

TEST(ProposalBuilderTest, TheProposalIsUsedWithoutAFile) {
  std::vector<Node> records;
  for (int i = 0; i < 40; ++i) {
    Node record;
    record.values = {{"id", std::to_string(i)}, {"town", i % 2 == 0 ? "Ulm" : "Bonn"}};
    record.children.emplace_back(
        "diagnoses", std::vector<Node>(2, {{{"code", i % 4 < 2 ? "flu" : "cold"}}, {}}));
    records.push_back(record);
  }
  const auto proposal = Push(records, "people");
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  PolicyParts parts;
  parts.taxonomies = proposal->Taxonomies();
  ASSERT_EQ(parts.taxonomies.count("taxonomies/town.csv"), 1U) << proposal->policy;
  EXPECT_EQ(parts.taxonomies.at("taxonomies/town.csv").text(), "Bonn;*\nUlm;*\n");
  const auto policy = LoadPolicyText(proposal->policy, parts);
  ASSERT_TRUE(policy.ok()) << policy.error().message << "\n" << proposal->policy;

  const std::vector<RecordClass> classes = ClassesOf(*policy);
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[1].at, "diagnoses");
  Progress progress;
  RecordBuilder builder(*policy, RecordsAs::kOriginal, progress);
  for (const Node& record : records) {
    ASSERT_TRUE(builder.BeginRecord().ok());
    for (const auto& [name, text] : record.values)
      ASSERT_TRUE(builder.Set(name, {.text = *text}).ok());
    for (const Node& vertex : record.children.front().second) {
      ASSERT_TRUE(builder.OpenVertex(classes[1].name).ok());
      ASSERT_TRUE(builder.Set("code", {.text = *vertex.values.front().second}).ok());
      ASSERT_TRUE(builder.CloseVertex().ok());
    }
    ASSERT_TRUE(builder.EndRecord().ok());
  }
  auto original = std::move(builder).Finish();
  ASSERT_TRUE(original.ok()) << original.error().message;
  const auto published = AnonymizeRecords(*policy, std::move(*original), {.seed = 1}, progress);
  ASSERT_TRUE(published.ok()) << published.error().message;
  EXPECT_EQ(published->records.size(), records.size());
}

TEST(ProposalBuilderTest, MoreRecordsThanAreLookedAtMakeItAPart) {
  ProposalBuilder builder("people");
  for (uint64_t i = 0; i <= kMostSurveyed; ++i) {
    EXPECT_EQ(builder.enough(), i == kMostSurveyed);
    ASSERT_TRUE(builder.BeginRecord().ok());
    ASSERT_TRUE(builder.Set("town", i == kMostSurveyed ? "late" : i % 2 == 0 ? "a" : "b").ok());
    ASSERT_TRUE(builder.OpenVertex(i == kMostSurveyed ? "later" : "home").ok());
    ASSERT_TRUE(builder.Set("sex", "f").ok());
    ASSERT_TRUE(builder.CloseVertex().ok());
    ASSERT_TRUE(builder.EndRecord().ok());
  }
  const auto proposal = std::move(builder).Finish();
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  EXPECT_NE(proposal->policy.find("guessed from the first 200,000 records"), std::string::npos)
      << proposal->policy;
  EXPECT_NE(proposal->policy.find("unknown: generalize"), std::string::npos) << proposal->policy;
  EXPECT_EQ(proposal->policy.find("later"), std::string::npos) << proposal->policy;
  EXPECT_EQ(proposal->files.front().second, "a;*\nb;*\n");
}

TEST(ProposalBuilderTest, LeavesOutWhatIsTooDeep) {
  ProposalBuilder builder;
  ASSERT_TRUE(builder.BeginRecord().ok());
  ASSERT_TRUE(builder.Set("sex", "f").ok());
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(builder.OpenVertex("inner").ok());
    ASSERT_TRUE(builder.Set("age", "7").ok());
  }
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(builder.CloseVertex().ok());
  ASSERT_TRUE(builder.EndRecord().ok());
  const auto proposal = std::move(builder).Finish();
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  EXPECT_NE(proposal->policy.find("nested too deeply"), std::string::npos) << proposal->policy;
}

TEST(ProposalBuilderTest, WhatIsWrongHasItsPlace) {
  ProposalBuilder builder("people");
  ASSERT_TRUE(builder.BeginRecord().ok());
  ASSERT_TRUE(builder.OpenVertex("visits").ok());
  ASSERT_TRUE(builder.CloseVertex().ok());
  ASSERT_TRUE(builder.OpenVertex("visits").ok());
  const Status wrong = builder.Set("code", "\xff");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, ErrorCode::kData);
  EXPECT_EQ(wrong.error().message, "people: record 1: visits[1].code: must be UTF-8, but is not");
  EXPECT_EQ(wrong.error().place.file, "people");
  EXPECT_EQ(wrong.error().place.record, 1U);
  EXPECT_EQ(wrong.error().place.path, "visits[1].code");

  EXPECT_EQ(ProposalBuilder("people").Finish().error().message,
            "people: must hold records, but holds none");
  ProposalBuilder nameless("people");
  ASSERT_TRUE(nameless.BeginRecord().ok());
  ASSERT_TRUE(nameless.Set("email", "a@b").ok());
  ASSERT_TRUE(nameless.EndRecord().ok());
  const auto nothing = std::move(nameless).Finish();
  ASSERT_FALSE(nothing.ok());
  EXPECT_EQ(nothing.error().code, ErrorCode::kData);
  EXPECT_EQ(nothing.error().place.file, "people");
}

TEST(ProposalBuilderTest, CallsThatDoNotFitAreErrors) {
  const auto expect_misuse = [](const Status& status) {
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kUsage) << status.error().message;
  };
  ProposalBuilder builder;
  expect_misuse(builder.EndRecord());
  expect_misuse(builder.OpenVertex("a"));
  expect_misuse(builder.CloseVertex());
  expect_misuse(builder.Set("a", "1"));
  ASSERT_TRUE(builder.BeginRecord().ok());
  expect_misuse(builder.BeginRecord());
  expect_misuse(builder.CloseVertex());
  ASSERT_TRUE(builder.OpenVertex("a").ok());
  expect_misuse(builder.EndRecord());
  EXPECT_EQ(std::move(builder).Finish().error().code, ErrorCode::kUsage);

  Progress progress;
  ProposalBuilder stopped("people", {.progress = &progress});
  progress.Cancel();
  EXPECT_EQ(stopped.BeginRecord().error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace thicket::proposal_builder_test
