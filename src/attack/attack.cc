#include "attack/attack.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "attack/bucket_counts.h"
#include "attack/certainty_bound.h"
#include "attack/cover_index.h"
#include "attack/known_labels.h"
#include "attack/merged_adversary.h"
#include "attack/place_certainty.h"
#include "attack/relation_index.h"
#include "attack/release.h"
#include "attack/secret_counts.h"
#include "attack/shape_sizes.h"
#include "attack/tally.h"
#include "base/random.h"
#include "base/stop.h"

namespace thicket {

namespace {

// How many bits the candidates of victims take that are asked about together.
constexpr size_t kFoundBits = size_t{1} << 29;

// Plays against one release.
class Adversary {
 public:
  Adversary(const EncodedDataset& original, Release& release)
      : original_(original),
        schema_(original.schema()),
        release_(release),
        sizes_(release.shapes()),
        bucket_counts_(original.schema(), release),
        secret_counts_(original.schema(), release),
        bound_(original.schema(), release, secret_counts_),
        at_places_(original, release, bound_) {}

  // `targets` have different trees; weights[i] victims have that of targets[i].
  Result<AttackResult> KnowingEverything(const std::vector<RecordId>& targets,
                                         const std::vector<uint32_t>& weights, bool is_original,
                                         Progress& progress);
  Result<AttackResult> KnowingLabels(const std::vector<RecordId>& victims, size_t count,
                                     size_t relations, bool negative, uint64_t seed,
                                     Progress& progress);

 private:
  // By target: the shapes that embed into its tree.
  Result<std::vector<std::vector<uint32_t>>> EmbeddedShapes(const std::vector<RecordId>& targets,
                                                            Progress& progress);
  void Narrow(size_t shape, CoverIndex& index, Bitmap& targets);
  // The shapes that may show labels of the victim, and those among others of which it is not sure that each label has a vertex
  // of its own.
  struct Showing {
    Bitmap possible;
    Bitmap unsure;
  };
  Showing ShapesShowing(const std::vector<KnownLabel>& labels, CoverIndex& showing) const;
  // `showing_exactly` is asked only if the adversary knows what is absent.
  Bitmap Candidates(const VictimLabels& labels, const VictimRelations& relations, bool negative,
                    CoverIndex& showing, std::optional<CoverIndex>& showing_exactly);
  bool ShowsTogether(size_t shape, const std::vector<KnownLabel>& labels);
  size_t CountRecords(const std::vector<uint32_t>& shapes) const;
  void AddShare(const BucketCounts::ByShape& by_shape, ClassId id, size_t attribute,
                const std::vector<uint32_t>& shapes, Tally& tally);
  void AddCertaintyAnywhere(const std::vector<uint32_t>& shapes, Tally& tally);
  // What an adversary has found out by the labels of a victim: who it may be, and how many records these are.
  struct Found {
    std::vector<KnownLabel> labels;
    Bitmap candidates;
    size_t records = 0;
  };
  // Of all that is learned from these candidates, what may be more certain than anything so far.
  void AddCertaintiesOf(const std::vector<Found>& victims, Tally& tally, Progress& progress);
  // The same of what stands at vertices, those of roots or of a label.
  void AddShareOf(const Found& victim, const BucketCounts::ByShape& by_shape, ClassId id,
                  size_t attribute, Tally& tally);
  void AddCertaintyAnywhere(const Found& victim, Tally& tally);
  static bool MayBeMore(uint32_t count, const Found& victim, double worst);
  static std::vector<uint32_t> ShapesOf(const Found& victim) {
    std::vector<uint32_t> shapes;
    ForEachBit(victim.candidates, [&](uint32_t shape) { shapes.push_back(shape); });
    return shapes;
  }

