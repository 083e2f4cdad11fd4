#include "engine/levels_for_assessment.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/fold.h"
#include "base/phase.h"
#include "base/stop.h"
#include "base/text.h"
#include "verify/sensitivity.h"

namespace thicket {

namespace {

using Kind = SensitivityLevels::Kind;

std::vector<uint64_t> CountSymbols(const Dataset& data, ClassId id, size_t slot) {
  std::vector<uint64_t> counts(data.dictionaries[id][slot].size(), 0);
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (data.forest.class_of(v) == id) ++counts[data.forest.value(v, slot)];
  }
  return counts;
}

SensitivityLevels DefaultLevels(const Dictionary& dictionary, const std::vector<uint64_t>& counts) {
  SensitivityLevels levels;
  levels.kind = Kind::kNumeric;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (counts[symbol] == 0 || FoldValue(dictionary.text(symbol)).empty()) continue;
    if (!FoldNumber(dictionary.text(symbol))) levels.kind = Kind::kFrequency;
  }
  return levels;
}

std::string HowOf(Kind kind) {
  return kind == Kind::kNumeric ? "size" : kind == Kind::kFrequency ? "frequency" : "given";
}

// Of the first value without a level.
Error NoLevel(const Dataset& data, ClassId id, size_t slot, const std::vector<bool>& bad,
              std::string_view what, std::string hint) {
  uint64_t all = 0;
  uint64_t wrong = 0;
  Vertex first = 0;
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (data.forest.class_of(v) != id) continue;
    ++all;
    if (!bad[data.forest.value(v, slot)]) continue;
    if (wrong++ == 0) first = v;
  }
  return ErrorAt(ErrorCode::kData, data.PlaceOf(first, slot),
                 fmt::format("{} ({} of {})", what, WithCommas(wrong), WithCommas(all)),
                 std::move(hint),
                 std::string(data.dictionaries[id][slot].text(data.forest.value(first, slot))));
}

bool AnyShown(const std::vector<bool>& bad, const std::vector<uint64_t>& counts) {
  for (size_t symbol = 0; symbol < bad.size(); ++symbol) {
    if (bad[symbol] && counts[symbol] > 0) return true;
  }
  return false;
}

}  // namespace

Result<LevelsForAssessment> FindLevels(const Dataset& original, const Dataset& published) {
  LevelsForAssessment result;
  size_t attributes = 0;
  for (const VertexClass& type : original.schema->classes) attributes += type.sensitive.size();
  Phase phase("levels", attributes);
  for (size_t i = 0; i < original.schema->classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    const VertexClass& type = original.schema->classes[id];
    auto& before = result.original.emplace_back();
    auto& after = result.published.emplace_back();
    auto& sources = result.sources.emplace_back();
    for (size_t attribute = 0; attribute < type.sensitive.size(); ++attribute) {
      const size_t slot = type.sensitive_slot(attribute);
      const std::vector<uint64_t> counts = CountSymbols(original, id, slot);
      SensitivityLevels levels = type.sensitive[attribute].levels;
      const bool by_default = levels.kind == Kind::kNone;
      if (by_default) levels = DefaultLevels(original.dictionaries[id][slot], counts);
      Sensitivity found = FindSensitivity(levels, original, id, slot);
      if (AnyShown(found.none, counts)) {
        return NoLevel(original, id, slot, found.none,
                       "every value must have a level of sensitivity, but this one has none",
                       "see thicket levels; --show-values prints it");
      }
      Sensitivity there = CarryOver(found, original, published, id, slot);
      const Dictionary& dictionary = published.dictionaries[id][slot];
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        if (!type.sensitive[attribute].IsSuppressed(dictionary.text(symbol))) continue;
        there.level[symbol] = 0;
        there.none[symbol] = false;
      }
      if (AnyShown(there.none, CountSymbols(published, id, slot))) {
        return NoLevel(
            published, id, slot, there.none,
            "every sensitive value must be one of the original data, but this one is not",
            "check that the published and the original data belong together");
      }
      before.push_back(std::move(found.level));
      after.push_back(std::move(there.level));
      sources.push_back({HowOf(levels.kind), by_default});
      phase.Advance();
    }
  }
  return result;
}

}  // namespace thicket
