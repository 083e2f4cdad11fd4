// KL(m,n)-privacy in policies: what asks for it, what it needs, and which method can keep which promise.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/policy.h"
#include "policy/policy_test.h"
#include "policy/policy_writer.h"

namespace thicket::set_policy_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr char kSets[] =

    "  children:\n"
    "    - class: item\n"
    "      at: items\n"
    "      quasi: {item: {taxonomy: item.csv}}\n";

std::string Text(const std::string& privacy, const std::string& method = "") {
  return Small(kSets,
               "privacy: " + privacy + "\n" + (method.empty() ? "" : "method: {" + method + "}\n"));
}
Policy Read(const std::string& privacy, const std::string& method = "") {
  return Parse(Text(privacy, method));
}
std::string Message(const std::string& privacy, const std::string& method = "") {
  const Error error = ErrorOf(Text(privacy, method));
  return error.message + "; " + error.hint;
}

TEST(SetPolicy, AModelSensitiveItemsOrAMethodForSetsAskForIt) {
  for (const Policy& policy :
       {Read("{model: 'KL(m,n)-privacy', k: 5, m: 3, n: 0}"),
        Read("{k: 5, l: 2, m: 3, n: 1, sensitive_items: [AdultToy]}"),
        Read("{k: 5, m: 3, n: 0}", "name: og"), Read("{k: 5}", "name: lg")}) {
    EXPECT_EQ(policy.privacy.model_name(), "KL(m,n)-privacy");
    EXPECT_FALSE(policy.privacy.has_classes());
  }
  EXPECT_EQ(Read("{k: 5, m: 3, n: 0}").privacy.model_name(), "k^(m,n)-anonymity");
  EXPECT_EQ(Read("{k: 5, m: 3, n: 0, model: 'k^(m,n)-anonymity'}", "name: og").privacy.model_name(),
            "k^(m,n)-anonymity");
}

TEST(SetPolicy, KAndLMayBeOneAndMAboveEight) {
  const Policy policy = Read("{k: 1, l: 3, m: 20, n: 0, sensitive_items: [a, b]}");
  EXPECT_EQ(policy.privacy.k, 1);
  EXPECT_EQ(policy.privacy.l, 3);
  EXPECT_EQ(policy.privacy.m, 20);
  EXPECT_EQ(policy.schema->classes[1].quasi[0].sensitive_items,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Read("{model: 'KL(m,n)-privacy', k: 5, m: 0, n: 2}").privacy.n, 2);
}

TEST(SetPolicy, TheMethodThatIsNotNamedFitsThePromise) {
  EXPECT_EQ(Read("{k: 5, m: 3, n: 0, model: 'KL(m,n)-privacy'}").method.name, "og");
  EXPECT_EQ(Read("{k: 5, model: 'KL(m,n)-privacy'}").method.name, "lg");
  EXPECT_EQ(Read("{l: 2, sensitive_items: [a]}").method.name, "og");
  EXPECT_EQ(Read("{k: 5, m: 3, n: 0}").method.name, "og");
  EXPECT_EQ(Read("{k: 5, m: 3, n: 2}").method.name, "og");
  EXPECT_EQ(Read("{k: 5, m: 3, n: 0, negative: on}").method.name, "gcs");
}

TEST(SetPolicy, RefusesPromisesThatSayNothing) {
  EXPECT_THAT(Message("{model: 'KL(m,n)-privacy', k: 2, m: 0, n: 0}"),
              HasSubstr("privacy.m must be above 0 where n is 0, but is 0, too"));
  EXPECT_THAT(Message("{model: 'KL(m,n)-privacy', k: 1, m: 2, n: 0}"),
              HasSubstr("privacy must have k or l above 1 for KL(m,n)-privacy, but has neither"));
  EXPECT_THAT(Message("{model: 'KL(m,n)-privacy', k: 2, l: 2, m: 2, n: 0}"),
              HasSubstr("privacy.l must have items to protect, but there are no sensitive_items"));
  EXPECT_THAT(Message("{model: 'KL(m,n)-privacy', k: 2, m: 2}"),
              HasSubstr("privacy.m must stand beside n, but there is none"));
  EXPECT_THAT(Message("{k: 2, l: 2, sensitive_items: []}"),
              HasSubstr("privacy.sensitive_items must name an item, but is empty"));
}

