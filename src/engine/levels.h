// How the sensitive values of a data set fall into levels of sensitivity, and what k makes of them: what a steward looks
// at before choosing alpha and k (Wang et al. 2018, section 3.3).
//
//   THICKET_ASSIGN(LevelsReport report, LevelsOfFile(policy, "students.jsonl", progress));
//   report.ToText();
//
// A level whose share alpha of k records is less than one value can never be published: its vertices are suppressed,
// and a record whose root is one is suppressed whole. A warning names each and the smallest k that would do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/records.h"
#include "engine/thicket.h"

namespace thicket {

struct LevelsReport {
  struct Level {
    // Numbers, or how often a value occurs: "0.8889 to 1.667"; empty where the policy gives the levels.
    std::string range;
    uint64_t distinct = 0;
    uint64_t values = 0;
    uint64_t records = 0;
    // How many may stand together in a class of k records, and the smallest k that leaves room for one; absent without
    // alpha.
    std::optional<int> most;
    std::optional<int> least_k;
    // Sensitive: shown only to a steward who asks.
    std::vector<std::string> texts;
  };
  struct Attribute {
    std::string path;
    std::string how;
    // By level - 1.
    std::array<Level, 5> levels;
  };
  std::optional<int> k;
  // Those that have levels.
  std::vector<Attribute> attributes;
  std::vector<std::string> warnings;

  std::string ToJson(bool show_values) const;
  std::string ToText(bool show_values) const;
};

// kUsage where the policy has no levels. `input` may be empty: the policy's.
Result<LevelsReport> LevelsOfFile(const LoadedPolicy& policy, const std::string& input,
                                  Progress& progress);
// The same for original records in memory.
Result<LevelsReport> LevelsOfRecords(const LoadedPolicy& policy, const RecordSet& original,
                                     Progress& progress);

}  // namespace thicket
