// Random small data through the whole run: what the search for a cut publishes, the independent check must accept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/random.h"
#include "engine/cut_method.h"
#include "engine/method.h"
#include "engine/thicket.h"
#include "testing/random_cut_data.h"

namespace thicket::cut_method_test {
namespace {

using ::testing::HasSubstr;

// A folder with three taxonomies.
class Workplace {
 public:
  Workplace() : folder_(std::filesystem::temp_directory_path() / Name()) {
    std::filesystem::create_directories(folder_);
    Write("major.csv", "CS;Science;*\nPhysics;Science;*\nHistory;Arts;*\nLaw;Arts;*\n");
    Write("code.csv", "C1;C;*\nC2;C;*\nL1;L;*\nL2;L;*\nL3;L;*\n");
    Write("book.csv", "red;*\nblue;*\n");
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() { std::filesystem::remove_all(folder_); }

  Result<LoadedPolicy> Policy(const std::string& privacy, const std::string& method) const {
    Write("policy.yaml",
          "version: 1\nrecord:\n  class: student\n  quasi: {major: {taxonomy: major.csv}}\n"
          "  sensitive: {gpa: {}}\n  children:\n    - class: course\n      at: courses\n"
          "      quasi: {code: {taxonomy: code.csv}, year: {ranges: [2, 4]}}\n"
          "      sensitive: {grade: {}}\n      keep: [room]\n      children:\n"
          "        - {class: book, at: books, quasi: {title: {taxonomy: book.csv}}}\n"
          "privacy: " +
              privacy + "\nmethod: " + method + "\n");
    return LoadPolicy((folder_ / "policy.yaml").string());
  }

 private:
  static std::string Name() {
    return "thicket_cut_method_test_" + std::to_string(Random::Secure().Next());
  }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  std::filesystem::path folder_;
};

std::string RandomValue(Random& random, const std::string& key,
                        const std::vector<std::string>& values) {
  if (random.Below(8) == 0) return "";
  return ", \"" + key + "\": \"" + values[random.Below(values.size())] + "\"";
}

std::string RandomStudents(uint64_t seed, size_t count, size_t secrets) {
  Random random = Random::Seeded(seed);
  std::vector<std::string> grades;
  for (size_t i = 0; i < secrets; ++i) grades.push_back("g" + std::to_string(i));
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += "{\"x\": 0" + RandomValue(random, "major", {"CS", "Physics", "History", "Law"}) +
            RandomValue(random, "gpa", grades) + ", \"courses\": [";
    for (uint64_t courses = random.Below(4), j = 0; j < courses; ++j) {
      text += std::string(j == 0 ? "" : ", ") + "{\"x\": 0" +
              RandomValue(random, "code", {"C1", "C2", "L1", "L2", "L3"}) +
              RandomValue(random, "year", {"1", "2", "3"}) + RandomValue(random, "grade", grades) +
              RandomValue(random, "room", {"a", "b"}) + ", \"books\": [";
      for (uint64_t books = random.Below(3), b = 0; b < books; ++b) {
        text += std::string(b == 0 ? "" : ", ") + "{\"title\": \"" +
                (random.Below(2) == 0 ? "red" : "blue") + "\"}";
      }
      text += "]}";
    }
    text += "]}\n";
  }
  // So that every name of the policy occurs somewhere.
  return text +
         "{\"major\": \"CS\", \"gpa\": \"g0\", \"courses\": [{\"code\": \"C1\", \"year\": \"1\", "
         "\"grade\": \"g0\", \"room\": \"a\", \"books\": [{\"title\": \"red\"}]}]}\n";
}

RC_GTEST_PROP(CutMethod, WhatIsPublishedPassesTheIndependentCheck, ()) {
  const int k = *rc::gen::inRange(2, 5);
  const int m = *rc::gen::inRange(1, 4);
  const int n = *rc::gen::inRange(0, m * (m - 1) / 2 + 1);
  const bool diverse = *rc::gen::inRange(0, 3) == 0;
  const bool negative = *rc::gen::inRange(0, 4) == 0;
  const auto method = *rc::gen::element<std::string>(
      "{name: gcs}", "{name: gcs, cost: labels}", "{name: gcs, cost: lm}",
      "{name: gcs, g: 1, cost: rpd_a}", "{name: ocs}", "{name: acs, limit_s: 0.2}");
  const Workplace work;
  const auto policy = work.Policy("{k: " + std::to_string(k) + ", m: " + std::to_string(m) +
                                      ", n: " + std::to_string(n) + (diverse ? ", l: 2" : "") +
                                      (negative ? ", negative: on" : "") + "}",
                                  method);
  RC_ASSERT(policy.ok());
  const std::string students = RandomStudents(*rc::gen::arbitrary<uint64_t>(),
                                              *rc::gen::inRange<size_t>(5, 30), diverse ? 12 : 3);
  RunOptions options;
  options.seed = 1;
  options.threads = 1;
  Progress progress;
  const auto published = AnonymizeText(*policy, students, options, progress);
  if (!published.ok()) {
    RC_LOG() << published.error().message << "\n" << students;
    // Sensitive values may be too alike; a check that fails would be a defect.
    RC_ASSERT(diverse);
    RC_ASSERT(published.error().message.find("no cut through the taxonomies") != std::string::npos);
    return;
  }
  RC_ASSERT(published->report.guarantee.verified && published->report.guarantee.truthful);
  RC_ASSERT(published->report.output.records == published->report.input.records);
  if (method == "{name: acs, limit_s: 0.2}") return;
  options.threads = 2;
  const auto again = AnonymizeText(*policy, students, options, progress);
  RC_ASSERT(again.ok() && again->data == published->data);
  options.exhaustive = true;
  const auto exhaustive = AnonymizeText(*policy, students, options, progress);
  RC_ASSERT(exhaustive.ok() && exhaustive->data == published->data);
}

// With few records and many values there are cuts that may be published, and cuts below these that may not.
RC_GTEST_PROP(CutMethod, DiversityIsTheSameFromScratch, (uint64_t seed)) {
  Parallel parallel(1);
  Progress progress;
  for (uint64_t i = 0; i < 40; ++i) {
    Random random = Random::Seeded(seed + i);
    const EncodedDataset data = testing::RandomCutData(random, 100, 6 + random.Below(20)).Make();
    Policy policy;
    policy.privacy.k = static_cast<int>(1 + random.Below(2));
    policy.privacy.m = static_cast<int>(1 + random.Below(3));
    const int pairs = *policy.privacy.m * (*policy.privacy.m - 1) / 2;
    policy.privacy.n = static_cast<int>(random.Below(static_cast<uint64_t>(pairs) + 1));
    policy.privacy.l = 2;
    policy.privacy.negative = random.Below(4) == 0;
    const char* const methods[] = {"gcs", "acs", "ocs"};
    policy.method.name = methods[random.Below(3)];
    policy.method.g = 1 + static_cast<int>(random.Below(3));
    const Result<MethodResult> found =
        RunMethod(policy, {.exhaustive = false}, data, parallel, progress);
    const Result<MethodResult> again =
        RunMethod(policy, {.exhaustive = true}, data, parallel, progress);
    RC_ASSERT(found.ok() == again.ok());
    if (!found.ok()) continue;
    RC_ASSERT(found->published == again->published);
    RC_ASSERT(found->cut->cost == again->cut->cost);
    RC_ASSERT(found->search.compared == again->search.compared);
  }
}

TEST(CutMethod, SaysSoWhenALimitEndsTheSearch) {
  const Workplace work;
  const auto policy = work.Policy("{k: 2, m: 2, n: 1}", "{name: acs, limit_s: 0.000001}");
  ASSERT_TRUE(policy.ok());
  Progress progress;
  const auto published = AnonymizeText(*policy, RandomStudents(3, 40, 3), {}, progress);
  ASSERT_TRUE(published.ok()) << published.error().message;
  ASSERT_TRUE(published->report.cut.has_value());
  EXPECT_TRUE(published->report.cut->stopped_early);
  EXPECT_THAT(published->report.warnings,
              ::testing::Contains(HasSubstr("limit_s ended the search")));
}

TEST(CutMethod, AnInterruptedSearchPublishesNothing) {
  const Workplace work;
  const auto policy = work.Policy("{k: 2, m: 2, n: 1}", "{name: gcs}");
  ASSERT_TRUE(policy.ok());
  Progress progress;
  progress.Cancel();
  const auto published = AnonymizeText(*policy, RandomStudents(3, 40, 3), {}, progress);
  ASSERT_FALSE(published.ok());
  EXPECT_EQ(published.error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace thicket::cut_method_test
