// What stands behind a LoadedPolicy, for the files of engine/ only.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/thicket.h"
#include "policy/policy.h"
#include "record/dataset.h"
#include "taxonomy/semantic_network.h"

namespace thicket {

struct LoadedPolicy::Content {
  Policy policy;
  TaxonomyFiles taxonomies;
  NetworkFiles networks;
};

// Where the data is: as given, or as the policy says. kUsage, with the hint, if neither names it.
Result<std::string> InputOf(const LoadedPolicy& policy, const std::string& given,
                            std::string hint = "add input.path, or give -i FILE");

}  // namespace thicket
