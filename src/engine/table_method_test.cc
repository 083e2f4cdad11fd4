// Tables from a policy to what is published: every method, scheme, metric and promise on random tables; whom a draw leaves
// out; and that the order of rows decides nothing.
#include "engine/table_method.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/assess.h"
#include "engine/records.h"
#include "engine/thicket.h"

namespace thicket::table_method_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTown =
    "Lyon;France;Europe;*\nParis;France;Europe;*\nIzmir;Turkey;Asia;*\n"
    "Ankara;Turkey;Asia;*\n";
constexpr const char* kJob = "cook;service;*\nwaiter;service;*\njudge;law;*\n";

LoadedPolicy Load(const std::string& privacy, const std::string& method) {
  PolicyParts parts;
  parts.taxonomies.emplace("town.csv", kTown);
  parts.taxonomies.emplace("job.csv", kJob);
  Result<LoadedPolicy> policy = LoadPolicyText(
      "version: 1\nrecord:\n  class: person\n  quasi:\n    town: {taxonomy: town.csv}\n"
      "    job: {taxonomy: job.csv}\n    age: {ranges: [10, 20]}\n  sensitive: {disease: {}}\n"
      "  keep: [who, label]\nprivacy: {" +
          privacy + "}\nmethod: {" + method + "}\n",
      parts);
  EXPECT_TRUE(policy.ok()) << policy.error().message;
  return *std::move(policy);
}

std::string Row(size_t who, const std::string& town, const std::string& job, const std::string& age,
                const std::string& disease, const std::string& label = "yes") {
  std::string row = fmt::format(R"({{"who":"w{}","label":"{}")", who, label);
  if (!town.empty()) row += fmt::format(R"(,"town":"{}")", town);
  if (!job.empty()) row += fmt::format(R"(,"job":"{}")", job);
  if (!age.empty()) row += fmt::format(R"(,"age":{})", age);
  if (!disease.empty()) row += fmt::format(R"(,"disease":"{}")", disease);
  return row + "}\n";
}

std::string RandomRows(Random& random, size_t count) {
  const auto pick = [&](const std::vector<std::string>& of) { return of[random.Below(of.size())]; };
  std::string rows;
  for (size_t i = 0; i < count; ++i) {
    rows += Row(i, pick({"Lyon", "Lyon", "Paris", "Izmir", "Ankara", ""}),
                pick({"cook", "waiter", "judge", ""}), pick({"17", "23", "25", "61", ""}),
                pick({"flu", "flu", "Flu ", "cold", "HIV", ""}), pick({"yes", "no"}));
  }
  return rows;
}

