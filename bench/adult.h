// The Adult data set, which is not part of the project, for benchmark programs that compare with others on it.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "whole_runs.h"

namespace thicket {

// Where real data is; empty if it is nowhere.
inline std::filesystem::path RealData() {
  if (const char* given = std::getenv("THICKET_DATA")) return given;
  for (const char* near : {"../shared/data", "../../shared/data"}) {
    if (std::filesystem::exists(near)) return near;
  }
  return {};
}

// All nine attributes of the 30,162 complete rows, with the taxonomies that come with them, for k = 5. `method`: as in a
// policy, in braces.
inline LoadedPolicy AdultPolicy(const std::filesystem::path& adult,
                                const std::filesystem::path& directory, const std::string& method) {
  std::string text = fmt::format(
      "version: 1\ninput: {{format: csv, path: \"{}\"}}\nrecord:\n  class: person\n  quasi:\n",
      std::filesystem::absolute(adult / "adult_30162.csv").string());
  for (const char* name : {"sex", "age", "race", "marital-status", "education", "native-country",
                           "workclass", "occupation", "salary-class"}) {
    text += fmt::format("    {}: {{taxonomy: \"{}\"}}\n", name,
                        std::filesystem::absolute(adult / "hierarchies").string());
  }
  text += fmt::format("privacy: {{k: 5}}\nmethod: {}\n", method);
  const std::filesystem::path path = directory / "adult.yaml";
  WriteText(path, text);
  return Must(LoadPolicy(path.string()));
}

}  // namespace thicket
