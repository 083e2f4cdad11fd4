// From policy to report: no method, whatever its promise, reports a loss below what no grouping is below.
#include "engine/least_loss.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "base/random.h"
#include "engine/thicket.h"

namespace thicket::least_loss_test {
namespace {

std::string PolicyWith(const std::string& privacy, const std::string& method) {
  return fmt::format(R"(version: 1
record:
  class: student
  quasi:
    year: {{ranges: [2, 4, 8]}}
    town: {{mask: 1}}
  sensitive:
    mark: {{}}
  children:
    - class: course
      at: courses
      quasi:
        code: {{mask: 2}}
      sensitive:
        grade: {{}}
privacy: {}
method: {}
)",
                     privacy, method);
}

std::string Records(uint64_t seed, size_t count) {
  Random random = Random::Seeded(seed);
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text +=
        fmt::format(R"({{"year": {}, "town": "{}{}", "mark": "{}", "courses": [)", random.Below(8),
                    char('a' + random.Below(3)), char('a' + random.Below(2)), random.Below(6));
    const uint64_t courses = random.Below(4);
    for (uint64_t c = 0; c < courses; ++c) {
      text += fmt::format(R"({}{{"code": "{}{}{}", "grade": "{}"}})", c == 0 ? "" : ", ",
                          char('A' + random.Below(2)), random.Below(2), random.Below(2),
                          random.Below(5));
    }
    text += "]}\n";
  }
  return text;
}

Report ReportOf(const std::string& policy, const std::string& records) {
  const Result<LoadedPolicy> loaded = LoadPolicyText(policy);
  EXPECT_TRUE(loaded.ok()) << loaded.error().message;
  Progress progress;
  const auto result = AnonymizeText(*loaded, records, {.seed = 1, .threads = 2}, progress);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result.ok() ? result->report : Report();
}

TEST(LeastLoss, IsAtMostWhatAnyGroupingMethodLoses) {
  const std::string records = Records(5, 60);
  size_t positive = 0;
  for (const char* privacy : {"{k: 3}", "{l: 3}", "{k: 5, l: 2}", "{k: 4, l: 3}"}) {
    for (const char* method :
         {"{name: clustree}", "{name: clustree, refine: on}", "{name: agglomerate}",
          "{name: clustree, mapping: greedy, passes: off}"}) {
      const Report report = ReportOf(PolicyWith(privacy, method), records);
      ASSERT_TRUE(report.utility.at_least) << privacy << method;
      EXPECT_LE(*report.utility.at_least, report.utility.lm) << privacy << method;
      positive += *report.utility.at_least > 0 ? 1 : 0;
      EXPECT_NE(report.ToJson().find("\"at_least\""), std::string::npos);
    }
  }
  EXPECT_EQ(positive, 16U);
}

TEST(LeastLoss, IsAtMostWhatItsKinLose) {
  const std::string records = Records(6, 60);
  const auto look = [&](const std::string& privacy, const std::string& method) {
    const Report report = ReportOf(PolicyWith(privacy, method), records);
    ASSERT_TRUE(report.utility.at_least) << method;
    EXPECT_LE(*report.utility.at_least, report.utility.lm) << method;
    EXPECT_GT(*report.utility.at_least, 0) << method;
  };
  look("{k: 3}", "{name: miracle}");
  look("{k: 3}", "{name: miraclex}");
  look("{k: 3}", "{name: cdgh}");
  look("{l: 2}", "{name: dmiracle}");
}

TEST(LeastLoss, IsAbsentWhereOneCutRecodesEverybody) {
  const Report report = ReportOf(PolicyWith("{k: 2, m: 2, n: 1}", "{name: gcs}"), Records(5, 40));
  EXPECT_FALSE(report.utility.at_least);
  EXPECT_EQ(report.ToJson().find("at_least"), std::string::npos);
}

}  // namespace
}  // namespace thicket::least_loss_test
