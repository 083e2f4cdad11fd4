// What the frequencies of sensitive values alone say about a promise, before anything is grouped.
//
// Of the vertices that stand together at most a share may have the same value: 1/l under l-diversity, that of its level under
// alpha, its threshold under theta. Shares hold in every set of aligned vertices, hence over all that are published. So of N vertices, n_v
// of them with the value v and m_v its share, at most T can be published, the greatest T with T = sum of min(n_v, m_v T). What is
// beyond T must go, whatever the method does; a method may lose more, since vertices must also fit each other.
//
//   for (const DiversityForecast& of : ForecastDiversity(policy, encoded)) of.lost, of.largest_l;
//
// Under k^(m,n)-anonymity values are counted by records, wherever they stand in one, and so is an attribute with `anywhere`.
//
// O(vertices).
#pragma once

#include <string>
#include <vector>

#include "engine/plan.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

// By class and sensitive attribute, in the order of the policy. Under alpha the buckets must be levels already.
std::vector<DiversityForecast> ForecastDiversity(const Policy& policy, const EncodedDataset& data);

// A text for each of them that loses more than a tenth.
std::vector<std::string> ForecastWarnings(const Policy& policy,
                                          const std::vector<DiversityForecast>& forecasts);

}  // namespace thicket
