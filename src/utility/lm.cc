#include "utility/lm.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/phase.h"
#include "base/stop.h"
#include "base/text.h"
#include "record/published_labels.h"

namespace thicket {

namespace {

std::vector<uint64_t> CountVertices(const Forest& forest, size_t class_count) {
  std::vector<uint64_t> counts(class_count, 0);
  for (Vertex v = 0; v < forest.vertex_count(); ++v) ++counts[forest.class_of(v)];
  return counts;
}

// By class, quasi-identifier and symbol. Advances the phase by vertices.
std::vector<std::vector<std::vector<uint64_t>>> CountSymbols(const Dataset& data, Phase& phase) {
  const Schema& schema = *data.schema;
  std::vector<std::vector<std::vector<uint64_t>>> counts(schema.classes.size());
  for (size_t id = 0; id < counts.size(); ++id) {
    for (size_t quasi = 0; quasi < schema.classes[id].quasi.size(); ++quasi) {
      counts[id].emplace_back(data.dictionaries[id][quasi].size(), 0);
    }
  }
  constexpr Vertex kBatch = 4096;
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (v % kBatch == kBatch - 1) phase.Advance(kBatch);
    auto& of_class = counts[data.forest.class_of(v)];
    const uint32_t* values = data.forest.values(v);
    for (size_t quasi = 0; quasi < of_class.size(); ++quasi) ++of_class[quasi][values[quasi]];
  }
  return counts;
}

// What became of an attribute's values. `before` and `after`: by symbol, how often it occurs in original and published data.
// Nothing if more values are published than there were.
std::optional<AttributeLoss> LossOf(const Domain& domain, const std::vector<Label>& label_of,
                                    const std::vector<uint64_t>& before,
                                    const std::vector<uint64_t>& after) {
  const auto sum = [](const std::vector<uint64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  };
  AttributeLoss loss;
  loss.absent = before[kMissing];
  loss.labels = sum(before) - loss.absent;
  // Values of which something is shown. The others are suppressed, or "*", as absent ones may be.
  uint64_t shown = 0;
  for (Symbol symbol = 1; symbol < after.size(); ++symbol) {
    const uint64_t count = after[symbol];
    if (count == 0) continue;
    const bool is_leaf = domain.IsLeaf(label_of[symbol]);
    const double each = is_leaf ? 0 : domain.ExactLoss(label_of[symbol]);
    if (each >= 1) continue;
    shown += count;
    if (!is_leaf) loss.generalized += count;
    loss.loss += static_cast<double>(count) * each;
  }
  if (shown > loss.labels) return std::nullopt;
  const uint64_t lost = loss.labels - shown;
  loss.suppressed = std::min(lost, sum(before) - sum(after));
  loss.generalized += lost - loss.suppressed;
  loss.loss += static_cast<double>(lost);
  return loss;
}

Error MoreThanThereWas(const Dataset& published, const std::string& what, uint64_t after,
                       uint64_t before) {
  return ErrorAt(
      ErrorCode::kData, {.file = published.source},
      fmt::format(
          "published data must not have more {} than the original, but has {} instead of {}", what,
          WithCommas(after), WithCommas(before)),
      "measure it against the data that it was made from");
}

}  // namespace

LossCount& LossCount::operator+=(const LossCount& other) {
  labels += other.labels;
  absent += other.absent;
  suppressed += other.suppressed;
  generalized += other.generalized;
  loss += other.loss;
  return *this;
}

Result<LmReport> MeasureLm(const EncodedDataset& original, const Dataset& published) {
  THICKET_ASSIGN(const PublishedLabels labels, PublishedLabels::Read(original, published));
  const Schema& schema = original.schema();
  const auto vertices_before = CountVertices(original.forest(), schema.classes.size());
  const auto vertices_after = CountVertices(published.forest, schema.classes.size());
  Phase phase("lm", original.forest().vertex_count() + published.forest.vertex_count());
  const auto before = CountSymbols(original.data, phase);
  const auto after = CountSymbols(published, phase);

  LmReport report;
  for (size_t i = 0; i < schema.classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    if (vertices_after[id] > vertices_before[id]) {
      return MoreThanThereWas(published, "vertices of class " + schema.classes[id].name,
                              vertices_after[id], vertices_before[id]);
    }
    ClassLoss of_class;
    of_class.name = schema.classes[id].name;
    for (size_t quasi = 0; quasi < schema.classes[id].quasi.size(); ++quasi) {
      std::optional<AttributeLoss> attribute =
          LossOf(original.classes[id].domains[quasi], labels.of(id, quasi), before[id][quasi],
                 after[id][quasi]);
      const std::string& name = schema.classes[id].quasi[quasi].name;
      if (!attribute) {
        const auto there = [](const std::vector<uint64_t>& counts) {
          return std::accumulate(counts.begin() + 1, counts.end(), uint64_t{0});
        };
        return MoreThanThereWas(published, "values of " + schema.PathOf(id, name),
                                there(after[id][quasi]), there(before[id][quasi]));
      }
      attribute->name = name;
      of_class += *attribute;
      of_class.attributes.push_back(std::move(*attribute));
    }
    report += of_class;
    report.classes.push_back(std::move(of_class));
  }
  return report;
}

}  // namespace thicket
