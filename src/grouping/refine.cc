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
constexpr int kFewRounds = 8;
// So few parts of trees are improved one after the other, each on all threads.
constexpr size_t kFewParts = 16;
// What a class is content to lose in the first warm round, in 65,536ths: two hundredths.
constexpr Units kWarmth = 1'311;

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
    if (options.chances > 0) child_bound_.emplace(model_);
    if (IsOnePart()) ListEverybody();
    for (size_t i = 0; i < parallel.threads(); ++i) {
      refiners_.push_back(std::make_unique<PartRefiner>(
          model_, PartRefinerOptions{.class_size = options.class_size,
                                     .mapping = options.merge.mapping,
                                     .chances = options.chances,
                                     .child_bound = child_bound_ ? &*child_bound_ : nullptr,
                                     .everybody = everybody_ ? &*everybody_ : nullptr}));
    }
  }

  Result<Publication> Run() {
    progress_.Begin("refine", static_cast<uint64_t>(options_.rounds));
    for (int round = 0; round < WarmRounds() && round < options_.rounds && !Stopped(); ++round) {
      RememberBest();
      Round(round, kWarmth * (WarmRounds() - round) / WarmRounds());
      progress_.Advance(1);
    }
    std::vector<Units> losses = {Loss()};
    for (int round = WarmRounds(); round < options_.rounds && !Stopped(); ++round) {
      Round(round, 0);
      progress_.Advance(1);
      losses.push_back(Loss());
      const Units before = losses[losses.size() - std::min(losses.size(), kPatience + 1)];
      if (losses.size() > kPatience && before - losses.back() <= before / kLeastGain) break;
    }
    if (best_ && best_->loss < Loss()) {
      classes_ = std::move(best_->classes);
      suppressed_ = std::move(best_->suppressed);
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

  // Of single vertices parts of one size are as good, and several of them keep all threads busy. In a few rounds it does not pay to
  // hold everybody against a hole.
  bool IsOnePart() const {
    return !columns_.exact() && options_.rounds > kFewRounds &&
           model_.forest().record_count() <= options_.one_part;
  }

  void ListEverybody() {
    everybody_.emplace(model_, kOpenSize);
    for (RecordId record = 0; record < model_.forest().record_count(); ++record) {
      StopPoint();
      everybody_->Add(Representative::Of(model_, record, kOpenSize));
    }
  }

  // Classes of two are found by exchanges alone.
  int WarmRounds() const {
    return everybody_ && options_.class_size > 2 ? options_.warm_rounds : 0;
  }

  Units Loss() const {
    Units loss = 0;
    for (const RefinedClass& group : classes_) loss += group.tree().cost();
    for (const RecordId record : suppressed_) loss += model_.record_weight(record);
    return loss;
  }

  // While it is warm the loss may rise.
  void RememberBest() {
    const Units loss = Loss();
    if (best_ && best_->loss <= loss) return;
    best_ = {loss, {}, suppressed_};
    for (const RefinedClass& group : classes_) best_->classes.emplace_back(group.tree());
  }

  struct Best {
    Units loss;
    std::vector<RefinedClass> classes;
    std::vector<RecordId> suppressed;
  };
  struct Part {
    std::vector<RefinedClass> classes;
    std::vector<RecordId> suppressed;
  };

  // Parts are improved by themselves, each on one thread if there are many, and are others in every round.
  void Round(int round, Units warmth) {
    std::vector<Part> parts = MakeParts(round);
    const auto improve = [&](size_t worker, size_t i, Parallel& parallel) {
      if (Stopped()) return;
      Random random = Random::Seeded(static_cast<uint64_t>(round) * parts.size() + i);
      Improve(*refiners_[worker], parts[i], {round, warmth, random, parallel});
    };
    // Large trees are near large trees: of few parts one takes most of the time.
    if (!columns_.exact() && parts.size() <= kFewParts) {
      for (size_t i = 0; i < parts.size(); ++i) improve(0, i, parallel_);
    } else {
      parallel_.For(parts.size(), 1, [&](size_t worker, size_t begin, size_t end) {
        Parallel one(1);
        for (size_t i = begin; i < end; ++i) improve(worker, i, one);
      });
    }
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

  struct Turn {
    int round;
    Units warmth;
    Random& random;
    Parallel& parallel;
  };

  static void Improve(PartRefiner& refiner, Part& part, const Turn& turn) {
    refiner.Split(part.classes);
    refiner.Redivide(part.classes, turn.random);
    if (turn.round % kGatherEvery == kGatherEvery / 2) refiner.Gather(part.classes, turn.random);
    refiner.Move(part.classes, part.suppressed, turn.random);
    refiner.Exchange(part.classes, part.suppressed, turn.random, turn.parallel, turn.warmth);
    if (turn.round % kDissolveEvery == kDissolveEvery / 2 - 1) refiner.Dissolve(part.classes);
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
    const size_t size = everybody_ ? columns_.places() : options_.part_size;
    std::vector<Part> parts;
    for (const std::vector<Place>& members : Neighbourhoods(
             columns_, visit_tree, {.size = size, .seed = static_cast<uint64_t>(round) + 1})) {
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
  std::optional<ChildBound> child_bound_;               // if anything is exchanged
  std::optional<ClassColumns> everybody_;               // if the whole is one part
  std::vector<std::unique_ptr<PartRefiner>> refiners_;  // by worker
  std::vector<RefinedClass> classes_;
  std::vector<RecordId> suppressed_;
  std::optional<Best> best_;
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
