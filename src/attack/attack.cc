#include "attack/attack.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "attack/bucket_counts.h"
#include "attack/cover_index.h"
#include "attack/known_labels.h"
#include "attack/merged_adversary.h"
#include "attack/relation_index.h"
#include "attack/release.h"
#include "attack/secret_counts.h"
#include "attack/tally.h"
#include "base/random.h"
#include "base/stop.h"

namespace thicket {

namespace {

// Plays against one release.
class Adversary {
 public:
  Adversary(const EncodedDataset& original, Release& release)
      : original_(original),
        schema_(original.schema()),
        release_(release),
        bucket_counts_(original.schema(), release),
        secret_counts_(original.schema(), release),
        has_secrets_(original.schema().classes.size(), false) {
    // Children have higher numbers than their parents.
    for (size_t id = schema_.classes.size(); id-- > 0;) {
      if (!schema_.classes[id].sensitive.empty()) has_secrets_[id] = true;
      if (has_secrets_[id]) has_secrets_[schema_.classes[id].parent] = true;
    }
  }

  // `targets` have different trees; weights[i] victims have that of targets[i].
  Result<AttackResult> KnowingEverything(const std::vector<RecordId>& targets,
                                         const std::vector<uint32_t>& weights, bool is_original,
                                         Progress& progress);
  Result<AttackResult> KnowingLabels(const std::vector<RecordId>& victims, size_t count,
                                     size_t relations, bool negative, uint64_t seed,
                                     Progress& progress);

 private:
  // A position in the records of a shape.
  struct Place {
    uint32_t shape;
    uint32_t position;
  };

  // By target: the shapes that embed into its tree.
  Result<std::vector<std::vector<uint32_t>>> EmbeddedShapes(const std::vector<RecordId>& targets,
                                                            Progress& progress);
  void Narrow(size_t shape, CoverIndex& index, Bitmap& targets);
  std::vector<uint32_t> ShapesShowing(const VictimLabels& labels, const VictimRelations& relations,
                                      bool negative, CoverIndex& showing,
                                      CoverIndex& showing_exactly);
  bool ShowsTogether(size_t shape, const std::vector<KnownLabel>& labels);
  size_t CountRecords(const std::vector<uint32_t>& shapes) const;
  void AddCertainties(ClassId id, const std::vector<Place>& pool, Tally& tally);
  void AddCertaintiesBelow(Vertex target, const std::vector<Place>& pool, Tally& tally);
  void AddShare(const BucketCounts::ByShape& by_shape, ClassId id, size_t attribute,
                const std::vector<uint32_t>& shapes, Tally& tally);
  void AddCertaintyAnywhere(const std::vector<uint32_t>& shapes, Tally& tally);
  void AddCertaintiesOf(const std::vector<KnownLabel>& labels, const std::vector<uint32_t>& shapes,
                        Tally& tally);