  const EncodedDataset& original_;
  const Schema& schema_;
  Release& release_;
  ShapeSizes sizes_;
  BucketCounts bucket_counts_;
  SecretCounts secret_counts_;
  CertaintyBound bound_;
  std::optional<RelationIndex> related_;
  PlaceCertainty at_places_;
  InjectionSpace space_;
  std::vector<uint32_t> counts_;
};

size_t Adversary::CountRecords(const std::vector<uint32_t>& shapes) const {
  size_t count = 0;
  for (const uint32_t shape : shapes) count += release_.shapes().size(shape);
  return count;
}

void Adversary::AddShare(const BucketCounts::ByShape& by_shape, ClassId id, size_t attribute,
                         const std::vector<uint32_t>& shapes, Tally& tally) {
  counts_.assign(release_.bucket_count(id, attribute), 0);
  uint64_t total = 0;
  by_shape.ForEach(shapes, [&](std::span<const BucketCounts::Count> counts) {
    StopPoint();
    for (const BucketCounts::Count& count : counts) {
      if (!release_.IsSuppressed(id, attribute, count.bucket)) {
        counts_[count.bucket] += count.count;
      }
      total += count.count;
    }
  });
  if (total == 0) return;
  const uint32_t most = *std::max_element(counts_.begin(), counts_.end());
  tally.AddCertainty(static_cast<double>(most) / static_cast<double>(total));
}

void Adversary::AddCertaintyAnywhere(const std::vector<uint32_t>& shapes, Tally& tally) {
  if (shapes.empty() || tally.worst_certainty_anywhere() >= 1) return;
  tally.AddCertaintyAnywhere(static_cast<double>(secret_counts_.Most(shapes)) /
                             static_cast<double>(CountRecords(shapes)));
}

// Keeps the targets that have, for every label of the shape, at least as many vertices below it as the shape has. Of a shape with very many
// labels some are enough: who is kept is looked at exactly.
void Adversary::Narrow(size_t shape, CoverIndex& index, Bitmap& targets) {
  constexpr size_t kMostLabels = 1024;
  const Forest& forest = release_.forest();
  const RecordId record = release_.Example(shape);
  std::vector<KnownLabel> all;  // raw values of the release
  for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
    const ClassId id = forest.class_of(v);
    for (size_t slot = 0; slot < schema_.classes[id].quasi.size(); ++slot) {
      all.push_back({id, slot, release_.raw().at(v, slot)});
    }
  }
  std::sort(all.begin(), all.end());
  struct Shown {
    KnownLabel label;
    uint32_t count;
  };
  std::vector<Shown> shown;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i] != all[i - 1]) shown.push_back({all[i], 0});
    ++shown.back().count;
  }
  const size_t step = shown.size() / kMostLabels + 1;
  for (size_t i = 0; i < shown.size(); i += step) {
    StopPoint();
    const KnownLabel& label = shown[i].label;
    const Domain& domain = original_.classes[label.id].domains[label.slot];
    const Label general = release_.LabelOf(label.id, label.slot, label.value);
    uint32_t below = 0;
    for (const Shown& other : shown) {
      if (other.label.id != label.id || other.label.slot != label.slot) continue;
      if (domain.Covers(general, release_.LabelOf(label.id, label.slot, other.label.value))) {
        below += other.count;
      }
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
  for (size_t i = 0; i < targets.size(); ++i) {
    if (progress.cancelled()) return Interrupted();
    progress.Advance(1);
    tally.Add(CountRecords(shapes[i]), weights[i]);
    if (!at_places_.has_secrets() || shapes[i].empty()) continue;
    tally.AddCertaintyAnywhere(0);
    at_places_.Add(targets[i], shapes[i], tally);
    const Bitmap& surer = bound_.Anywhere(tally.worst_certainty_anywhere());
    if (std::any_of(shapes[i].begin(), shapes[i].end(),
                    [&](uint32_t shape) { return HasBit(surer, shape); })) {
      AddCertaintyAnywhere(shapes[i], tally);
    }
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

Adversary::Showing Adversary::ShapesShowing(const std::vector<KnownLabel>& labels,
                                            CoverIndex& showing) const {
  Showing shapes = {showing.All(), Bitmap()};
  shapes.unsure.assign(shapes.possible.size(), 0);
  for (size_t begin = 0; begin < labels.size();) {
    const KnownLabel& first = labels[begin];
    size_t end = begin + 1;
    while (end < labels.size() && labels[end].id == first.id && labels[end].slot == first.slot)
      ++end;
    const auto find = [&](const KnownLabel& known, size_t least) -> const Bitmap& {
      return showing.Find(
          known.id, known.slot, known.value, static_cast<uint32_t>(least),
          [&](uint32_t raw) { return release_.Covers(known.id, known.slot, raw, known.value); });
    };
    for (size_t i = begin; i < end; ++i) {
      // How often the adversary knows this value, which comes last here. No vertex of the original shows two values.
      const auto times = static_cast<size_t>(
          std::count(labels.begin() + static_cast<std::ptrdiff_t>(begin),
                     labels.begin() + static_cast<std::ptrdiff_t>(i) + 1, labels[i]));
      Intersect(shapes.possible, find(labels[i], release_.is_original() ? times : 1));
    }
    // Labels find vertices of their own, those with the fewest to choose from first, if there are more than `taken` vertices for
    // all but `taken` of them.
    for (size_t taken = 1; taken < end - begin && !release_.is_original(); ++taken) {
      std::vector<Bitmap> with_more;
      std::vector<const Bitmap*> each;
      for (size_t i = begin; i < end; ++i) with_more.push_back(find(labels[i], taken + 1));
      for (const Bitmap& one : with_more) each.push_back(&one);
      const Bitmap sure = InAtLeast(each, end - begin - taken);
      for (size_t i = 0; i < sure.size(); ++i) shapes.unsure[i] |= ~sure[i];
    }
    begin = end;
  }
  return shapes;
}

Bitmap Adversary::Candidates(const VictimLabels& labels, const VictimRelations& relations,
                             bool negative, CoverIndex& showing,
                             std::optional<CoverIndex>& showing_exactly) {
  Showing shapes = ShapesShowing(labels.present, showing);
  Bitmap& possible = shapes.possible;
  for (size_t i = 0; negative && i < labels.absent.size(); ++i) {
    const KnownLabel& known = labels.absent[i];
    Remove(possible, showing_exactly->Find(known.id, known.slot, known.value, 1, [&](uint32_t raw) {
      return release_.IsExactly(known.id, known.slot, raw, known.value);
    }));
  }
  for (const KnownRelation& known : relations.present) {
    IntersectList(possible, related_->Find(known));
  }
  for (const KnownRelation& known : relations.absent) {
    RemoveList(possible, related_->FindExactly(known));
  }
  Intersect(shapes.unsure, possible);
  ForEachBit(shapes.unsure, [&](uint32_t shape) {
    StopPoint();
    if (!ShowsTogether(shape, labels.present)) {
      possible[shape / 64] &= ~(uint64_t{1} << (shape % 64));
    }
  });
  return std::move(possible);
}

// Many candidates have no larger share of a value than all that there is of the value allows: each has a root, and shows each of
// the labels at least once.
bool Adversary::MayBeMore(uint32_t count, const Found& victim, double worst) {
  return static_cast<double>(count) / static_cast<double>(victim.records) > worst;
}

void Adversary::AddShareOf(const Found& victim, const BucketCounts::ByShape& by_shape, ClassId id,
                           size_t attribute, Tally& tally) {
  if (!MayBeMore(by_shape.most, victim, tally.worst_certainty())) return;
  AddShare(by_shape, id, attribute, ShapesOf(victim), tally);
}

void Adversary::AddCertaintyAnywhere(const Found& victim, Tally& tally) {
  tally.AddCertaintyAnywhere(0);
  const double worst = tally.worst_certainty_anywhere();
  if (!HaveCommon(victim.candidates, bound_.Anywhere(worst))) return;
  if (!MayBeMore(secret_counts_.MostOfAll(), victim, worst)) return;
  AddCertaintyAnywhere(ShapesOf(victim), tally);
}

// Label by label, since what is counted of one cannot be kept for long where there are many records.
void Adversary::AddCertaintiesOf(const std::vector<Found>& victims, Tally& tally,
                                 Progress& progress) {
  struct Ask {
    KnownLabel label;
    size_t victim;
  };
  const auto may_be_more = [&](const Found& victim) {
    return HaveCommon(victim.candidates, bound_.AtPlace(tally.worst_certainty()));
  };
  std::vector<Ask> asks;
  std::vector<size_t> asked(victims.size(), 0);
  for (size_t number = 0; number < victims.size(); ++number) {
    const Found& victim = victims[number];
    AddCertaintyAnywhere(victim, tally);
    const bool more = may_be_more(victim);
    for (size_t i = 0; more && i < schema_.root().sensitive.size(); ++i) {
      AddShareOf(victim, bucket_counts_.OfRoots(i), 0, i, tally);
    }
    for (const KnownLabel& label : victim.labels) {
      if (!more || label.id == 0) continue;
      asks.push_back({label, number});
      ++asked[number];
    }
    if (asked[number] == 0) progress.Advance(1);
  }
  std::stable_sort(asks.begin(), asks.end(),
                   [](const Ask& a, const Ask& b) { return a.label < b.label; });
  for (const auto& [label, number] : asks) {
    const Found& victim = victims[number];
    const bool more = may_be_more(victim);
    for (size_t i = 0; more && i < schema_.classes[label.id].sensitive.size(); ++i) {
      AddShareOf(victim, bucket_counts_.OfLabel(label, i), label.id, i, tally);
    }
    if (--asked[number] == 0) progress.Advance(1);
  }
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
  std::optional<CoverIndex> showing_exactly;
  if (negative) showing_exactly.emplace(schema_, release_.forest(), release_.raw(), examples);
  Tally tally;
  std::vector<Found> some;
  const size_t at_once = std::max<size_t>(1, kFoundBits / std::max<size_t>(1, examples.size()));
  for (const RecordId victim : victims) {
    if (progress.cancelled()) return Interrupted();
    VictimLabels labels = DrawLabels(original_, victim, count, seed);
    VictimRelations relations;
    if (relation_count > 0) {
      relations =
          DrawRelations(original_, victim, labels.present, relation_count, negative, false, seed);
    }
    Bitmap candidates = Candidates(labels, relations, negative, showing, showing_exactly);
    const size_t records = sizes_.Count(candidates);
    tally.Add(records, 1);
    if (!at_places_.has_secrets() || records == 0) {
      progress.Advance(1);
      continue;
    }
    some.push_back({std::move(labels.present), std::move(candidates), records});
    if (some.size() < at_once) continue;
    AddCertaintiesOf(some, tally, progress);
    some.clear();
  }
  AddCertaintiesOf(some, tally, progress);
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

size_t AffordableVictims(size_t records, bool by_labels) {
  constexpr size_t kAffordsAll = 65'536;
  constexpr uint64_t kMostPairs = uint64_t{kAffordsAll} * kAffordsAll;
  if (records <= kAffordsAll) return records;
  return std::max<uint64_t>(1, (by_labels ? kMostPairs / 2 : kMostPairs) / records);
}

Result<AttackReport> Attack(const EncodedDataset& original, const Dataset& published,
                            const AttackOptions& options, Progress& progress) {
  THICKET_TRY(CheckOptions(options));
  if (options.merged) return AttackMerged(original, published, options, progress);
  Release before = Release::FromOriginal(original);
  THICKET_ASSIGN(Release after, Release::FromPublished(original, published));
  before.PlaceByGroupsFrom(options.wide_from.value_or(Release::kWideFrom));
  after.PlaceByGroupsFrom(options.wide_from.value_or(Release::kWideFrom));
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
