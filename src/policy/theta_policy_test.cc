// l+-diversity in the policy: thresholds, the methods for tables, and what does not go together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/method_table.h"
#include "policy/policy_test.h"
#include "policy/policy_writer.h"

namespace thicket::theta_policy_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPatient =
    "  quasi: {zip: {mask: 2}, age: {ranges: [5, 10]}}\n"
    "  sensitive: {disease: {}}\n  keep: [label]\n";

Policy Table(const std::string& rest) { return Parse(Small(kPatient, rest)); }
std::string Complaint(const std::string& rest) { return MessageOf(kPatient, rest); }

TEST(ThetaPolicy, OneShareOrOnePerValue) {
  const Policy one = Table("privacy: {theta: 0.25}\n");
  EXPECT_EQ(one.privacy.model_name(), "l+-diversity");
  EXPECT_EQ(one.method.name, "lplus");
  EXPECT_EQ(one.privacy.theta->otherwise, *Decimal::Parse("0.25"));
  EXPECT_FALSE(one.privacy.theta->from_frequency);
  EXPECT_TRUE(one.schema->root().sensitive[0].may_be_suppressed);
  const Policy many = Table(
      "privacy:\n  theta:\n    default: 0.34\n    HIV: 0.1\n    '1': 1\n  derive: frequency\n"
      "  model: l+-diversity\n  k: 3\n");
  ASSERT_EQ(many.privacy.theta->values.size(), 2U);
  EXPECT_EQ(many.privacy.theta->values[0].value, "HIV");
  EXPECT_EQ(many.privacy.theta->values[0].theta, *Decimal::Parse("0.1"));
  EXPECT_EQ(many.privacy.theta->values[0].line, 10);
  EXPECT_TRUE(many.privacy.theta->from_frequency);
  EXPECT_EQ(many.privacy.k, 3);
}

TEST(ThetaPolicy, TheExampleOfTheContractIsRead) {
  const Policy policy = Table(
      "privacy:\n  theta: {default: 0.34, HIV: 0.1}\n"
      "method: {name: lplus, metric: lm, suppression: violating-records, class: label}\n");
  EXPECT_EQ(policy.method.suppression, "violating-records");
  EXPECT_EQ(policy.method.class_attribute, "label");
  EXPECT_EQ(policy.method.suppression_cost, std::nullopt);
}

TEST(ThetaPolicy, IsWrittenAgainAsItWasRead) {
  const std::string rest =
      "privacy:\n  k: 3\n  theta: {default: 0.34, \"a: b\": 0.1}\n  derive: frequency\n"
      "method: {name: incognito, metric: cm, suppression: all-records, class: label, top_h: 3}\n";
  const Policy policy = Table(rest);
  const Policy again = Parse(FormatPolicy(policy));
  EXPECT_EQ(FormatPolicy(again), FormatPolicy(policy));
  EXPECT_EQ(again.privacy.theta->values[0].value, "a: b");
  EXPECT_EQ(again.method.class_attribute, "label");
  EXPECT_EQ(again.method.top_h, 3);
}

TEST(ThetaPolicy, ThresholdsLieAboveZeroAndUpToOne) {
  for (const char* bad : {"0", "-0.5", "1.5", "1.0000001", "2"}) {
    EXPECT_THAT(Complaint("privacy: {theta: " + std::string(bad) + "}\n"),
                HasSubstr("privacy.theta must be above 0 and at most 1, but is"));
    EXPECT_THAT(Complaint("privacy: {theta: {default: " + std::string(bad) + "}}\n"),
                HasSubstr("privacy.theta.default must be above 0 and at most 1, but is"));
  }
  for (const char* bad : {"[0.5]", "half", ""}) {
    EXPECT_THAT(Complaint("privacy: {theta: " + std::string(bad) + "}\n"),
                HasSubstr("privacy.theta must be a number"));
  }
  EXPECT_THAT(Complaint("privacy: {theta: 0.1234567890123456789}\n"),
              EndsWith("must have at most 18 digits behind the point, but has more"));
}

