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

#include <cstdint>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

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

// By class and sensitive attribute, in the order of the policy. Under alpha the buckets must be levels already.
std::vector<DiversityForecast> ForecastDiversity(const Policy& policy, const EncodedDataset& data);

// A text for each of them that loses more than a tenth.
std::vector<std::string> ForecastWarnings(const Policy& policy,
                                          const std::vector<DiversityForecast>& forecasts);

}  // namespace thicket
