#include "engine/diversity_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/fold.h"
#include "base/stop.h"
#include "base/text.h"
#include "policy/method_table.h"

namespace thicket {

namespace {

constexpr double kMuchLost = 0.1;

// By bucket: how many vertices, or how many records, have it.
std::vector<uint64_t> CountVertices(const EncodedDataset& data, ClassId id, size_t attribute) {
  std::vector<uint64_t> counts(data.classes[id].bucket_count[attribute] + 1, 0);
  for (Vertex v = 0; v < data.forest().vertex_count(); ++v) {
    StopPoint();
    if (data.forest().class_of(v) != id) continue;
    const uint32_t bucket = data.Bucket(v, attribute);
    if (bucket >= counts.size()) counts.resize(bucket + 1, 0);
    ++counts[bucket];
  }
  return counts;
}

std::vector<uint64_t> CountRecords(const EncodedDataset& data, ClassId id, size_t attribute) {
  std::vector<uint64_t> counts(data.classes[id].bucket_count[attribute] + 1, 0);
  std::vector<uint32_t> last(counts.size(), 0);
  const Forest& forest = data.forest();
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
      if (forest.class_of(v) != id) continue;
      const uint32_t bucket = data.Bucket(v, attribute);
      // A missing value is none where a value counts wherever it stands.
      if (bucket == 0) continue;
      if (bucket >= counts.size()) {
        counts.resize(bucket + 1, 0);
        last.resize(bucket + 1, 0);
      }
      if (last[bucket] == record + 1) continue;
      last[bucket] = record + 1;
      ++counts[bucket];
    }
  }
  return counts;
}

// By bucket: the largest share that the policy allows.
std::vector<double> SharesOf(const Policy& policy, const EncodedDataset& data, ClassId id,
                             size_t attribute, const std::vector<uint64_t>& counts) {
  const PrivacyPolicy& privacy = policy.privacy;
  std::vector<double> shares(counts.size(), 1);
  if (privacy.alpha) {
    for (size_t level = 1; level < shares.size() && level <= privacy.alpha->size(); ++level) {
      shares[level] = (*privacy.alpha)[level - 1];
    }
  } else if (privacy.theta) {
    const double theta = privacy.theta->otherwise.ToDouble();
    uint64_t all = 0;
    uint64_t present = 0;
    for (const uint64_t count : counts) {
      all += count;
      present += count > 0 ? 1 : 0;
    }
    const double mean =
        static_cast<double>(all) / static_cast<double>(std::max<uint64_t>(present, 1));
    for (size_t bucket = 0; bucket < shares.size(); ++bucket) {
      const double more = static_cast<double>(counts[bucket]) / mean;
      shares[bucket] =
          privacy.theta->from_frequency ? std::min(1.0, theta * std::max(1.0, more)) : theta;
    }
    const VertexClass& type = data.schema().classes[id];
    const Dictionary& dictionary = data.data.dictionaries[id][type.sensitive_slot(attribute)];
    for (const ThetaPolicy::OfValue& of : privacy.theta->values) {
      const std::string folded = FoldValue(of.value);
      for (Symbol symbol = 0; symbol < dictionary.size(); ++symbol) {
        if (FoldValue(dictionary.text(symbol)) != folded) continue;
        shares[data.classes[id].bucket_of_symbol[attribute][symbol]] = of.theta.ToDouble();
      }
    }
  } else if (privacy.l) {
    std::fill(shares.begin(), shares.end(), 1.0 / *privacy.l);
  }
  return shares;
}

// The greatest T with T = sum of min(n, m T).
uint64_t MostPublished(const std::vector<uint64_t>& counts, const std::vector<double>& shares,
                       uint64_t all) {
  constexpr int kRounds = 10'000;
  auto most = static_cast<double>(all);
  for (int round = 0; round < kRounds; ++round) {
    double sum = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
      sum += std::min(static_cast<double>(counts[i]), shares[i] * most);
    }
    if (sum > most - 1e-6) break;
    most = sum;
  }
  return static_cast<uint64_t>(std::floor(most + 1e-3));
}

