// Policies of bags: how they are recognized, what they must have, and what is wrong with others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/method_table.h"
#include "policy/policy.h"
#include "policy/policy_writer.h"

namespace thicket::bag_policy_test {
namespace {

using ::testing::HasSubstr;

std::string Bags(const std::string& term, const std::string& rest) {
  return "version: 1\nrecord:\n  class: vocabulary\n  children:\n    - class: term\n      at: "
         "terms\n"
         "      quasi: {term: {" +
         term + "}}\n" + rest;
}

constexpr char kNetwork[] = "network: wordnet";
constexpr char kTaxonomy[] = "taxonomy: term.csv";

Policy Parse(const std::string& yaml) {
  Result<Policy> policy = ParsePolicy(yaml, "policy.yaml");
  EXPECT_TRUE(policy.ok()) << (policy.ok() ? "" : policy.error().message);
  return policy.ok() ? std::move(*policy) : Policy();
}

std::string MessageOf(const std::string& yaml) {
  const Result<Policy> policy = ParsePolicy(yaml, "policy.yaml");
  EXPECT_FALSE(policy.ok()) << yaml;
  return policy.ok() ? "" : policy.error().message + "\n" + policy.error().hint;
}

TEST(BagPolicy, EpsilonAsksForVocabularyKAnonymityAndGetsSsg) {
  const Policy policy = Parse(Bags(kNetwork, "privacy: {k: 5, epsilon: 6}\n"));
  EXPECT_EQ(policy.privacy.model(), PrivacyModel::kVocabularies);
  EXPECT_EQ(policy.privacy.model_name(), "vocabulary k-anonymity");
  EXPECT_TRUE(policy.privacy.has_classes());
  EXPECT_EQ(policy.privacy.epsilon, 6);
  EXPECT_EQ(policy.method.name, "ssg");
  EXPECT_EQ(policy.schema->classes[1].quasi[0].recoding.unknown, UnknownValues::kLeaveOut);
}

TEST(BagPolicy, AMethodForBagsAndTheModelsNameAskForItToo) {
  EXPECT_TRUE(Parse(Bags(kTaxonomy, "privacy: {k: 5}\nmethod: {name: lgbag}\n")).privacy.of_bags);
  const std::string named = "privacy: {k: 5, model: vocabulary k-anonymity}\n";
  EXPECT_EQ(Parse(Bags(kTaxonomy, named + "method: {name: lg}\n")).privacy.model(),
            PrivacyModel::kVocabularies);
  EXPECT_EQ(Parse(Bags(kTaxonomy, "privacy: {k: 5}\nmethod: {name: lg}\n")).privacy.model(),
            PrivacyModel::kItems);
}

TEST(BagPolicy, ReadsTheParametersOfSsg) {
  const Policy policy =
      Parse(Bags(kTaxonomy,
                 "privacy: {k: 2, epsilon: 4}\n"
                 "method: {name: ssg, omega: 4.5, centre: generalize, matching: greedy}\n"));
  EXPECT_EQ(policy.method.omega, 4.5);
  EXPECT_EQ(policy.method.centre, "generalize");
  EXPECT_EQ(policy.method.matching, "greedy");
}

TEST(BagPolicy, WhatIsWrittenIsReadBack) {
  for (const std::string& text :
       {Bags("network: words, unknown: generalize",
             "privacy: {k: 3, epsilon: 0}\nmethod: {name: ssg, centre: hyper, omega: 7}\n"),
        Bags(kTaxonomy, "privacy: {k: 3, model: vocabulary k-anonymity}\nmethod: {name: lg}\n")}) {
    const Policy policy = Parse(text);
    const Policy again = Parse(FormatPolicy(policy));
    EXPECT_EQ(again.privacy.epsilon, policy.privacy.epsilon);
    EXPECT_EQ(again.privacy.model(), policy.privacy.model());
    EXPECT_EQ(again.method.name, policy.method.name);
    EXPECT_EQ(again.method.omega, policy.method.omega);
    EXPECT_EQ(again.method.centre, policy.method.centre);
    const Recoding& before = policy.schema->classes[1].quasi[0].recoding;
    const Recoding& after = again.schema->classes[1].quasi[0].recoding;
    EXPECT_EQ(after.kind, before.kind);
    EXPECT_EQ(after.file, before.file);
    EXPECT_EQ(after.unknown, before.unknown);
  }
}

TEST(BagPolicy, RejectsWhatDoesNotFitTogether) {
  EXPECT_THAT(MessageOf(Bags(kNetwork, "privacy: {epsilon: 6}\n")),
              HasSubstr("privacy must have k for vocabulary k-anonymity, but has none"));
  EXPECT_THAT(MessageOf(Bags(kNetwork, "privacy: {k: 2, epsilon: -1}\n")),
              HasSubstr("privacy.epsilon must be at least 0"));
  EXPECT_THAT(MessageOf(Bags(kNetwork, "privacy: {k: 2, l: 2, epsilon: 6}\n")),
              HasSubstr("privacy.l must be absent for vocabulary k-anonymity, but is there"));
  EXPECT_THAT(MessageOf(Bags(kNetwork, "privacy: {k: 2, epsilon: 6, model: k-anonymity}\n")),
              HasSubstr("privacy.model must be vocabulary k-anonymity for bags, but is not"));
  EXPECT_THAT(MessageOf(Bags(kNetwork, "privacy: {k: 2}\nmethod: {name: ssg}\n")),
              HasSubstr("privacy must have epsilon for method ssg, but has none"));
  EXPECT_THAT(MessageOf(Bags(kTaxonomy, "privacy: {k: 2, epsilon: 2}\nmethod: {name: lgbag}\n")),
              HasSubstr("privacy.epsilon must be absent for method lgbag, but is there"));
  EXPECT_THAT(MessageOf(Bags(kNetwork, "privacy: {k: 2}\nmethod: {name: lgbag}\n")),
              HasSubstr("must have a taxonomy for method lgbag, but has a network"));
  EXPECT_THAT(
      MessageOf(Bags(kNetwork, "privacy: {k: 2, epsilon: 2}\nmethod: {centre: generalize}\n")),
      HasSubstr("must have a taxonomy for centre: generalize, but has a network"));
  EXPECT_THAT(MessageOf(Bags(kNetwork, "privacy: {k: 2, epsilon: 6}\nmethod: {omega: 5}\n")),
              HasSubstr("method.omega must be at least epsilon = 6, but is 5"));
  EXPECT_THAT(MessageOf(Bags("mask: 2", "privacy: {k: 2, epsilon: 6}\n")),
              HasSubstr("must have a network or a taxonomy for vocabulary k-anonymity"));
  EXPECT_THAT(MessageOf(Bags(kNetwork, "privacy: {k: 2, epsilon: 6}\nmethod: {name: clustree}\n")),
              HasSubstr("method.name must be ssg, lg or lgbag for vocabulary k-anonymity"));
}

TEST(BagPolicy, RejectsANetworkAnywhereElse) {
  EXPECT_THAT(
      MessageOf(Bags(kNetwork, "privacy: {k: 2}\n")),
      HasSubstr("record must be bags, with epsilon in privacy, where a term has a network"));
  EXPECT_THAT(MessageOf("version: 1\nrecord: {class: a, quasi: {b: {network: wordnet}}}\n"
                        "privacy: {k: 2, epsilon: 1}\n"),
              HasSubstr("record must be bags for vocabulary k-anonymity, but is not"));
}

TEST(BagPolicy, UnknownTermsAreLeftOutKeptOrRefused) {
  for (const std::string recoding : {"network: wordnet", "taxonomy: t.csv"}) {
    const auto unknown_of = [&](const std::string& word) {
      return Parse(Bags(recoding + word, "privacy: {k: 2, epsilon: 1}\n"))
          .schema->classes[1]
          .quasi[0]
          .recoding.unknown;
    };
    EXPECT_EQ(unknown_of(", unknown: missing"), UnknownValues::kLeaveOut);
    EXPECT_EQ(unknown_of(", unknown: generalize"), UnknownValues::kGeneralize);
    EXPECT_EQ(unknown_of(", unknown: error"), UnknownValues::kError);
    EXPECT_EQ(unknown_of(""),
              recoding == "taxonomy: t.csv" ? UnknownValues::kError : UnknownValues::kLeaveOut);
  }
}

}  // namespace
}  // namespace thicket::bag_policy_test
