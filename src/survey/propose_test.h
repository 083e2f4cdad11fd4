// What the tests of ProposePolicy() share: data in a folder of their own, and the proposal read back and used.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "io/dataset_io.h"
#include "io/taxonomy_io.h"
#include "policy/policy.h"
#include "survey/propose.h"

namespace thicket {

class ProposeTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    // Several builds may be tested at once.
    directory_ = std::filesystem::path(testing::TempDir()) /
                 ("thicket_propose_" + std::to_string(getpid()) + "_" + test->name());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_ / "taxonomies");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }

  std::string Put(const std::string& name, const std::string& content) const {
    std::ofstream(directory_ / name, std::ios::binary) << content;
    return Path(name);
  }

  // Proposes, writes the files, and reads the data with the proposal as it is.
  Policy ProposeAndRead(const std::string& data_path) {
    auto proposal = ProposePolicy(data_path, Path("policy.yaml"));
    if (!proposal.ok()) {
      ADD_FAILURE() << proposal.error().message;
      return {};
    }
    text_ = proposal->policy;
    files_ = proposal->files;
    for (const auto& [file, content] : proposal->files) Put(file, content);
    auto policy = ParsePolicy(text_, Path("policy.yaml"));
    if (!policy.ok()) {
      ADD_FAILURE() << policy.error().message << "\n" << text_;
      return {};
    }
    const auto taxonomies = LoadTaxonomies(*policy);
    EXPECT_TRUE(taxonomies.ok()) << taxonomies.error().message;
    auto data =
        ReadDataset(*policy, policy->Resolve(policy->input.path), ReadAs::kOriginal, progress_);
    EXPECT_TRUE(data.ok()) << data.error().message << "\n" << text_;
    if (data.ok() && taxonomies.ok()) {
      const auto encoded = Encode(std::move(*data), *taxonomies);
      EXPECT_TRUE(encoded.ok()) << encoded.error().message << "\n" << text_;
    }
    return std::move(*policy);
  }

  std::filesystem::path directory_;
  Progress progress_;
  std::string text_;
  std::vector<std::pair<std::string, std::string>> files_;
};

inline std::vector<std::string> QuasiNames(const VertexClass& vertex_class) {
  std::vector<std::string> names;
  for (const QuasiAttribute& quasi : vertex_class.quasi) names.push_back(quasi.name);
  return names;
}

inline std::vector<std::string> SensitiveNames(const VertexClass& vertex_class) {
  std::vector<std::string> names;
  for (const SensitiveAttribute& sensitive : vertex_class.sensitive)
    names.push_back(sensitive.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace thicket