  const EncodedDataset& original_;
  const Schema& schema_;
  Release& release_;
  BucketCounts bucket_counts_;
  SecretCounts secret_counts_;
  std::optional<RelationIndex> related_;
  // By class: whether it or a class below it has a sensitive attribute.
  std::vector<bool> has_secrets_;
  InjectionSpace space_;
  std::vector<uint32_t> counts_;
};

size_t Adversary::CountRecords(const std::vector<uint32_t>& shapes) const {
  size_t count = 0;
  for (const uint32_t shape : shapes) count += release_.shapes().size(shape);
  return count;
}

// The share of the most frequent bucket among all vertices at these places.
void Adversary::AddCertainties(ClassId id, const std::vector<Place>& pool, Tally& tally) {
  for (size_t attribute = 0; attribute < schema_.classes[id].sensitive.size(); ++attribute) {
    counts_.assign(release_.bucket_count(id, attribute), 0);
    uint32_t most = 0;
    size_t total = 0;
    for (const Place& place : pool) {
      StopPoint();
      const size_t members = release_.shapes().size(place.shape);
      for (size_t member = 0; member < members; ++member) {
        const Vertex vertex = release_.Aligned(place.shape, member, place.position);
        const uint32_t bucket = release_.Bucket(vertex, attribute);
        if (release_.IsSuppressed(id, attribute, bucket)) continue;
        most = std::max(most, ++counts_[bucket]);
      }
      total += members;
    }
    tally.AddCertainty(static_cast<double>(most) / static_cast<double>(total));
  }
}

// `pool` is where the target vertex can be; goes on to the target's children.
void Adversary::AddCertaintiesBelow(Vertex target, const std::vector<Place>& pool, Tally& tally) {
  if (tally.worst_certainty() >= 1 || pool.empty()) return;
  const Forest& originals = original_.forest();
  AddCertainties(originals.class_of(target), pool, tally);
  std::vector<Place> below;
  for (const Vertex child : originals.Children(target)) {
    StopPoint();
    if (!has_secrets_[originals.class_of(child)]) continue;
    below.clear();
    for (const Place& place : pool) {
      StopPoint();
      const auto size_at = [&](uint32_t position) {
        return release_.forest().subtree_size(release_.Aligned(place.shape, 0, position));
      };
      const uint32_t end = place.position + size_at(place.position);
      for (uint32_t at = place.position + 1; at < end; at += size_at(at)) {
        if (release_.CoversVertex(release_.Aligned(place.shape, 0, at), child)) {
          below.push_back({place.shape, at});
        }
      }
    }
    AddCertaintiesBelow(child, below, tally);
  }
}

void Adversary::AddShare(const BucketCounts::ByShape& by_shape, ClassId id, size_t attribute,
                         const std::vector<uint32_t>& shapes, Tally& tally) {
  counts_.assign(release_.bucket_count(id, attribute), 0);
  uint64_t total = 0;
  for (const uint32_t shape : shapes) {
    StopPoint();
    for (const BucketCounts::Count& count : by_shape.Of(shape)) {
      if (!release_.IsSuppressed(id, attribute, count.bucket)) {
        counts_[count.bucket] += count.count;
      }
      total += count.count;
    }
  }
  if (total == 0) return;
  const uint32_t most = *std::max_element(counts_.begin(), counts_.end());
  tally.AddCertainty(static_cast<double>(most) / static_cast<double>(total));
}

void Adversary::AddCertaintyAnywhere(const std::vector<uint32_t>& shapes, Tally& tally) {
  if (shapes.empty() || tally.worst_certainty_anywhere() >= 1) return;
  tally.AddCertaintyAnywhere(static_cast<double>(secret_counts_.Most(shapes)) /
                             static_cast<double>(CountRecords(shapes)));
}

void Adversary::AddCertaintiesOf(const std::vector<KnownLabel>& labels,
                                 const std::vector<uint32_t>& shapes, Tally& tally) {
  for (size_t attribute = 0; attribute < schema_.root().sensitive.size(); ++attribute) {
    AddShare(bucket_counts_.OfRoots(attribute), 0, attribute, shapes, tally);
  }
  for (const KnownLabel& label : labels) {
    if (label.id == 0) continue;
    for (size_t attribute = 0; attribute < schema_.classes[label.id].sensitive.size();
         ++attribute) {
      AddShare(bucket_counts_.OfLabel(label, attribute), label.id, attribute, shapes, tally);
    }
  }
}

// Keeps the targets that have, for every label of the shape, at least as many vertices below it as the shape has.
void Adversary::Narrow(size_t shape, CoverIndex& index, Bitmap& targets) {
  const Forest& forest = release_.forest();
  const RecordId record = release_.Example(shape);
  std::vector<KnownLabel> shown;  // raw values of the release
  for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
    const ClassId id = forest.class_of(v);
    for (size_t slot = 0; slot < schema_.classes[id].quasi.size(); ++slot) {
      shown.push_back({id, slot, release_.raw().at(v, slot)});
    }
  }
  std::sort(shown.begin(), shown.end());
  for (size_t i = 0; i < shown.size(); ++i) {
    StopPoint();
    const KnownLabel& label = shown[i];
    if (i > 0 && shown[i - 1] == label) continue;
    const Domain& domain = original_.classes[label.id].domains[label.slot];
    const Label general = release_.LabelOf(label.id, label.slot, label.value);
    uint32_t below = 0;
    for (const KnownLabel& other : shown) {
      if (other.id != label.id || other.slot != label.slot) continue;
      if (domain.Covers(general, release_.LabelOf(label.id, label.slot, other.value))) ++below;
    }
    Intersect(targets, index.Find(label.id, label.slot, label.value, below, [&](uint32_t value) {
      return release_.Covers(label.id, label.slot, label.value, value);
    }));
  }
}

Result<std::vector<std::vector<uint32_t>>> Adversary::EmbeddedShapes(
    const std::vector<RecordId>& targets, Progress& progress) {
  std::vector<std::vector<uint32_t>> embedded(targets.size());
  CoverIndex index(schema_, original_.forest(), original_.values(), targets);
  const Bitmap all = index.All();
  for (uint32_t shape = 0; shape < release_.shapes().size(); ++shape) {
    if (progress.cancelled()) return Interrupted();
    Bitmap possible = all;
    Narrow(shape, index, possible);
    const Vertex root = release_.forest().root(release_.Example(shape));
    ForEachBit(possible, [&](uint32_t target) {
      StopPoint();
      if (release_.Embeds(root, original_.forest().root(targets[target]))) {
        embedded[target].push_back(shape);
      }
    });
    progress.Advance(1);
  }
  return embedded;
}

Result<AttackResult> Adversary::KnowingEverything(const std::vector<RecordId>& targets,
                                                  const std::vector<uint32_t>& weights,
                                                  bool is_original, Progress& progress) {
  std::vector<std::vector<uint32_t>> shapes(targets.size());
  if (is_original) {
    for (size_t i = 0; i < targets.size(); ++i)
      shapes[i] = {release_.shapes().group_of[targets[i]]};
  } else {
    THICKET_ASSIGN(shapes, EmbeddedShapes(targets, progress));
  }
  Tally tally;
  std::vector<Place> roots;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (progress.cancelled()) return Interrupted();
    progress.Advance(1);
    tally.Add(CountRecords(shapes[i]), weights[i]);
    if (!has_secrets_[0]) continue;
    roots.clear();
    for (const uint32_t shape : shapes[i]) roots.push_back({shape, 0});
    AddCertaintiesBelow(original_.forest().root(targets[i]), roots, tally);
    AddCertaintyAnywhere(shapes[i], tally);
  }
  return tally.Result();
}

