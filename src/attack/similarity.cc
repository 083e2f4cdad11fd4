#include "attack/similarity.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/phase.h"
#include "base/stop.h"
#include "record/canonical_form.h"

namespace thicket {

namespace {

using LevelCounts = std::array<uint64_t, SensitivityLevels::kCount>;

uint64_t MostFrequent(const LevelCounts& counts) {
  return *std::max_element(counts.begin(), counts.end());
}

class LevelAdversary {
 public:
  LevelAdversary(const Dataset& release, VertexValues values, const SymbolLevels& levels)
      : schema_(*release.schema), forest_(release.forest), values_(values), levels_(levels) {
    for (const VertexClass& type : schema_.classes) {
      learned_.emplace_back(type.sensitive.size());
      overall_.emplace_back(type.sensitive.size());
    }
  }

  LevelKnowledge Learn() {
    Phase phase("similarity", forest_.record_count());
    const CanonicalForm form = Canonicalize(schema_, forest_, values_, CompareBy::kQuasi);
    const RecordGroups groups = GroupRecords(forest_, form);
    for (size_t group = 0; group < groups.size(); ++group) {
      StopPoint();
      phase.Advance(groups.size(group));
      aligned_.clear();
      for (size_t member = 0; member < groups.size(group); ++member) {
        AppendCanonicalOrder(forest_, form, groups.member(group, member), aligned_);
      }
      LearnFromClass(groups.size(group));
    }
    for (size_t id = 0; id < learned_.size(); ++id) {
      for (size_t i = 0; i < learned_[id].size(); ++i) {
        learned_[id][i].most_frequent_overall = MostFrequent(overall_[id][i]);
      }
    }
    return std::move(learned_);
  }

 private:
  enum class Found : uint8_t { kNothing, kValue, kLevel };

  // `aligned_` holds the class's records one after the other.
  void LearnFromClass(uint64_t people) {
    const size_t positions = aligned_.size() / people;
    std::vector<std::vector<Found>> found;
    for (const auto& of_class : learned_) found.emplace_back(of_class.size(), Found::kNothing);
    for (size_t position = 0; position < positions; ++position) {
      StopPoint();
      const ClassId id = forest_.class_of(aligned_[position]);
      for (size_t i = 0; i < learned_[id].size(); ++i) {
        found[id][i] = std::max(found[id][i], LearnFromVertices(id, i, position, positions));
      }
    }
    for (size_t id = 0; id < found.size(); ++id) {
      for (size_t i = 0; i < found[id].size(); ++i) {
        if (found[id][i] != Found::kNothing) learned_[id][i].people += people;
        if (found[id][i] == Found::kLevel) learned_[id][i].people_known += people;
      }
    }
  }

  Found LearnFromVertices(ClassId id, size_t attribute, size_t position, size_t positions) {
    const size_t slot = schema_.classes[id].sensitive_slot(attribute);
    LevelCounts counts{};
    uint64_t values = 0;
    for (size_t at = position; at < aligned_.size(); at += positions) {
      const uint32_t level = levels_[id][attribute][forest_.value(aligned_[at], slot)];
      ++values;
      if (level == 0) continue;
      ++counts[level - 1];
      ++overall_[id][attribute][level - 1];
    }
    const uint64_t most = MostFrequent(counts);
    LevelsLearned& learned = learned_[id][attribute];
    learned.values += values;
    learned.most_frequent += most;
    learned.worst_certainty =
        std::max(learned.worst_certainty, static_cast<double>(most) / static_cast<double>(values));
    if (most < values) return Found::kValue;
    learned.known += values;
    return Found::kLevel;
  }

  const Schema& schema_;
  const Forest& forest_;
  VertexValues values_;
  const SymbolLevels& levels_;
  LevelKnowledge learned_;
  std::vector<std::vector<LevelCounts>> overall_;
  std::vector<Vertex> aligned_;
};

}  // namespace

LevelKnowledge LearnLevels(const Dataset& published, const SymbolLevels& levels) {
  return LevelAdversary(published, published.forest.values(), levels).Learn();
}

LevelKnowledge LearnLevels(const EncodedDataset& original, const SymbolLevels& levels) {
  return LevelAdversary(original.data, original.values(), levels).Learn();
}

}  // namespace thicket
