// The policy's algorithm, run: one table from the names of methods to the functions that run them, and from the words of
// the policy to the options of an algorithm.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/method_result.h"
#include "engine/thicket.h"
#include "policy/method_table.h"
#include "policy/policy.h"
#include "privacy/diversity.h"
#include "record/dataset.h"
#include "taxonomy/semantic_network.h"

namespace thicket {

// What must hold among the vertices of a class that stand together.
DiversityRule RuleOf(const PrivacyPolicy& privacy);

// What the policy does not say.
struct MethodOptions {
  // See RunOptions.
  bool exhaustive = false;
  // For methods that draw at random: mlevclutree records to begin with, those for tables whom to leave out.
  uint64_t random_seed = 1;
  // Those that the policy names; null if it names none.
  const NetworkFiles* networks = nullptr;
  // How many records the data is drawn from, where it is a sample: neighbourhoods are looked at as they would be there. 0: it is all.
  size_t drawn_from = 0;
};

// How the time of a grouping method grows with the number of records.
struct Growth {
  // With the square up to so many records, and in proportion beyond; 0: always with the square.
  size_t part = 0;
  // In proportion, or nearly so: an index proposes whom to compare.
  bool proposes = false;
};
Growth GrowthOf(const Policy& policy, const EncodedDataset& data, size_t records);

// The policy's method, whatever its family, and refining where the policy asks for it. Classes that come out equal are
// one. kPromise if nobody can be published.
Result<MethodResult> RunMethod(const Policy& policy, const MethodOptions& options,
                               const EncodedDataset& data, Parallel& parallel, Progress& progress);

// The names that can be run, with the family of each: those of policy/method_table.h, as a test says.
struct RunnableMethod {
  std::string_view name;
  MethodFamily family;
};
std::vector<RunnableMethod> RunnableMethods();

// The name and the parameters that matter for it.
Report::Method DescribeMethod(const MethodPolicy& method);

}  // namespace thicket
