#include "attack/known_labels.h"

#include <algorithm>

#include "base/random.h"

namespace thicket {

namespace {

// How many draws an absent label may take before the adversary makes do with fewer.
constexpr size_t kDrawsPerLabel = 50;

void AppendLabels(const EncodedDataset& data, Vertex vertex, std::vector<KnownLabel>& labels) {
  const ClassId id = data.forest().class_of(vertex);
  const auto& domains = data.classes[id].domains;
  for (size_t slot = 0; slot < domains.size(); ++slot) {
    const Value value = data.forest().value(vertex, slot);
    if (!domains[slot].IsMissing(value)) labels.push_back({id, slot, value});
  }
}

}  // namespace

VictimLabels DrawLabels(const EncodedDataset& original, RecordId victim, size_t count,
                        uint64_t seed) {
  Random random = Random::Seeded(seed ^ (uint64_t{victim} + 1) * 0xd1342543de82ef95ULL);
  const Forest& forest = original.forest();
  std::vector<KnownLabel> all;
  for (Vertex v = forest.root(victim); v < forest.root(victim + 1); ++v)
    AppendLabels(original, v, all);
  VictimLabels labels;
  labels.present = all;
  random.Shuffle(labels.present);
  if (labels.present.size() > count) labels.present.resize(count);
  std::sort(labels.present.begin(), labels.present.end());

  std::sort(all.begin(), all.end());
  std::vector<KnownLabel> drawn;
  for (size_t draw = 0; draw < count * kDrawsPerLabel && labels.absent.size() < count; ++draw) {
    drawn.clear();
    AppendLabels(original, static_cast<Vertex>(random.Below(forest.vertex_count())), drawn);
    if (drawn.empty()) continue;
    const KnownLabel& label = drawn[random.Below(drawn.size())];
    if (std::binary_search(all.begin(), all.end(), label)) continue;
    const auto place = std::lower_bound(labels.absent.begin(), labels.absent.end(), label);
    if (place == labels.absent.end() || *place != label) labels.absent.insert(place, label);
  }
  return labels;
}

}  // namespace thicket
