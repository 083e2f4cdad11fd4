// Policies as tests write them: small ones, and what is wrong with them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "policy/policy.h"

namespace thicket {

inline Policy Parse(const std::string& text) {
  Result<Policy> policy = ParsePolicy(text, "dir/policy.yaml");
  EXPECT_TRUE(policy.ok()) << policy.error().message;
  return policy.ok() ? *std::move(policy) : Policy{};
}

inline Error ErrorOf(const std::string& text) {
  const Result<Policy> policy = ParsePolicy(text, "policy.yaml");
  EXPECT_FALSE(policy.ok());
  if (policy.ok()) return {};
  EXPECT_EQ(policy.error().code, ErrorCode::kUsage);
  EXPECT_THAT(policy.error().message, ::testing::StartsWith("policy.yaml"));
  return policy.error();
}

// A policy with one root class; `record` and `rest` are indented YAML.
inline std::string Small(const std::string& record, const std::string& rest = "privacy: {k: 2}\n") {
  return "version: 1\nrecord:\n  class: person\n" + record + rest;
}

inline std::string MessageOf(const std::string& record,
                             const std::string& rest = "privacy: {k: 2}\n") {
  return ErrorOf(Small(record, rest)).message;
}

inline constexpr const char* kZip = "  quasi: {zip: {mask: 2}}\n";

}  // namespace thicket
