// Loads the taxonomies that a policy names.
//
// A policy's `taxonomy:` is a file, or a folder in which `<data>_hierarchy_<attribute>.csv` names the attribute.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

// `progress` says how much may be held; null: as much as there is.
Result<Taxonomy> LoadTaxonomy(const std::string& path, const Progress* progress = nullptr);

// The files of these taxonomies, as far as they are there.
std::vector<std::string> TaxonomyPaths(const Policy& policy);

// Keyed by the path as the policy gives it; for a folder, by that path + "/" + attribute. Without the leaves of sensitive
// items; kUsage if one of these is a group.
Result<TaxonomyFiles> LoadTaxonomies(const Policy& policy, const Progress* progress = nullptr);
// The same where some are in memory already, under the path that the policy gives. The others are read from files, or are
// kUsage errors. A taxonomy that the policy does not name is one, too.
Result<TaxonomyFiles> TakeTaxonomies(const Policy& policy, TaxonomyFiles given, bool read_files,
                                     const Progress* progress = nullptr);

}  // namespace thicket