// Whether the shape shows labels of one attribute, [begin, end) of a sorted list, on as many vertices.
bool Adversary::ShowsTogether(size_t shape, const std::vector<KnownLabel>& labels) {
  const Forest& forest = release_.forest();
  const RecordId record = release_.Example(shape);
  std::vector<Vertex> vertices;
  for (size_t begin = 0; begin < labels.size();) {
    const KnownLabel& first = labels[begin];
    size_t end = begin + 1;
    while (end < labels.size() && labels[end].id == first.id && labels[end].slot == first.slot)
      ++end;
    if (end - begin > 1) {
      vertices.clear();
      for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
        if (forest.class_of(v) == first.id) vertices.push_back(v);
      }
      const auto shows = [&](size_t known, size_t vertex) {
        return release_.Covers(first.id, first.slot,
                               release_.raw().at(vertices[vertex], first.slot),
                               labels[begin + known].value);
      };
      if (!HasInjection(end - begin, vertices.size(), shows, space_)) return false;
    }
    begin = end;
  }
  return true;
}

std::vector<uint32_t> Adversary::ShapesShowing(const VictimLabels& labels,
                                               const VictimRelations& relations, bool negative,
                                               CoverIndex& showing, CoverIndex& showing_exactly) {
  Bitmap possible = showing.All();
  Bitmap certain = possible;
  for (const KnownLabel& known : labels.present) {
    const auto shows = [&](uint32_t raw) {
      return release_.Covers(known.id, known.slot, raw, known.value);
    };
    Intersect(possible, showing.Find(known.id, known.slot, known.value, 1, shows));
    // With as many vertices to choose from as there are labels, each of them finds one.
    const auto rivals = static_cast<uint32_t>(std::count_if(
        labels.present.begin(), labels.present.end(),
        [&](const KnownLabel& other) { return other.id == known.id && other.slot == known.slot; }));
    Intersect(certain, showing.Find(known.id, known.slot, known.value, rivals, shows));
  }
  for (size_t i = 0; negative && i < labels.absent.size(); ++i) {
    const KnownLabel& known = labels.absent[i];
    Remove(possible, showing_exactly.Find(known.id, known.slot, known.value, 1, [&](uint32_t raw) {
      return release_.IsExactly(known.id, known.slot, raw, known.value);
    }));
  }
  for (const KnownRelation& known : relations.present) {
    IntersectList(possible, related_->Find(known));
  }
  for (const KnownRelation& known : relations.absent) {
    RemoveList(possible, related_->FindExactly(known));
  }
  std::vector<uint32_t> shapes;
  ForEachBit(possible, [&](uint32_t shape) {
    StopPoint();
    if (HasBit(certain, shape) || ShowsTogether(shape, labels.present)) shapes.push_back(shape);
  });
  return shapes;
}

