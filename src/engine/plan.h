// What a run would come to, told in seconds: which l the data allows, what would be lost and because of which attribute, and
// how long a run takes.
//
//   THICKET_ASSIGN(Plan plan, PlanFile(policy, "students.jsonl", {}, progress));
//   plan.ToText();
//
// Two parts. What the frequencies of sensitive values force is counted over all records (engine/diversity_forecast.h), and holds for
// every method. The rest is tried: the policy's method runs on a few records drawn at random, then on twice as many and so on, as long
// as that takes a second or so. What it loses there is the forecast, and how the time grew from the last runs to the next says how
// long all records will take. A small sample loses more than the whole as a rule, since there are fewer records to stand together with.
//
// Reading is the most of it where there is much data: nothing is read twice, and nothing is published.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/records.h"
#include "engine/thicket.h"

namespace thicket {

struct PlanOptions {
  // Which records are tried; the same seed, the same records.
  uint64_t seed = 1;
  // 0: as many as the process may use.
  int threads = 0;
  // How long a trial may take before the next one, on twice as many records, is left out.
  double trial_seconds = 1;
  // How many records are tried at most.
  uint64_t most_tried = 4000;
};

// What the frequencies of a sensitive attribute's values force (engine/diversity_forecast.h).
struct DiversityForecast {
  std::string path;
  // Whether records go, and not only vertices of them.
  bool of_records = false;
  uint64_t vertices = 0;
  // Different values, or buckets or levels of them; a missing value is one.
  uint64_t values = 0;
  // Of the vertices, or of the records, that have the most frequent one.
  double greatest_share = 0;
  // The greatest l for which nothing has to go.
  uint64_t largest_l = 1;
  // How many of the vertices must go under what the policy asks for.
  uint64_t lost = 0;

  double lost_share() const {
    return vertices == 0 ? 0 : static_cast<double>(lost) / static_cast<double>(vertices);
  }
};

struct Plan {
  std::string model;
  std::string method;
  std::optional<int> k;
  std::optional<int> l;
  uint64_t records = 0;
  uint64_t vertices = 0;

  struct Attribute : DiversityForecast {
    // The share of all vertices that the trial lost more than without this attribute's diversity; absent where that was not tried.
    std::optional<double> blamed = {};
  };
  std::vector<Attribute> attributes;

  // What became of the last trial.
  struct Trial {
    uint64_t records = 0;
    double seconds = 0;
    double lost_records = 0;
    // Absent of sets and bags, whose items are not vertices that go as a whole.
    std::optional<double> lost_vertices = {};
    // Why nothing could be published; empty if something could.
    std::string failure;
  };
  std::optional<Trial> trial;

  // Of all records, reading, checking and writing included.
  double seconds = 0;
  std::vector<std::string> warnings;

  std::string ToJson() const;
  std::string ToText() const;
  // "about 4 minutes".
  std::string TimeText() const;
};

// `input` may be empty: the policy's.
Result<Plan> PlanFile(const LoadedPolicy& policy, const std::string& input,
                      const PlanOptions& options, Progress& progress);
// The same for original records in memory.
Result<Plan> PlanRecords(const LoadedPolicy& policy, const RecordSet& original,
                         const PlanOptions& options, Progress& progress);

}  // namespace thicket