// The values are secrets.
TEST(ThetaPolicy, MessagesNameThePlaceOfAValueAndNotTheValue) {
  const std::string wrong = Complaint("privacy: {theta: {default: 0.5, HIV: 1.5}}\n");
  EXPECT_THAT(wrong, EndsWith("privacy.theta[1] must be above 0 and at most 1, but is 1.5"));
  const std::string twice = Complaint("privacy: {theta: {default: 0.5, HIV: 0.1, hiv: 0.2}}\n");
  EXPECT_THAT(twice, EndsWith("must be of a value of its own, but another one means the same"));
  EXPECT_THAT(Complaint("privacy: {theta: {default: 0.5, '*': 0.1}}\n"),
              EndsWith("but * stands for one that is suppressed"));
  EXPECT_THAT(Complaint("privacy: {theta: {default: 0.5, ' ': 0.1}}\n"),
              EndsWith("but the value is blank"));
  const std::string none = Complaint("privacy: {theta: {HIV: 0.1}}\n");
  EXPECT_THAT(none, EndsWith("must have a default for all other values, but has none"));
  for (const std::string& message : {wrong, twice, none}) {
    EXPECT_THAT(message, Not(HasSubstr("HIV")));
  }
}

TEST(ThetaPolicy, StandsBesideKAndNothingElse) {
  Table("privacy: {k: 3, theta: 0.5}\n");
  EXPECT_THAT(Complaint("privacy: {l: 3, theta: 0.5}\n"),
              HasSubstr("privacy.theta must stand without l"));
  EXPECT_THAT(Complaint("privacy: {k: 3, alpha: [1, 1, 1, 1, 1], theta: 0.5}\n"),
              HasSubstr("privacy.theta must stand without alpha"));
  EXPECT_THAT(Complaint("privacy: {k: 3, m: 2, n: 1, theta: 0.5}\n"),
              HasSubstr("privacy.theta must stand without m"));
  EXPECT_THAT(Complaint("privacy: {k: 3, derive: frequency}\n"),
              HasSubstr("privacy.derive must stand beside theta"));
  EXPECT_THAT(Complaint("privacy: {theta: 0.5, derive: size}\n"),
              HasSubstr("privacy.derive must be frequency, but is size"));
  EXPECT_THAT(MessageOf(kZip, "privacy: {theta: 0.5}\n"),
              HasSubstr("privacy.theta must have a sensitive attribute to protect"));
  EXPECT_THAT(MessageOf("  quasi: {zip: {mask: 2}}\n  sensitive: {pay: {buckets: [0, 10]}}\n",
                        "privacy: {theta: {default: 0.5, 3: 0.2}}\n"),
              HasSubstr("privacy.theta must be one share where the attribute has buckets"));
}

TEST(TableMethods, ServeKAndLAndBothAndAreNeverTheDefaultForThem) {
  for (const char* privacy : {"{k: 2}", "{l: 2}", "{k: 3, l: 2}", "{theta: 0.5}"}) {
    for (const char* method : {"lplus", "incognito", "annealing"}) {
      const Policy policy =
          Table("privacy: " + std::string(privacy) + "\nmethod: {name: " + method + "}\n");
      EXPECT_EQ(policy.method.name, method);
      EXPECT_TRUE(RowOf(policy.method).flat);
    }
  }
  EXPECT_EQ(Table("privacy: {k: 2}\n").method.name, "agglomerate");
  EXPECT_EQ(Table("privacy: {l: 2}\n").method.name, "agglomerate");
  EXPECT_FALSE(Table("privacy: {l: 2}\n").schema->root().sensitive[0].may_be_suppressed);
  EXPECT_THAT(Complaint("privacy: {theta: 0.5}\nmethod: {name: clustree}\n"),
              EndsWith("must be lplus, incognito or annealing for l+-diversity, but is clustree"));
  EXPECT_THAT(Complaint("privacy: {theta: 0.5}\nmethod: {name: gcs}\n"),
              EndsWith("must be lplus, incognito or annealing for l+-diversity, but is gcs"));
  EXPECT_THAT(Complaint("privacy: {k: 2, m: 2, n: 1}\nmethod: {name: lplus}\n"),
              EndsWith("must be gcs, acs, ocs or og for k^(m,n)-anonymity, but is lplus"));
}

TEST(TableMethods, AreForTablesWithHierarchies) {
  const std::string lplus = "privacy: {k: 2}\nmethod: {name: lplus}\n";
  EXPECT_THAT(MessageOf("  quasi: {zip: {mask: 2}}\n  children:\n    - {class: visit, at: visits, "
                        "quasi: {day: {mask: 1}}}\n",
                        lplus),
              EndsWith("record.children must be absent for method lplus, but is there"));
  EXPECT_THAT(MessageOf("  quasi: {age: {numeric: true}}\n", lplus),
              EndsWith("record.quasi.age must have a hierarchy for method lplus, but has free "
                       "intervals"));
  EXPECT_THAT(MessageOf("  sensitive: {s: {}}\n", lplus),
              EndsWith("record must have quasi-identifiers for method lplus, but has none"));
  EXPECT_THAT(MessageOf("  quasi: {zip: {mask: 2}}\n  sensitive: {s: {once: [a]}}\n", lplus),
              EndsWith("record.sensitive.s must be without once for method lplus, but has it"));
}

