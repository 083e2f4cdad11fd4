#include "attack/merged_adversary.h"

#include <algorithm>
#include <set>

#include "base/stop.h"

namespace thicket {

namespace {

std::vector<RecordId> Examples(const Release& release) {
  std::vector<RecordId> examples;
  for (size_t shape = 0; shape < release.shapes().size(); ++shape) {
    examples.push_back(release.Example(shape));
  }
  return examples;
}

}  // namespace

MergedAdversary::MergedAdversary(const EncodedDataset& original, const Release& release)
    : original_(original),
      release_(release),
      showing_(original.schema(), release.forest(), release.raw(), Examples(release)),
      showing_exactly_(original.schema(), release.forest(), release.raw(), Examples(release)),
      relations_(original.schema(), release),
      held_(original.schema(), release),
      counts_(held_.secret_count(), 0) {}

MergedAdversary::Pool MergedAdversary::Candidates(const VictimLabels& labels,
                                                  const VictimRelations& relations) {
  Bitmap possible = showing_.All();
  for (const KnownLabel& known : labels.present) {
    Intersect(possible, showing_.Find(known.id, known.slot, known.value, 1, [&](uint32_t raw) {
      return release_.Covers(known.id, known.slot, raw, known.value);
    }));
  }
  for (const KnownLabel& known : labels.absent) {
    Remove(possible, showing_exactly_.Find(known.id, known.slot, known.value, 1, [&](uint32_t raw) {
      return release_.IsExactly(known.id, known.slot, raw, known.value);
    }));
  }
  for (const KnownRelation& known : relations.present) {
    IntersectList(possible, relations_.Find(known));
  }
  for (const KnownRelation& known : relations.absent) {
    RemoveList(possible, relations_.FindExactly(known));
  }
  Pool pool;
  ForEachBit(possible, [&](uint32_t shape) {
    pool.shapes.push_back(shape);
    pool.records += release_.shapes().size(shape);
  });
  return pool;
}

void MergedAdversary::AddCertainty(const Pool& candidates, Tally& tally) {
  if (candidates.records == 0 || held_.secret_count() == 0 || tally.worst_certainty() >= 1) return;
  uint32_t most = 0;
  for (const uint32_t shape : candidates.shapes) {
    StopPoint();
    for (const HeldCounts::Count& count : held_.Of(shape)) {
      most = std::max(most, counts_[count.secret] += count.records);
    }
  }
  for (const uint32_t shape : candidates.shapes) {
    StopPoint();
    for (const HeldCounts::Count& count : held_.Of(shape)) counts_[count.secret] = 0;
  }
  tally.AddCertainty(static_cast<double>(most) / static_cast<double>(candidates.records));
}

Result<AttackResult> MergedAdversary::Play(const std::vector<RecordId>& victims, const Knows& knows,
                                           Progress& progress) {
  Tally tally;
  if (!victims.empty()) AddCertainty(Candidates({}, {}), tally);
  std::set<KnownLabel> asked;
  for (const RecordId victim : victims) {
    if (progress.cancelled()) return Interrupted();
    const VictimLabels labels =
        DrawDistinct(original_, victim, knows.labels, knows.negative, knows.seed);
    const VictimRelations relations = DrawRelations(
        original_, victim, labels.present, knows.relations, knows.negative, true, knows.seed);
    const Pool candidates = Candidates(labels, relations);
    tally.Add(candidates.records, 1);
    AddCertainty(candidates, tally);
    for (const KnownLabel& label : DistinctLabels(original_, victim)) {
      StopPoint();
      if (!asked.insert(label).second || tally.worst_certainty() >= 1) continue;
      AddCertainty(Candidates({{label}, {}}, {}), tally);
    }
    progress.Advance(1);
  }
  return tally.Result();
}

}  // namespace thicket