Result<AttackResult> Adversary::KnowingLabels(const std::vector<RecordId>& victims, size_t count,
                                              size_t relation_count, bool negative, uint64_t seed,
                                              Progress& progress) {
  if (relation_count > 0 && !related_) related_.emplace(schema_, release_);
  std::vector<RecordId> examples;
  for (size_t shape = 0; shape < release_.shapes().size(); ++shape) {
    examples.push_back(release_.Example(shape));
  }
  CoverIndex showing(schema_, release_.forest(), release_.raw(), examples);
  CoverIndex showing_exactly(schema_, release_.forest(), release_.raw(), examples);
  Tally tally;
  for (const RecordId victim : victims) {
    if (progress.cancelled()) return Interrupted();
    const VictimLabels labels = DrawLabels(original_, victim, count, seed);
    VictimRelations relations;
    if (relation_count > 0) {
      relations =
          DrawRelations(original_, victim, labels.present, relation_count, negative, false, seed);
    }
    const std::vector<uint32_t> shapes =
        ShapesShowing(labels, relations, negative, showing, showing_exactly);
    tally.Add(CountRecords(shapes), 1);
    if (tally.worst_certainty() < 1) AddCertaintiesOf(labels.present, shapes, tally);
    if (has_secrets_[0]) AddCertaintyAnywhere(shapes, tally);
    progress.Advance(1);
  }
  return tally.Result();
}

std::vector<RecordId> DrawVictims(size_t records, size_t trials, uint64_t seed) {
  std::vector<RecordId> victims(records);
  std::iota(victims.begin(), victims.end(), RecordId{0});
  if (trials == 0 || trials >= records) return victims;
  Random random = Random::Seeded(seed);
  random.Shuffle(victims);
  victims.resize(trials);
  std::sort(victims.begin(), victims.end());
  return victims;
}

Status CheckOptions(const AttackOptions& options) {
  if (options.labels && *options.labels < 1) {
    return Error{
        ErrorCode::kUsage,
        "labels: the number of labels that the adversary knows must be at least 1, but is " +
            std::to_string(*options.labels),
        "give a positive number, or leave it out for an adversary who knows everything", ""};
  }
  if (options.relations && *options.relations < 0) {
    return Error{
        ErrorCode::kUsage,
        "relations: the number of relations that the adversary knows must be at least 0, but is " +
            std::to_string(*options.relations),
        "give a positive number, or leave it out", ""};
  }
  return {};
}

