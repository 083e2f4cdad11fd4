#include "grouping/refine.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/stop.h"
#include "grouping/neighbourhoods.h"
#include "grouping/part_refiner.h"

namespace thicket {

namespace {

// Over how many rounds the loss must fall by which part to go on.
constexpr size_t kPatience = 20;
constexpr Units kLeastGain = 3000;
// In which rounds classes are dissolved.
constexpr int kDissolveEvery = 8;
// In which rounds new classes are gathered.
constexpr int kGatherEvery = 2;

class Refinement {
 public:
  Refinement(const EncodedDataset& data, const Publication& published, const RefineOptions& options,
             Parallel& parallel, Progress& progress)
      : options_(options),
        model_(data, options.rule),
        parallel_(parallel),
        progress_(progress),
        columns_(model_, kOpenSize),
        suppressed_(published.suppressed()) {
    // More than a year is for ever, and would not fit the clock.
    if (options.limit_s && *options.limit_s < 3e7) {
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(*options.limit_s));
    }
    for (const PublishedTree group : published.trees()) {
      StopPoint();
      classes_.emplace_back(Representative::From(model_, group));
    }
    for (size_t i = 0; i < parallel.threads(); ++i) {
      refiners_.push_back(
          std::make_unique<PartRefiner>(model_, PartRefinerOptions{.class_size = options.class_size,
                                                                   .mapping = options.merge.mapping,
                                                                   .chances = options.chances}));
    }
  }

  Result<Publication> Run() {
    progress_.Begin("refine", static_cast<uint64_t>(options_.rounds));
    std::vector<Units> losses = {Loss()};
    for (int round = 0; round < options_.rounds && !Stopped(); ++round) {
      Round(round);
      progress_.Advance(1);
      losses.push_back(Loss());
      const Units before = losses[losses.size() - std::min(losses.size(), kPatience + 1)];
      if (losses.size() > kPatience && before - losses.back() <= before / kLeastGain) break;
    }
    if (options_.pair_again) PairAgain();
    if (progress_.cancelled()) return Interrupted();
    progress_.End();
    return Finish();
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool Stopped() const {
    return progress_.cancelled() || (deadline_ && Clock::now() >= *deadline_);
  }

  Units Loss() const {
    Units loss = 0;
    for (const RefinedClass& group : classes_) loss += group.tree().cost();
    for (const RecordId record : suppressed_) loss += model_.record_weight(record);
    return loss;
  }

  struct Part {
    std::vector<RefinedClass> classes;
    std::vector<RecordId> suppressed;
  };

  // Parts are improved by themselves, each on one thread, and are others in every round.
  void Round(int round) {
    std::vector<Part> parts = MakeParts(round);
    parallel_.For(parts.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        if (Stopped()) return;
        Random random = Random::Seeded(static_cast<uint64_t>(round) * parts.size() + i);
        Improve(*refiners_[worker], parts[i], round, random);
      }
    });
    classes_.clear();
    suppressed_.clear();
    for (Part& part : parts) {
      std::move(part.classes.begin(), part.classes.end(), std::back_inserter(classes_));
      suppressed_.insert(suppressed_.end(), part.suppressed.begin(), part.suppressed.end());
    }
    std::sort(suppressed_.begin(), suppressed_.end());
    if (!options_.forgetful) return;
    for (RefinedClass& group : classes_) group.Forget();
  }

  static void Improve(PartRefiner& refiner, Part& part, int round, Random& random) {
    refiner.Split(part.classes);
    refiner.Redivide(part.classes, random);
    if (round % kGatherEvery == kGatherEvery / 2) refiner.Gather(part.classes, random);
    refiner.Move(part.classes, part.suppressed, random);
    refiner.Exchange(part.classes, part.suppressed, random);
    if (round % kDissolveEvery == kDissolveEvery / 2 - 1) refiner.Dissolve(part.classes);
  }

  std::vector<Part> MakeParts(int round) {
    columns_.Clear();
    for (const RefinedClass& group : classes_) columns_.Add(group.tree());
    for (const RecordId record : suppressed_) {
      columns_.Add(Representative::Of(model_, record, kOpenSize));
    }
    const auto visit_tree = [&](Place place,
                                const std::function<void(const Representative&)>& visit) {
      Representative open =
          place < classes_.size()
              ? classes_[place].tree()
              : Representative::Of(model_, suppressed_[place - classes_.size()], kOpenSize);
      open.SetClassSize(model_, kOpenSize);
      visit(open);
    };
    std::vector<Part> parts;
    for (const std::vector<Place>& members :
         Neighbourhoods(columns_, visit_tree,
                        {.size = options_.part_size, .seed = static_cast<uint64_t>(round) + 1})) {
      Part& part = parts.emplace_back();
      for (const Place place : members) {
        if (place < classes_.size()) {
          part.classes.push_back(std::move(classes_[place]));
        } else {
          part.suppressed.push_back(suppressed_[place - classes_.size()]);
        }
      }
    }
    return parts;
  }

  void PairAgain() {
    parallel_.For(classes_.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end && !Stopped(); ++i) refiners_[worker]->PairAgain(classes_[i]);
    });
  }

  Publication Finish() const {
    Publication result;
    for (const RefinedClass& group : classes_) group.tree().Publish(result);
    result.Suppress(suppressed_);
    return result;
  }

  const RefineOptions& options_;
  TreeModel model_;
  Parallel& parallel_;
  Progress& progress_;
  ClassColumns columns_;
  std::vector<std::unique_ptr<PartRefiner>> refiners_;  // by worker
  std::vector<RefinedClass> classes_;
  std::vector<RecordId> suppressed_;
  std::optional<Clock::time_point> deadline_;
};

}  // namespace

Result<Grouping> Refine(const EncodedDataset& data, Grouping grouping, const RefineOptions& options,
                        Parallel& parallel, Progress& progress) {
  THICKET_ASSIGN(grouping.published,
                 Refinement(data, grouping.published, options, parallel, progress).Run());
  return grouping;
}

}  // namespace thicket