size_t CountOf(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Result<AnonymizedText> Anonymize(const LoadedPolicy& policy, const std::string& rows, uint64_t seed,
                                 int threads = 1) {
  Progress progress;
  RunOptions options;
  options.seed = seed;
  options.threads = threads;
  return AnonymizeText(policy, rows, options, progress);
}

// Whatever is published has passed the checks of the promise, of truth and of the scheme; that a method cannot keep a promise
// is said, and is no defect.
RC_GTEST_PROP(TableMethod, PublishesWhatKeepsThePromiseByTheScheme, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  const auto pick = [&](const std::vector<std::string>& of) { return of[random.Below(of.size())]; };
  const std::string metric = pick({"lm", "lm", "dm", "cm"});
  const std::string privacy =
      pick({"k: 2", "k: 3", "l: 2", "k: 3, l: 2", "theta: 0.5", "k: 2, theta: 0.34",
            "theta: {default: 0.67, flu: 0.4}", "theta: 0.4, derive: frequency", "theta: 1"});
  std::vector<std::string> schemes = {"none", "all-records", "violating-records"};
  if (metric == "lm" &&
      (privacy.find("l: ") != std::string::npos || privacy.find("theta") != std::string::npos)) {
    schemes.insert(schemes.end(), {"all-values", "violating-values"});
  }
  const std::string scheme = pick(schemes);
  const std::string name =
      pick({"lplus", "lplus", "lplus", "lplus", "incognito", "incognito", "annealing"});
  const std::string method =
      fmt::format("name: {}, metric: {}, suppression: {}, class: label, top_h: {}", name, metric,
                  scheme, 1 + random.Below(3));
  const std::string rows =
      Row(99, "Lyon", "cook", "17", "flu") + RandomRows(random, 1 + random.Below(14));
  RC_LOG() << privacy << "; " << method << "\n" << rows;
  const LoadedPolicy policy = Load(privacy, method);
  const auto result = Anonymize(policy, rows, random.Next());
  if (!result.ok()) {
    RC_LOG() << result.error().message << "\n";
    RC_ASSERT(result.error().code == ErrorCode::kPromise);
    RC_ASSERT(result.error().message.find("check of the finished output") == std::string::npos);
    return;
  }
  const Report& report = result->report;
  RC_ASSERT(CountOf(result->data, "\n") == report.output.records);
  RC_ASSERT(report.input.records == report.output.records + report.output.suppressed_records);
  RC_ASSERT(CountOf(result->data, R"("disease":"*")") == report.output.suppressed_values);
  const bool values = scheme == "all-values" || scheme == "violating-values";
  if (scheme == "none" || values) {
    RC_ASSERT(report.output.suppressed_records == 0U);
  }
  if (!values) {
    RC_ASSERT(report.output.suppressed_values == 0U);
  }
  RC_ASSERT(report.cut.has_value());
  RC_ASSERT(report.cut->proof.has_value());
  if (name == "lplus") {
    RC_ASSERT(report.cut->proof->kind == "optimal");
  }
  if (report.cut->proof->bound) {
    RC_ASSERT(*report.cut->proof->bound <= report.cut->cost);
  }
}

// The order of rows, and how many threads there are, decide neither the cut nor what it costs.
RC_GTEST_PROP(TableMethod, TheOrderOfRowsDecidesNothing, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  const LoadedPolicy policy = Load("theta: 0.5", "suppression: violating-records");
  std::vector<std::string> lines;
  std::string rows;
  for (size_t i = 0; i < 12; ++i) {
    lines.push_back(RandomRows(random, 1));
    rows += lines.back();
  }
  random.Shuffle(lines);
  std::string shuffled;
  for (const std::string& line : lines) shuffled += line;
  const auto one = Anonymize(policy, rows, 1);
  const auto other = Anonymize(policy, shuffled, 1, 3);
  RC_ASSERT(one.ok() == other.ok());
  if (!one.ok()) return;
  RC_ASSERT(one->report.cut->cost == other->report.cut->cost);
  RC_ASSERT(one->report.output.suppressed_records == other->report.output.suppressed_records);
}

// Four have flu and one a cold: one of each may stay, and every one of the four has the chance to.
TEST(TableMethod, WhoStaysIsDrawn) {
  const LoadedPolicy policy = Load("theta: 0.5", "suppression: violating-records");
  std::string rows;
  for (size_t i = 0; i < 4; ++i) rows += Row(i, "Lyon", "cook", "17", "flu");
  rows += Row(4, "Lyon", "cook", "17", "cold");
  std::set<std::string> kept;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const auto result = Anonymize(policy, rows, seed);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->report.output.records, 2U);
    EXPECT_THAT(result->data, HasSubstr(R"("who":"w4")"));
    for (const char* who : {"w0", "w1", "w2", "w3"}) {
      if (result->data.find(fmt::format(R"("who":"{}")", who)) != std::string::npos)
        kept.insert(who);
    }
  }
  EXPECT_EQ(kept.size(), 4U);
}

// The thesis's example of an adversary: he must not learn what * stands for from the file.
TEST(TableMethod, WhatIsSuppressedIsNotInTheFile) {
  const LoadedPolicy policy =
      Load("theta: {default: 0.5, HIV: 0.1}", "suppression: violating-values");
  const auto result =
      Anonymize(policy,
                Row(0, "Lyon", "cook", "17", "HIV") + Row(1, "Lyon", "cook", "17", "flu") +
                    Row(2, "Lyon", "cook", "17", "cold"),
                1);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_THAT(result->data, Not(HasSubstr("HIV")));
  EXPECT_EQ(result->report.output.suppressed_values, 1U);
}

// Every value of a file may be suppressed.
TEST(TableMethod, NothingButStars) {
  const LoadedPolicy policy = Load("theta: 0.5", "suppression: all-values");
  const auto result = Anonymize(policy, Row(0, "Lyon", "cook", "17", "flu"), 1);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->report.guarantee.l, std::nullopt);
  EXPECT_EQ(result->report.guarantee.theta->reached, std::nullopt);
}

}  // namespace
}  // namespace thicket::table_method_test