std::string Percent(double share) {
  // 99.96 % is not all of them.
  const double percent = 100 * share;
  if (share < 1 && percent > 99.9) return "over 99.9 %";
  return percent >= 10 ? fmt::format("{:.0f} %", std::floor(percent))
                       : fmt::format("{:.1f} %", percent);
}

}  // namespace

std::vector<DiversityForecast> ForecastDiversity(const Policy& policy, const EncodedDataset& data) {
  std::vector<DiversityForecast> forecasts;
  const bool by_record = policy.privacy.model() == PrivacyModel::kCombinations;
  for (size_t i = 0; i < data.schema().classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    const VertexClass& type = data.schema().classes[i];
    for (size_t attribute = 0; attribute < type.sensitive.size(); ++attribute) {
      const bool anywhere = by_record || type.sensitive[attribute].anywhere;
      DiversityForecast forecast;
      forecast.path = data.schema().PathOf(id, type.sensitive[attribute].name);
      forecast.of_records = i == 0;
      const std::vector<uint64_t> counts = CountVertices(data, id, attribute);
      uint64_t most = 0;
      for (const uint64_t count : counts) {
        forecast.vertices += count;
        forecast.values += count > 0 ? 1 : 0;
        most = std::max(most, count);
      }
      if (forecast.vertices == 0) continue;
      uint64_t all = forecast.vertices;
      if (!by_record) {
        const std::vector<double> shares = SharesOf(policy, data, id, attribute, counts);
        forecast.lost = all - MostPublished(counts, shares, all);
      }
      if (anywhere) {
        const std::vector<uint64_t> records = CountRecords(data, id, attribute);
        const uint64_t held = *std::max_element(records.begin(), records.end());
        const uint64_t people = data.forest().record_count();
        if (by_record || held * all > most * people) {
          most = held;
          all = people;
        }
      }
      forecast.greatest_share = static_cast<double>(most) / static_cast<double>(all);
      forecast.largest_l = most == 0 ? all : all / most;
      forecasts.push_back(std::move(forecast));
    }
  }
  return forecasts;
}

std::vector<std::string> ForecastWarnings(const Policy& policy,
                                          const std::vector<DiversityForecast>& forecasts) {
  std::vector<std::string> warnings;
  const PrivacyPolicy& privacy = policy.privacy;
  // Of levels engine/levels.h has more to say. Where values are published as "*", or nothing is left out, no vertices go.
  const bool table = RowOf(policy.method).flat;
  if (privacy.alpha || (table && !policy.method.suppression.ends_with("records"))) return warnings;
  const std::string asked = privacy.l ? fmt::format("l = {}", *privacy.l) : "theta";
  for (const DiversityForecast& of : forecasts) {
    if (of.lost_share() <= kMuchLost) continue;
    const std::string_view what = of.of_records ? "records" : "vertices";
    if (of.values == 1) {
      warnings.push_back(fmt::format(
          "{}: all {} {} have the same value, so that none of them can be published under {}; drop "
          "the attribute, or keep it as a constant",
          of.path, WithCommas(of.vertices), what, asked));
      continue;
    }
    if (of.lost == of.vertices) {
      warnings.push_back(
          fmt::format("{}: its {} values are too few for {}, or too unlike in number, so that none "
                      "of the {} {} "
                      "can be published",
                      of.path, WithCommas(of.values), asked, WithCommas(of.vertices), what));
      continue;
    }
    warnings.push_back(
        fmt::format("{}: one of its {} values stands in {} of the {}, so that at least {} of them "
                    "must go under "
                    "{} ({}); {}",
                    of.path, WithCommas(of.values), Percent(of.greatest_share), what,
                    Percent(of.lost_share()), asked, WithCommas(of.lost),
                    privacy.l ? of.largest_l < 2 ? std::string("no l above 1 keeps all")
                                                 : fmt::format("l = {} keeps all", of.largest_l)
                              : "thicket plan shows more"));
  }
  return warnings;
}

}  // namespace thicket
