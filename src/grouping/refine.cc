#include "grouping/refine.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/stop.h"
#include "grouping/refine_exchange.h"

namespace thicket {

namespace {

// How many classes exchange records with each other at a time.
constexpr size_t kBlock = 512;
// How many classes a record is offered to when it moves.
constexpr size_t kOffers = 16;
// How many rounds there are at most, and over how many the loss must fall by a thousandth to go on.
constexpr int kMostRounds = 200;
constexpr size_t kPatience = 20;

class Refinement {
 public:
  Refinement(const EncodedDataset& data, const Publication& published, const RefineOptions& options,
             Parallel& parallel, Progress& progress)
      : options_(options),
        model_(data, options.rule),
        parallel_(parallel),
        progress_(progress),
        pool_(model_),
        bound_(model_),
        child_bound_(model_),
        merger_(model_, {.mapping = options.merge.mapping, .cost = MergeCost::kWeighted}),
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
      searches_.emplace_back(model_, options.merge, pool_, child_bound_);
      exchanges_.emplace_back(model_, options.merge);
    }
  }

  Result<Publication> Run() {
    progress_.Begin("refine", kMostRounds);
    std::vector<Units> losses = {Loss()};
    for (int round = 0; round < kMostRounds && !Stopped(); ++round) {
      SplitClasses();
      MoveRecords();
      ExchangeRecords();
      progress_.Advance(1);
      losses.push_back(Loss());
      const Units before = losses[losses.size() - std::min(losses.size(), kPatience + 1)];
      if (losses.size() > kPatience && before - losses.back() <= before / 1000) break;
    }
    PairAgain();
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

  size_t LeastSize() const { return static_cast<size_t>(options_.class_size); }

  // A class that is large enough for two is taken apart: the least that a class needs, nearest first, around its first
  // record, and the rest.
  void SplitClasses() {
    for (size_t i = 0; i < classes_.size() && !Stopped(); ++i) {
      if (classes_[i].tree().member_count() < 2 * LeastSize()) continue;
      std::vector<RecordId> left = classes_[i].tree().records();
      std::optional<Representative> near = GrowFrom(left);
      if (!near) continue;
      std::optional<Representative> far =
          BuildClass(model_, merger_, left, static_cast<int>(left.size()));
      if (!far || near->cost() + far->cost() >= classes_[i].tree().cost()) continue;
      classes_[i].Replace(std::move(*near));
      classes_.emplace_back(std::move(*far));
    }
  }

  // A class of the least size, taken out of `left`.
  std::optional<Representative> GrowFrom(std::vector<RecordId>& left) {
    Representative near = Representative::Of(model_, left.front(), options_.class_size);
    left.erase(left.begin());
    while (near.member_count() < LeastSize()) {
      std::pair<Units, size_t> best = {CandidatePool::kGone, 0};
      for (size_t i = 0; i < left.size(); ++i) {
        const Units similarity = merger_.Similarity(near, left[i], 0);
        if (similarity <= 0) continue;
        const CostLine line =
            CostLine::Of(MergeCost::kWeighted, near, model_.record_weight(left[i]));
        best = std::min(best, {line.At(similarity), i});
      }
      if (best.first == CandidatePool::kGone) return std::nullopt;
      const RecordId record = left[best.second];
      merger_.Pair(near, record, pairs_);
      near = near.Absorb(model_, record, pairs_, options_.class_size);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(best.second));
    }
    return near;
  }

