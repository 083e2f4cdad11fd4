// The method of a policy: its parameters, and what it can promise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/policy_test.h"

namespace thicket::method_policy_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(MethodPolicy, CutSearchesAndCombinationsNeedEachOther) {
  const std::string cuts = "privacy: {k: 5, m: 3, n: 2}\n";
  EXPECT_EQ(Parse(Small(kZip, cuts + "method: {name: gcs, g: 4, limit_s: 10}\n")).method.g, 4);
  EXPECT_THAT(MessageOf(kZip, cuts + "method: {name: clustree}\n"),
              HasSubstr("method.name must be gcs, acs, ocs or og for k^(m,n)-anonymity"));
  EXPECT_THAT(MessageOf(kZip, "privacy: {k: 5}\nmethod: {name: acs}\n"),
              HasSubstr("method.name must not be acs for k-anonymity"));
  EXPECT_THAT(MessageOf(kZip, cuts + "method: {name: acs, g: 2}\n"),
              HasSubstr("method.g must be a parameter of acs"));
}

TEST(MethodPolicy, GivesEachMethodItsOwnParameters) {
  const Policy policy = Parse(Small(kZip) + "method: {name: miraclex, climit: 20, th: 0.3}\n");
  EXPECT_EQ(policy.method.climit, 20);
  EXPECT_EQ(policy.method.th, 0.3);
  const Error passes = ErrorOf(Small(kZip) + "method: {name: miracle, passes: off}\n");
  EXPECT_THAT(passes.message,
              EndsWith("method.passes must be a parameter of miracle, but is none"));
  EXPECT_EQ(passes.hint, "remove it; miracle has name, refine, limit_s, climit and th");
  EXPECT_THAT(ErrorOf(Small(kZip) + "method: {name: cdgh, th: 1.5}\n").message,
              EndsWith("method.th must lie between 0 and 1, but does not"));
  EXPECT_THAT(ErrorOf(Small(kZip) + "method: {name: miracle, climit: 0}\n").message,
              EndsWith("method.climit must be at least 1, but is 0"));
}

TEST(MethodPolicy, RefinesForAsLongAsItMay) {
  const Policy policy = Parse(Small(kZip) + "method: {refine: on, limit_s: 2.5}\n");
  EXPECT_TRUE(policy.method.refine);
  EXPECT_EQ(policy.method.limit_s, 2.5);
  EXPECT_THAT(ErrorOf(Small(kZip) + "method: {limit_s: 3}\n").message,
              EndsWith("method.limit_s must stand beside refine: on, but does not"));
}

TEST(MethodPolicy, LetsAMethodPromiseOnlyWhatItCanKeep) {
  const std::string secret = std::string(kZip) + "  sensitive: {s: {}}\n";
  EXPECT_THAT(
      ErrorOf(Small(secret, "privacy: {l: 2}\n") + "method: {name: miracle}\n").message,
      EndsWith(
          "must be agglomerate, clustree, dmiracle, lplus, incognito or annealing for l-diversity, "
          "but is miracle"));
  EXPECT_THAT(ErrorOf(Small(secret) + "method: {name: dmiracle}\n").message,
              EndsWith("must be miracle for k-anonymity, but is dmiracle"));
  EXPECT_EQ(Parse(Small(secret, "privacy: {l: 2}\n") + "method: {name: dmiracle}\n").method.name,
            "dmiracle");
}

// Whatever a policy asks of a method that cannot do it, the message names the keys that decide.
TEST(MethodPolicy, NamesTheKeysThatAreTooManyOrMissing) {
  const std::string secret = std::string(kZip) + "  sensitive: {s: {levels: {1: [a], 5: [b]}}}\n";
  const auto error = [&](const std::string& privacy, const std::string& name) {
    const Error found =
        ErrorOf(Small(secret, "privacy: " + privacy + "\nmethod: {name: " + name + "}\n"));
    return found.message.substr(found.message.find("must")) + "; " + found.hint;
  };
  const std::string levels = "{k: 5, alpha: [1, 1, 1, 1, 0.5]}";
  const std::string combinations = "{k: 5, m: 2, n: 1}";
  for (const char* name : {"gcs", "acs", "ocs"}) {
    const std::string hint = ", but is; leave the name out, or add m and n to privacy";
    const std::string must = std::string("must not be ") + name + " for ";
    EXPECT_EQ(error("{k: 5}", name), must + "k-anonymity" + hint);
    EXPECT_EQ(error("{k: 5, l: 2}", name), must + "l-diversity" + hint);
    EXPECT_EQ(error(levels, name), must + "(alpha_lev^h, k)-anonymity" + hint);
  }
  for (const char* name : {"clustree", "mlevclutree", "miracle", "miraclex", "dmiracle", "cdgh"}) {
    EXPECT_EQ(error(combinations, name),
              std::string("must be gcs, acs, ocs or og for k^(m,n)-anonymity, but is ") + name +
                  "; leave the name out, or take m and n out of privacy");
  }
  for (const char* name : {"clustree", "miracle", "miraclex", "dmiracle", "cdgh"}) {
    EXPECT_EQ(
        error(levels, name),
        std::string("must be mlevclutree or agglomerate for (alpha_lev^h, k)-anonymity, but is ") +
            name + "; leave the name out, or take alpha out of privacy");
  }
  EXPECT_EQ(error("{l: 2}", "mlevclutree"),
            "must not be mlevclutree for l-diversity, but is; leave the name out, or add alpha to "
            "privacy");
  for (const char* name : {"miracle", "miraclex", "cdgh"}) {
    EXPECT_EQ(error("{l: 2}", name),
              std::string("must be agglomerate, clustree, dmiracle, lplus, incognito or annealing "
                          "for l-diversity, but is ") +
                  name + "; take l out of privacy: " + name + " does k-anonymity only");
  }
  EXPECT_EQ(error("{k: 2}", "dmiracle"),
            "must be miracle for k-anonymity, but is dmiracle; dmiracle is for l-diversity: add l, "
            "or use miracle");
}

TEST(MethodPolicy, ReadsAndChecksMethodParameters) {
  const Policy policy = Parse(
      Small(kZip) + "method: {s: 1, m: 2.5, cost: faithful, leftovers: suppress, passes: true}\n");
  EXPECT_EQ(policy.method.s, 1);
  EXPECT_EQ(policy.method.m, 2.5);
  EXPECT_EQ(policy.method.cost, "faithful");
  EXPECT_EQ(policy.method.leftovers, "suppress");
  EXPECT_TRUE(policy.method.passes);
  const Error zero = ErrorOf(Small(kZip) + "method: {s: 0}\n");
  EXPECT_THAT(zero.message, EndsWith("method.s must be more than 0, but is 0"));
  EXPECT_EQ(zero.hint, "set it to more than 0, such as 0.5");
  EXPECT_THAT(ErrorOf(Small(kZip) + "method: {m: -1}\n").message, HasSubstr("method.m must be"));
}

}  // namespace
}  // namespace thicket::method_policy_test
