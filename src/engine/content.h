// What stands behind a LoadedPolicy, for the files of engine/ only.
#pragma once

#include "engine/thicket.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

struct LoadedPolicy::Content {
  Policy policy;
  TaxonomyFiles taxonomies;
};

}  // namespace thicket
