#include "utility/lm.h"

#include <fmt/format.h>

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

// By class, quasi-identifier and symbol.
std::vector<std::vector<std::vector<uint64_t>>> CountSymbols(const Dataset& data) {
  const Schema& schema = *data.schema;
  std::vector<std::vector<std::vector<uint64_t>>> counts(schema.classes.size());
  for (size_t id = 0; id < counts.size(); ++id) {
    for (size_t quasi = 0; quasi < schema.classes[id].quasi.size(); ++quasi) {
      counts[id].emplace_back(data.dictionaries[id][quasi].size(), 0);
    }
  }
  constexpr Vertex kBatch = 4096;
  Phase phase("lm", data.forest.vertex_count());
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (v % kBatch == kBatch - 1) phase.Advance(kBatch);
    auto& of_class = counts[data.forest.class_of(v)];
    const uint32_t* values = data.forest.values(v);
    for (size_t quasi = 0; quasi < of_class.size(); ++quasi) ++of_class[quasi][values[quasi]];
  }
  return counts;
}

}  // namespace

LossCount& LossCount::operator+=(const LossCount& other) {
  labels += other.labels;
  suppressed += other.suppressed;
  generalized += other.generalized;
  loss += other.loss;
  return *this;
}

Result<LmReport> MeasureLm(const EncodedDataset& original, const Dataset& published) {
  THICKET_ASSIGN(const PublishedLabels labels, PublishedLabels::Read(original, published));
  const Schema& schema = original.schema();
  const auto before = CountVertices(original.forest(), schema.classes.size());
  const auto after = CountVertices(published.forest, schema.classes.size());
  const auto counts = CountSymbols(published);

  LmReport report;
  for (size_t i = 0; i < schema.classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    if (after[id] > before[id]) {
      return ErrorAt(
          ErrorCode::kData, {.file = published.source},
          fmt::format("published data must not have more vertices of class {} than "
                      "the original, but has {} instead of {}",
                      schema.classes[id].name, WithCommas(after[id]), WithCommas(before[id])),
          "measure it against the data that it was made from");
    }
    ClassLoss of_class;
    of_class.name = schema.classes[id].name;
    for (size_t quasi = 0; quasi < schema.classes[id].quasi.size(); ++quasi) {
      const Domain& domain = original.classes[id].domains[quasi];
      AttributeLoss attribute;
      attribute.name = schema.classes[id].quasi[quasi].name;
      attribute.labels = before[id];
      attribute.suppressed = before[id] - after[id];
      attribute.loss = static_cast<double>(attribute.suppressed);
      for (Symbol symbol = 0; symbol < counts[id][quasi].size(); ++symbol) {
        const uint64_t count = counts[id][quasi][symbol];
        if (count == 0) continue;
        const Label label = labels.of(id, quasi, symbol);
        if (domain.IsLeaf(label)) continue;
        attribute.generalized += count;
        attribute.loss += static_cast<double>(count) * domain.ExactLoss(label);
      }
      of_class += attribute;
      of_class.attributes.push_back(std::move(attribute));
    }
    report += of_class;
    report.classes.push_back(std::move(of_class));
  }
  return report;
}

}  // namespace thicket
