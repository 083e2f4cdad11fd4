#include "utility/dissimilarity.h"

#include <array>
#include <cstddef>

#include "base/phase.h"
#include "base/stop.h"
#include "record/canonical_form.h"

namespace thicket {

namespace {

constexpr size_t kLevels = 5;

// Over all pairs of distinct members; `counts` by level.
uint64_t SumOfDistances(const std::array<uint64_t, kLevels>& counts) {
  uint64_t sum = 0;
  for (size_t i = 0; i < kLevels; ++i) {
    for (size_t j = i + 1; j < kLevels; ++j) sum += counts[i] * counts[j] * (j - i);
  }
  return sum;
}

}  // namespace

double DissimilarityDegree(const std::vector<uint32_t>& levels) {
  std::array<uint64_t, kLevels> counts{};
  for (const uint32_t level : levels) ++counts[level - 1];
  return static_cast<double>(SumOfDistances(counts)) /
         static_cast<double>(SumOfDistances({1, 1, 1, 1, 1}));
}

double MeanDissimilarity(const std::vector<std::vector<uint32_t>>& vertices) {
  if (vertices.empty()) return 0;
  double sum = 0;
  for (const std::vector<uint32_t>& levels : vertices) sum += DissimilarityDegree(levels);
  return sum / static_cast<double>(vertices.size());
}

namespace {

// The levels by vertex of a class's representative and sensitive attribute; `aligned` holds the class's records one after the
// other.
std::vector<std::vector<uint32_t>> LevelsByVertex(const Dataset& data, const SymbolLevels& levels,
                                                  const std::vector<Vertex>& aligned,
                                                  size_t records) {
  const size_t positions = aligned.size() / records;
  std::vector<std::vector<uint32_t>> result;
  for (size_t position = 0; position < positions; ++position) {
    StopPoint();
    const ClassId id = data.forest.class_of(aligned[position]);
    const VertexClass& type = data.schema->classes[id];
    for (size_t i = 0; i < type.sensitive.size(); ++i) {
      const size_t slot = type.sensitive_slot(i);
      auto& here = result.emplace_back();
      for (size_t at = position; at < aligned.size(); at += positions) {
        const uint32_t level = levels[id][i][data.forest.value(aligned[at], slot)];
        if (level > 0) here.push_back(level);
      }
    }
  }
  return result;
}

}  // namespace

DissimilarityReport MeasureDissimilarity(const Dataset& published, const SymbolLevels& levels) {
  Phase phase("dissimilarity", published.forest.record_count());
  const CanonicalForm form = Canonicalize(*published.schema, published.forest, CompareBy::kQuasi);
  const RecordGroups groups = GroupRecords(published.forest, form);
  DissimilarityReport report;
  double distances = 0;
  double pairs = 0;
  std::vector<Vertex> aligned;
  for (size_t group = 0; group < groups.size(); ++group) {
    StopPoint();
    phase.Advance(groups.size(group));
    aligned.clear();
    for (size_t member = 0; member < groups.size(group); ++member) {
      AppendCanonicalOrder(published.forest, form, groups.member(group, member), aligned);
    }
    const auto vertices = LevelsByVertex(published, levels, aligned, groups.size(group));
    if (vertices.empty()) continue;
    ++report.classes;
    report.degree += MeanDissimilarity(vertices);
    for (const std::vector<uint32_t>& here : vertices) {
      const auto size = static_cast<double>(here.size());
      distances += DissimilarityDegree(here) * static_cast<double>(SumOfDistances({1, 1, 1, 1, 1}));
      pairs += size * (size - 1) / 2;
    }
  }
  if (report.classes > 0) report.degree /= static_cast<double>(report.classes);
  if (pairs > 0) report.mean_distance = distances / pairs;
  return report;
}

}  // namespace thicket
