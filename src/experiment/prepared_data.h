// The data that an experiment runs on, encoded: generated, read from where a policy says, or records of the caller's.
//
//   THICKET_ASSIGN(PreparedData data, PrepareData("customers", 2000, 1, progress));
//   THICKET_ASSIGN(PreparedData own, PrepareRecords(policy, std::move(records)));
//
// Generated data stays in memory: no file is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "engine/content.h"
#include "engine/records.h"
#include "generate/census_taxonomies.h"
#include "generate/policies.h"
#include "record/dataset.h"

namespace thicket {

struct PreparedData {
  LoadedPolicy policy;
  EncodedDataset data;
  // The same with levels of sensitivity as buckets, where the policy has alpha.
  std::optional<EncodedDataset> levels = {};
};

// What of a census is not as it is generated (generate/census_taxonomies.h).
struct CensusForm {
  CensusGrain grain = CensusGrain::kStandard;
  size_t quasi = kCensusQuasi;

  friend bool operator==(const CensusForm&, const CensusForm&) = default;
};

// A data set of generate/. `secrets`: of baskets, how many items are sensitive. They are drawn among those that are in at most a
// twentieth of the records: the thesis has half, of which l = 5 can protect none (Section 4.5.1.3 of Liu 2010). `gap_s`: the session
// gap of a query log, as Sweep::GapAt(); 0: the policy's.
Result<PreparedData> PrepareData(const std::string& name, uint64_t records, uint64_t seed,
                                 Progress& progress, const CensusForm& form = {},
                                 size_t secrets = 0, double gap_s = 0);
// The data that a policy of the user's names.
Result<PreparedData> PrepareGiven(const LoadedPolicy& policy, Progress& progress, double gap_s = 0);
// Original records in memory. They are not copied if nobody else has them.
Result<PreparedData> PrepareRecords(const LoadedPolicy& policy, RecordSet records);

}  // namespace thicket