  // Suppressed records, and one record of each class that can spare one, go where they cost least.
  void MoveRecords() {
    FindClasses();
    for (size_t i = 0; i < suppressed_.size() && !Stopped();) {
      const RecordId record = suppressed_[i];
      const bool placed = Place(record, kNoClass, model_.record_weight(record));
      if (placed) suppressed_.erase(suppressed_.begin() + static_cast<std::ptrdiff_t>(i));
      if (!placed) ++i;
    }
    for (size_t i = 0; i < classes_.size() && !Stopped(); ++i) {
      if (classes_[i].tree().member_count() <= LeastSize()) continue;
      std::vector<RecordId> rest = classes_[i].tree().records();
      const size_t leaving = random_.Below(rest.size());
      const RecordId record = rest[leaving];
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(leaving));
      std::optional<Representative> without =
          BuildClass(model_, merger_, rest, static_cast<int>(rest.size()));
      const Units cost = classes_[i].tree().cost();
      if (!without || without->cost() >= cost) continue;
      if (Place(record, i, cost - without->cost())) classes_[i].Replace(std::move(*without));
    }
  }

  void FindClasses() {
    class_of_.assign(model_.forest().record_count(), kNoClass);
    for (size_t i = 0; i < classes_.size(); ++i) {
      for (const RecordId record : classes_[i].tree().records()) class_of_[record] = i;
    }
  }

  // Adds the record to the class whose cost then rises least, if that is less than `most`.
  bool Place(RecordId record, size_t except, Units most) {
    Nearest(Representative::Of(model_, record, kOpenSize), kOffers);
    size_t best = kNoClass;
    for (const size_t i : nearest_) {
      if (i == except) continue;
      const Representative& group = classes_[i].tree();
      classes_[i].SetClassSize(model_, static_cast<int>(group.member_count()) + 1);
      const CostLine line = CostLine::Of(MergeCost::kWeighted, group, model_.record_weight(record));
      const Units need = std::max<Units>(1, line.Need(group.cost() + most - 1));
      const Units similarity = merger_.Similarity(group, record, need);
      if (similarity < need) continue;
      Representative grown = Joined(group, record);
      if (grown.size() == 0 || grown.cost() - group.cost() >= most) continue;
      most = grown.cost() - group.cost();
      best = i;
    }
    if (best == kNoClass) return false;
    classes_[best].Replace(Joined(classes_[best].tree(), record));
    class_of_[record] = best;
    return true;
  }

  // What the class needs of diversity can be less in a larger class, but never more: its own records stay as they are.
  Representative Joined(const Representative& group, RecordId record) {
    merger_.Pair(group, record, pairs_);
    return group.Absorb(model_, record, pairs_, static_cast<int>(group.member_count()) + 1);
  }

  // Fills nearest_ with the classes of the records that may be most similar, best first. Sensitive values do not count.
  void Nearest(const Representative& group, size_t count) {
    bound_.Load(group, pool_);
    bounds_.resize(pool_.places());
    bound_.Bound(pool_, 0, pool_.places(), bounds_.data());
    chances_.clear();
    best_chance_.assign(classes_.size(), CandidatePool::kGone);
    for (RecordId record = 0; record < class_of_.size(); ++record) {
      if (class_of_[record] == kNoClass) continue;
      const CostLine line = CostLine::Of(MergeCost::kWeighted, group, model_.record_weight(record));
      Units& least = best_chance_[class_of_[record]];
      least = std::min(least, line.At(bounds_[record]));
    }
    for (size_t i = 0; i < classes_.size(); ++i) {
      if (best_chance_[i] < CandidatePool::kGone) chances_.emplace_back(best_chance_[i], i);
    }
    const size_t kept = std::min(count, chances_.size());
    std::partial_sort(chances_.begin(), chances_.begin() + static_cast<std::ptrdiff_t>(kept),
                      chances_.end());
    nearest_.clear();
    for (size_t i = 0; i < kept; ++i) nearest_.push_back(chances_[i].second);
  }

  void PairAgain() {
    parallel_.For(classes_.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end && !Stopped(); ++i) exchanges_[worker].PairAgain(classes_[i]);
    });
  }

  struct Block {
    std::vector<RefinedClass*> classes;
    std::vector<size_t> leaving;
    std::vector<RecordId> spare;
  };

  // Blocks of classes that are near each other, each on a thread of its own.
  void ExchangeRecords() {
    if (Stopped()) return;
    std::vector<Block> blocks = MakeBlocks();
    FillHoles(blocks);
    if (Stopped()) return;
    parallel_.For(blocks.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        exchanges_[worker].Run(blocks[i].classes, blocks[i].leaving, blocks[i].spare);
      }
    });
    if (options_.forgetful) {
      for (RefinedClass& group : classes_) group.ForgetHoles();
    }
    suppressed_.clear();
    for (const Block& block : blocks) {
      suppressed_.insert(suppressed_.end(), block.spare.begin(), block.spare.end());
    }
    std::sort(suppressed_.begin(), suppressed_.end());
  }

  // A hole is only compared with the records that leave in the same block.
  void FillHoles(const std::vector<Block>& blocks) {
    struct Hole {
      RefinedClass* group;
      size_t leaving;
      size_t block;
    };
    std::vector<Hole> holes;
    std::vector<size_t> block_of(model_.forest().record_count(), kNoClass);
    for (size_t b = 0; b < blocks.size(); ++b) {
      const Block& block = blocks[b];
      for (size_t i = 0; i < block.classes.size(); ++i) {
        holes.push_back({block.classes[i], block.leaving[i], b});
        block_of[block.classes[i]->tree().records()[block.leaving[i]]] = b;
      }
      for (const RecordId record : block.spare) block_of[record] = b;
    }
    parallel_.For(holes.size(), 4, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end && !Stopped(); ++i) {
        searches_[worker].Fill(*holes[i].group, holes[i].leaving,
                               [&](RecordId record) { return block_of[record] == holes[i].block; });
      }
    });
  }

  std::vector<Block> MakeBlocks() {
    FindClasses();
    std::vector<size_t> order(classes_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    random_.Shuffle(order);
    std::vector<Block> blocks;
    for (const size_t first : order) {
      StopPoint();
      if (class_of_[classes_[first].tree().records().front()] == kNoClass) continue;
      Representative open = classes_[first].tree();
      open.SetClassSize(model_, kOpenSize);
      Nearest(open, kBlock);
      Block& block = blocks.emplace_back();
      for (const size_t i : nearest_) {
        const std::vector<RecordId>& records = classes_[i].tree().records();
        block.classes.push_back(&classes_[i]);
        block.leaving.push_back(random_.Below(records.size()));
        for (const RecordId record : records) class_of_[record] = kNoClass;
      }
    }
    if (blocks.empty()) blocks.emplace_back();
    for (size_t i = 0; i < suppressed_.size(); ++i) {
      blocks[i % blocks.size()].spare.push_back(suppressed_[i]);
    }
    return blocks;
  }

  Publication Finish() const {
    Publication result;
    for (const RefinedClass& group : classes_) group.tree().Publish(result);
    result.Suppress(suppressed_);
    return result;
  }

  static constexpr size_t kNoClass = ~size_t{0};
  // Of a class so large that no sensitive value is full.
  static constexpr int kOpenSize = 1 << 30;

  const RefineOptions& options_;
  TreeModel model_;
  Parallel& parallel_;
  Progress& progress_;
  CandidatePool pool_;  // all records, so that a place is a record
  SimilarityBound bound_;
  ChildBound child_bound_;
  Merger merger_;
  std::vector<HoleSearch> searches_;  // by worker
  std::vector<Exchange> exchanges_;   // by worker
  std::vector<RefinedClass> classes_;
  std::vector<RecordId> suppressed_;
  std::optional<Clock::time_point> deadline_;
  Random random_ = Random::Seeded(0);

  std::vector<size_t> class_of_;  // by record
  std::vector<size_t> nearest_;
  std::vector<Units> bounds_;
  std::vector<Units> best_chance_;  // by class
  std::vector<std::pair<Units, size_t>> chances_;
  std::vector<VertexPair> pairs_;
};

}  // namespace

Result<Grouping> Refine(const EncodedDataset& data, Grouping grouping, const RefineOptions& options,
                        Parallel& parallel, Progress& progress) {
  THICKET_ASSIGN(grouping.published,
                 Refinement(data, grouping.published, options, parallel, progress).Run());
  return grouping;
}

}  // namespace thicket