TEST(SetPolicy, NamesNoSensitiveItem) {
  const Error twice = ErrorOf(Text("{l: 2, sensitive_items: [Viagra, ' viagra']}"));
  EXPECT_THAT(twice.message,
              HasSubstr("privacy.sensitive_items[1] must be an item of its own, but another one "
                        "means the same"));
  EXPECT_THAT(twice.message + twice.hint, ::testing::Not(HasSubstr("iagra")));
}

TEST(SetPolicy, RefusesKeysOfOtherModels) {
  EXPECT_THAT(Message("{k: 2, sensitive_items: [a], m: 1, n: 0, negative: on}"),
              HasSubstr("privacy.negative must be absent for KL(m,n)-privacy, but is there"));
  EXPECT_THAT(Message("{k: 2, sensitive_items: [a], model: k-anonymity}"),
              HasSubstr("privacy.model must be KL(m,n)-privacy beside sensitive_items"));
}

TEST(SetPolicy, EachMethodPromisesWhatItCanKeep) {
  const std::string secret = ", sensitive_items: [a]}";
  EXPECT_THAT(Message("{k: 2, l: 2, m: 1, n: 0" + secret, "name: aa"),
              HasSubstr("privacy.l must be 1 for method aa, but is 2; leave it out, or change the "
                        "method: og, mog or mm can"));
  EXPECT_THAT(Message("{k: 2, m: 1, n: 1}", "name: aa"),
              HasSubstr("privacy.n must be 0 for method aa, but is 1"));
  EXPECT_THAT(Message("{k: 2, m: 1, n: 2}", "name: mm"),
              HasSubstr("privacy.n must be 0 for method mm, but is 2; set n: 0, or change the "
                        "method: og or mog can"));
  EXPECT_THAT(Message("{k: 2, m: 1, n: 0}", "name: lg"),
              HasSubstr("privacy.m must be absent for method lg, but is there"));
  EXPECT_THAT(Message("{k: 2, l: 2" + secret, "name: lg"),
              HasSubstr("privacy.l must be 1 for method lg, but is 2"));
  EXPECT_THAT(Message("{k: 2}", "name: aa"),
              HasSubstr("privacy must have m and n for method aa, but has neither"));
  for (const char* name : {"og", "mog", "mm"}) {
    EXPECT_EQ(Read("{k: 2, l: 2, m: 1, n: 0" + secret, std::string("name: ") + name).method.name,
              name);
  }
  EXPECT_THAT(Message("{k: 2, m: 1, n: 0, model: 'KL(m,n)-privacy'}", "name: gcs"),
              HasSubstr("method.name must be og, mog, aa, mm or lg for KL(m,n)-privacy"));
}

TEST(SetPolicy, NeedsSetsWithATaxonomy) {
  const std::string privacy = "privacy: {k: 2, m: 1, n: 0}\nmethod: {name: og}\n";
  EXPECT_THAT(MessageOf(kZip, privacy), HasSubstr("record must be sets for KL(m,n)-privacy"));
  const std::string ranges =
      "  children:\n    - class: item\n      at: items\n"
      "      quasi: {item: {ranges: [5]}}\n";
  EXPECT_THAT(MessageOf(ranges, privacy),
              HasSubstr("must have a taxonomy for KL(m,n)-privacy, but has another recoding"));
  const std::string unknown =
      "  children:\n    - class: item\n      at: items\n"
      "      quasi: {item: {taxonomy: t.csv, unknown: generalize}}\n";
  EXPECT_THAT(MessageOf(unknown, "privacy: {k: 2, m: 1, n: 1}\nmethod: {name: og}\n"),
              HasSubstr("must be without unknown: generalize where n is above 0, but has it"));
  EXPECT_EQ(Parse(Small(unknown, privacy)).method.name, "og");
}

TEST(SetPolicy, IsWrittenAndReadAgain) {
  for (const char* privacy :
       {"{k: 5, l: 2, m: 3, n: 1, sensitive_items: [AdultToy, '7']}",
        "{k: 5, model: 'KL(m,n)-privacy'}", "{l: 2, sensitive_items: [a b]}"}) {
    const Policy policy = Read(privacy);
    const Policy again = Parse(FormatPolicy(policy));
    EXPECT_EQ(again.privacy.model(), policy.privacy.model());
    EXPECT_EQ(again.privacy.k, policy.privacy.k);
    EXPECT_EQ(again.privacy.m, policy.privacy.m);
    EXPECT_EQ(again.method.name, policy.method.name);
    EXPECT_EQ(again.schema->classes[1].quasi[0].sensitive_items,
              policy.schema->classes[1].quasi[0].sensitive_items);
  }
}

}  // namespace
}  // namespace thicket::set_policy_test