TEST(TableMethods, SeveralSecretsButNotWithTheFewestRecords) {
  const std::string two = "  quasi: {zip: {mask: 2}}\n  sensitive: {s: {}, t: {}}\n";
  Parse(Small(two, "privacy: {theta: 0.5}\nmethod: {suppression: violating-values}\n"));
  Parse(Small(two, "privacy: {k: 2}\nmethod: {name: lplus, suppression: violating-records}\n"));
  EXPECT_THAT(MessageOf(two, "privacy: {theta: 0.5}\nmethod: {suppression: violating-records}\n"),
              EndsWith("must be one attribute for suppression: violating-records, but are 2"));
}

TEST(TableMethods, SchemesAndMetricsThatDoNotGoTogether) {
  const auto with = [](const std::string& method) {
    return Complaint("privacy: {theta: 0.5}\nmethod: {" + method + "}\n");
  };
  EXPECT_THAT(with("metric: dm, suppression: all-values"),
              EndsWith("method.suppression must be none, all-records or violating-records for "
                       "metric dm, but is all-values"));
  EXPECT_THAT(with("metric: cm, class: label, suppression: violating-values"),
              HasSubstr("for metric cm, but is violating-values"));
  EXPECT_THAT(Complaint("privacy: {k: 2}\nmethod: {name: lplus, suppression: all-values}\n"),
              EndsWith("for k-anonymity, but is all-values"));
  EXPECT_THAT(with("metric: cm"), EndsWith("method.metric must stand beside class for cm, but "
                                           "there is none"));
  EXPECT_THAT(with("metric: cm, class: zip"),
              EndsWith("method.class must be an attribute under keep, but zip is none"));
  EXPECT_THAT(with("suppression: everything"), HasSubstr("method.suppression must be none,"));
  EXPECT_TRUE(Table("privacy: {l: 2}\nmethod: {name: lplus, suppression: all-values}\n")
                  .schema->root()
                  .sensitive[0]
                  .may_be_suppressed);
}

// |QI| is 2.
TEST(TableMethods, SuppressionMustNotCostLessThanAnyGeneralization) {
  const auto with = [](const std::string& method) {
    return Complaint("privacy: {theta: 0.5}\nmethod: {" + method + "}\n");
  };
  EXPECT_EQ(
      Table("privacy: {theta: 0.5}\nmethod: {suppression: all-records, suppression_cost: 2}\n")
          .method.suppression_cost,
      2);
  EXPECT_THAT(with("suppression: all-records, suppression_cost: 1.9"),
              EndsWith("must be at least 2, the number of quasi-identifiers, but is 1.9"));
  Table("privacy: {theta: 0.5}\nmethod: {suppression: all-values, suppression_cost: 0.5}\n");
  EXPECT_THAT(with("suppression: all-values, suppression_cost: 0"),
              EndsWith("must be more than 0, but is 0"));
  EXPECT_THAT(with("suppression: all-values, suppression_cost: 1e7"),
              HasSubstr("must be at most 1000000, but is"));
  EXPECT_THAT(with("suppression_cost: 3"),
              EndsWith("must stand beside suppression, but nothing may be suppressed"));
  EXPECT_THAT(with("metric: dm, suppression: all-records, suppression_cost: 3"),
              EndsWith("must stand beside metric: lm, but the metric is dm"));
}

TEST(TableMethods, AlphaAndTopHHaveLimits) {
  const auto with = [](const std::string& method) {
    return Complaint("privacy: {theta: 0.5}\nmethod: {" + method + "}\n");
  };
  EXPECT_EQ(Table("privacy: {theta: 0.5}\nmethod: {alpha: 0.25, top_h: 4}\n").method.alpha, 0.25);
  EXPECT_THAT(with("alpha: -0.1"), EndsWith("method.alpha must be 0 or more, but is -0.1"));
  EXPECT_THAT(with("alpha: 2e6"), HasSubstr("method.alpha must be at most 1000000, but is"));
  EXPECT_THAT(with("top_h: 0"), EndsWith("method.top_h must be at least 1, but is 0"));
  EXPECT_THAT(with("top_h: 20000"), EndsWith("method.top_h must be at most 10,000, but is 20000"));
  EXPECT_THAT(with("limit_s: 0"), EndsWith("method.limit_s must be more than 0, but is 0"));
}

}  // namespace
}  // namespace thicket::theta_policy_test
