#include "attack/known_labels.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "record/label_chains.h"

namespace thicket {

namespace {

// How many draws an absent label may take before the adversary makes do with fewer.
constexpr size_t kDrawsPerLabel = 50;

void AppendLabels(const EncodedDataset& data, Vertex vertex, std::vector<KnownLabel>& labels) {
  const ClassId id = data.forest().class_of(vertex);
  const auto& domains = data.classes[id].domains;
  for (size_t slot = 0; slot < domains.size(); ++slot) {
    const Value value = data.value(vertex, slot);
    if (!domains[slot].IsMissing(value)) labels.push_back({id, slot, value});
  }
}

// Adds up to `count` labels that others have and that are not among `all`, which is sorted.
void DrawAbsent(const EncodedDataset& original, const std::vector<KnownLabel>& all, size_t count,
                Random& random, std::vector<KnownLabel>& absent) {
  std::vector<KnownLabel> drawn;
  for (size_t draw = 0; draw < count * kDrawsPerLabel && absent.size() < count; ++draw) {
    drawn.clear();
    AppendLabels(original, static_cast<Vertex>(random.Below(original.forest().vertex_count())),
                 drawn);
    if (drawn.empty()) continue;
    const KnownLabel& label = drawn[random.Below(drawn.size())];
    if (std::binary_search(all.begin(), all.end(), label)) continue;
    const auto place = std::lower_bound(absent.begin(), absent.end(), label);
    if (place == absent.end() || *place != label) absent.insert(place, label);
  }
}

std::vector<KnownLabel> LabelsOf(const EncodedDataset& data, RecordId record) {
  std::vector<KnownLabel> labels;
  for (Vertex v = data.forest().root(record); v < data.forest().root(record + 1); ++v) {
    AppendLabels(data, v, labels);
  }
  return labels;
}

void MakeDistinct(std::vector<KnownLabel>& labels) {
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
}

// Every label above another on a path; sorted and distinct.
std::vector<KnownRelation> RelationsOf(const EncodedDataset& data, RecordId record) {
  std::vector<KnownRelation> relations;
  std::vector<KnownLabel> path;
  LabelChains<size_t> chains;  // a node is the number of labels on the path to it
  chains.Walk(data.schema(), data.forest(), record, 0, [&](size_t above, Vertex v, size_t slot) {
    path.resize(above);
    const ClassId id = data.forest().class_of(v);
    const KnownLabel label = {id, slot, data.value(v, slot)};
    if (data.classes[id].domains[slot].IsMissing(label.value)) return above;
    for (const KnownLabel& upper : path) relations.push_back({upper, label});
    path.push_back(label);
    return path.size();
  });
  std::sort(relations.begin(), relations.end());
  relations.erase(std::unique(relations.begin(), relations.end()), relations.end());
  return relations;
}

bool MayStandAbove(const Schema& schema, const KnownLabel& above, const KnownLabel& below) {
  if (above.id == below.id) return above.slot < below.slot;
  ClassId at = below.id;
  while (at > above.id) at = schema.classes[at].parent;
  return at == above.id;
}

}  // namespace

VictimLabels DrawLabels(const EncodedDataset& original, RecordId victim, size_t count,
                        uint64_t seed) {
  Random random = Random::Seeded(seed ^ (uint64_t{victim} + 1) * 0xd1342543de82ef95ULL);
  std::vector<KnownLabel> all = LabelsOf(original, victim);
  VictimLabels labels;
  labels.present = all;
  random.Shuffle(labels.present);
  if (labels.present.size() > count) labels.present.resize(count);
  std::sort(labels.present.begin(), labels.present.end());
  std::sort(all.begin(), all.end());
  DrawAbsent(original, all, count, random, labels.absent);
  return labels;
}

std::vector<KnownLabel> DistinctLabels(const EncodedDataset& original, RecordId victim) {
  std::vector<KnownLabel> labels = LabelsOf(original, victim);
  MakeDistinct(labels);
  return labels;
}

VictimLabels DrawDistinct(const EncodedDataset& original, RecordId victim, size_t count,
                          bool negative, uint64_t seed) {
  Random random = Random::Seeded(seed ^ (uint64_t{victim} + 1) * 0xaf251af3b0f025b5ULL);
  const std::vector<KnownLabel> all = DistinctLabels(original, victim);
  VictimLabels labels;
  if (negative) DrawAbsent(original, all, random.Below(count + 1), random, labels.absent);
  labels.present = all;
  random.Shuffle(labels.present);
  const size_t rest = count - labels.absent.size();
  if (labels.present.size() > rest) labels.present.resize(rest);
  std::sort(labels.present.begin(), labels.present.end());
  return labels;
}

VictimRelations DrawRelations(const EncodedDataset& original, RecordId victim,
                              const std::vector<KnownLabel>& known, size_t count, bool negative,
                              bool together, uint64_t seed) {
  Random random = Random::Seeded(seed ^ (uint64_t{victim} + 1) * 0x9fb21c651e98df25ULL);
  const std::vector<KnownRelation> real = RelationsOf(original, victim);
  std::vector<KnownLabel> labels = known;
  MakeDistinct(labels);
  std::vector<KnownRelation> present;
  std::vector<KnownRelation> absent;
  for (const KnownLabel& above : labels) {
    for (const KnownLabel& below : labels) {
      if (!MayStandAbove(original.schema(), above, below)) continue;
      const KnownRelation relation = {above, below};
      (std::binary_search(real.begin(), real.end(), relation) ? present : absent)
          .push_back(relation);
    }
  }
  random.Shuffle(present);
  random.Shuffle(absent);
  if (!negative) absent.clear();
  if (present.size() > count) present.resize(count);
  if (absent.size() > count) absent.resize(count);
  while (together && present.size() + absent.size() > count) {
    const bool from_present = !present.empty() && (absent.empty() || random.Below(2) == 0);
    (from_present ? present : absent).pop_back();
  }
  std::sort(present.begin(), present.end());
  std::sort(absent.begin(), absent.end());
  return {std::move(present), std::move(absent)};
}

}  // namespace thicket