// Against data whose vertices may be merged and moved.
Result<AttackReport> AttackMerged(const EncodedDataset& original, const Dataset& published,
                                  const AttackOptions& options, Progress& progress) {
  const Release before = Release::FromOriginal(original);
  THICKET_ASSIGN(const Release after, Release::FromPublished(original, published, true));
  const std::vector<RecordId> victims =
      DrawVictims(original.forest().record_count(), options.trials, options.seed);
  MergedAdversary on_original(original, before);
  MergedAdversary on_published(original, after);
  AttackReport report;
  progress.Begin("attack", victims.size() * (options.negative ? 4 : 2));
  for (const bool negative : {false, true}) {
    if (negative && !options.negative) continue;
    const MergedAdversary::Knows knows = {
        static_cast<size_t>(options.labels.value_or(kDefaultLabels)),
        static_cast<size_t>(options.relations.value_or(0)), negative, options.seed};
    THICKET_ASSIGN(const AttackResult result_before, on_original.Play(victims, knows, progress));
    THICKET_ASSIGN(const AttackResult result_after, on_published.Play(victims, knows, progress));
    report.entries.push_back(
        {negative ? Knowledge::kAbsence : Knowledge::kLabels, result_before, result_after});
  }
  progress.End();
  return report;
}

}  // namespace

Result<AttackReport> Attack(const EncodedDataset& original, const Dataset& published,
                            const AttackOptions& options, Progress& progress) {
  THICKET_TRY(CheckOptions(options));
  if (options.merged) return AttackMerged(original, published, options, progress);
  Release before = Release::FromOriginal(original);
  THICKET_ASSIGN(Release after, Release::FromPublished(original, published));
  const std::vector<RecordId> victims =
      DrawVictims(original.forest().record_count(), options.trials, options.seed);

  // Victims with equal trees fare alike when everything is known.
  std::vector<uint32_t> place(before.shapes().size(), 0);
  std::vector<RecordId> targets;
  std::vector<uint32_t> weights;
  for (const RecordId victim : victims) {
    uint32_t& at = place[before.shapes().group_of[victim]];
    if (at == 0) {
      targets.push_back(victim);
      weights.push_back(0);
      at = static_cast<uint32_t>(targets.size());
    }
    ++weights[at - 1];
  }

  Adversary on_original(original, before);
  Adversary on_published(original, after);
  AttackReport report;
  const uint64_t kinds = (options.labels || options.relations ? 1 : 0) + (options.negative ? 1 : 0);
  progress.Begin("attack", 2 * targets.size() + after.shapes().size() + 2 * kinds * victims.size());
  THICKET_ASSIGN(const AttackResult all_before,
                 on_original.KnowingEverything(targets, weights, true, progress));
  THICKET_ASSIGN(const AttackResult all_after,
                 on_published.KnowingEverything(targets, weights, false, progress));
  report.entries.push_back({Knowledge::kEverything, all_before, all_after});
  const auto count = static_cast<size_t>(options.labels.value_or(kDefaultLabels));
  const auto relations = static_cast<size_t>(options.relations.value_or(0));
  for (const bool negative : {false, true}) {
    if (negative ? !options.negative : !options.labels && !options.relations) continue;
    THICKET_ASSIGN(
        const AttackResult some_before,
        on_original.KnowingLabels(victims, count, relations, negative, options.seed, progress));
    THICKET_ASSIGN(
        const AttackResult some_after,
        on_published.KnowingLabels(victims, count, relations, negative, options.seed, progress));
    report.entries.push_back(
        {negative ? Knowledge::kAbsence : Knowledge::kLabels, some_before, some_after});
  }
  progress.End();
  return report;
}

}  // namespace thicket
