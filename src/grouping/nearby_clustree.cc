#include "grouping/nearby_clustree.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "grouping/nearby_search.h"

namespace thicket {

namespace {

using Candidate = NearbySearch::Candidate;
using Look = NearbySearch::Look;

// Without passes: how many classes grow at the same time, if that is less than this part of all classes.
constexpr size_t kMostSeeds = 256;
constexpr size_t kPartOfClasses = 64;
// With passes: which part of the seeds goes on in a round, and how many at least.
constexpr size_t kPartOfSeeds = 20;
constexpr size_t kFewestSeeds = 32;

constexpr size_t kFewestBatches = 16;

// What both ways have in common.
class NearbyClustering {
 public:
  NearbyClustering(const EncodedDataset& data, const NearbyClusTreeOptions& options,
                   Parallel& parallel, Progress& progress)
      : options_(options),
        model_(data, options.rule),
        parallel_(parallel),
        progress_(progress),
        search_(model_,
                {.class_size = options.class_size,
                 .merge = options.merge,
                 .proposals = options.proposals,
                 .comparisons = options.comparisons,
                 .remembered = options.remembered,
                 .exhaustive = options.exhaustive},
                parallel.threads()),
        taken_(data.forest().record_count(), false) {}

 protected:
  size_t ClassSize() const { return static_cast<size_t>(options_.class_size); }

  void Start() {
    progress_.Begin("anonymize", taken_.size());
    left_over_ = search_.Start();
    // Of whom nothing may be shown, nobody can take in anything.
    for (const RecordId record : left_over_) taken_[record] = true;
  }

  void Take(RecordId record) {
    taken_[record] = true;
    search_.Remove(record);
  }

  // All of them, as many on one thread as are best taken at once. Of few looks one may take as long as all others: the last ones, which
  // are the heaviest, begin.
  void FindAll(const std::vector<Look*>& looks) {
    const size_t together =
        std::clamp<size_t>(looks.size() / kFewestBatches, 1, NearbySearch::kTogether);
    const size_t batches = (looks.size() + together - 1) / together;
    parallel_.For(batches, 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const size_t from = (batches - 1 - i) * together;
        const size_t count = std::min(together, looks.size() - from);
        search_.Find(worker, std::span(looks).subspan(from, count));
      }
    });
  }

  bool IsComplete(const Representative& tree) const { return tree.member_count() >= ClassSize(); }

  void Close(const Representative& tree) {
    const std::vector<RecordId>& members = tree.records();
    progress_.Advance(members.size());
    if (IsComplete(tree) && tree.size() > 0) {
      tree.Publish(result_.published);
    } else {
      left_over_.insert(left_over_.end(), members.begin(), members.end());
    }
  }

  Grouping Finish() {
    progress_.End();
    result_.search = search_.statistics();
    std::sort(left_over_.begin(), left_over_.end());
    result_.published.Suppress(std::move(left_over_));
    return std::move(result_);
  }

  const NearbyClusTreeOptions& options_;
  TreeModel model_;
  Parallel& parallel_;
  Progress& progress_;
  NearbySearch search_;
  std::vector<bool> taken_;  // by record
  std::vector<RecordId> left_over_;
  Grouping result_;
};

// CToff.
class AsTheyCome : private NearbyClustering {
 public:
  using NearbyClustering::NearbyClustering;

  Result<Grouping> Run() {
    Start();
    const size_t classes = taken_.size() / ClassSize();
    const size_t at_once = std::clamp<size_t>(classes / kPartOfClasses, 1, kMostSeeds);
    for (RecordId next = 0; next < taken_.size();) {
      if (progress_.cancelled()) return Interrupted();
      growing_.clear();
      for (; next < taken_.size() && growing_.size() < at_once; ++next) {
        if (taken_[next]) continue;
        Take(next);
        growing_.push_back({Representative::Of(model_, next, options_.class_size), {}});
      }
      Grow();
      for (const Look& group : growing_) Close(group.tree);
      search_.CloseGaps();
    }
    return Finish();
  }

 private:
  // Until every class is complete, or finds nobody.
  void Grow() {
    std::vector<Look*> open;
    for (Look& group : growing_) open.push_back(&group);
    while (!open.empty()) {
      FindAll(open);
      std::vector<Look*> still_open;
      std::vector<std::pair<Look*, RecordId>> joined;
      for (Look* group : open) {
        const bool found_any = !group->candidates.empty();
        while (!group->candidates.empty() && taken_[group->candidates.back().record]) {
          group->candidates.pop_back();
        }
        if (group->candidates.empty()) {
          // Others were quicker: the class looks again.
          if (found_any) still_open.push_back(group);
          continue;
        }
        joined.emplace_back(group, group->candidates.back().record);
        Take(joined.back().second);
      }
      parallel_.For(joined.size(), 4, [&](size_t worker, size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
          search_.Absorb(worker, joined[i].second, joined[i].first->tree);
        }
      });
      for (const auto& [group, record] : joined) {
        if (!IsComplete(group->tree)) still_open.push_back(group);
      }
      std::sort(still_open.begin(), still_open.end());
      open = std::move(still_open);
    }
  }

  std::vector<Look> growing_;
};

// What classes of each size cost, and what the same classes cost with one record more.
class CostGrowth {
 public:
  explicit CostGrowth(size_t class_size) : with_(class_size + 1), without_(class_size + 1) {}

  // A class of `size` costs so much, and cost so much without its last record.
  void Add(size_t size, Units with, Units without) {
    with_[size] += static_cast<double>(with);
    without_[size] += static_cast<double>(without);
  }
  // What a class of `size` that costs so much will cost when complete, about. One record costs nothing, as does none.
  Units Foretell(size_t size, Units cost) const {
    auto foretold = static_cast<double>(cost);
    for (size_t next = std::max<size_t>(size, 1) + 1; next < with_.size(); ++next) {
      foretold *= without_[next] > 0 ? with_[next] / without_[next]
                                     : static_cast<double>(next) / static_cast<double>(next - 1);
    }
    constexpr auto kMost = static_cast<double>(std::numeric_limits<Units>::max()) / 2;
    return static_cast<Units>(std::min(foretold, kMost));
  }

 private:
  std::vector<double> with_;
  std::vector<double> without_;
};

class CheapestFirst : private NearbyClustering {
 public:
  CheapestFirst(const EncodedDataset& data, const NearbyClusTreeOptions& options,
                Parallel& parallel, Progress& progress)
      : NearbyClustering(data, options, parallel, progress),
        attempts_(taken_.size()),
        growth_(ClassSize()) {}

  Result<Grouping> Run() {
    Start();
    std::vector<RecordId> open;
    for (RecordId record = 0; record < taken_.size(); ++record) {
      if (!taken_[record]) open.push_back(record);
    }
    while (true) {
      if (progress_.cancelled()) return Interrupted();
      const std::vector<RecordId> front = Front(open);
      if (front.empty()) break;
      AcceptComplete(front);
      LookOn(front);
      std::erase_if(open, [&](RecordId seed) { return taken_[seed]; });
      search_.CloseGaps();
    }
    progress_.Advance(open.size());
    left_over_.insert(left_over_.end(), open.begin(), open.end());
    return Finish();
  }

 private:
  // Whom a seed would take in, one after the other.
  struct Attempt {
    std::vector<std::vector<Candidate>> steps;  // the best few of each look, best last
    // A class of so many records costs so much at least, with what is left; nobody has looked before the first step.
    size_t known_size = 0;
    Units known_cost = 0;
    bool hopeless = false;  // there is nobody to take in
  };

  // Forgets who is taken; what comes after a record that is taken must be looked for again.
  void Trim(Attempt& attempt) const {
    for (size_t i = 0; i < attempt.steps.size(); ++i) {
      std::vector<Candidate>& candidates = attempt.steps[i];
      if (!taken_[candidates.back().record]) continue;
      attempt.known_size = i + 2;
      while (!candidates.empty() && taken_[candidates.back().record]) {
        attempt.known_cost = candidates.back().cost;
        candidates.pop_back();
      }
      if (!candidates.empty()) attempt.known_cost = candidates.back().cost;
      attempt.steps.resize(candidates.empty() ? i : i + 1);
      return;
    }
  }

  // The seeds that go on, the cheapest first.
  std::vector<RecordId> Front(const std::vector<RecordId>& open) {
    std::vector<Candidate> seeds;
    size_t new_ones = 0;
    for (const RecordId seed : open) {
      Attempt& attempt = attempts_[seed];
      if (attempt.hopeless) continue;
      Trim(attempt);
      if (attempt.known_size == 0) ++new_ones;
      seeds.push_back({growth_.Foretell(attempt.known_size, attempt.known_cost), seed});
    }
    const size_t most = std::max({seeds.size() / kPartOfSeeds, kFewestSeeds, new_ones});
    if (seeds.size() > most) {
      std::nth_element(seeds.begin(), seeds.begin() + static_cast<std::ptrdiff_t>(most),
                       seeds.end());
      seeds.resize(most);
    }
    std::sort(seeds.begin(), seeds.end());
    std::vector<RecordId> front;
    for (const Candidate& seed : seeds) front.push_back(seed.record);
    return front;
  }

  void AcceptComplete(const std::vector<RecordId>& front) {
    std::vector<RecordId> accepted;
    for (const RecordId seed : front) {
      const Attempt& attempt = attempts_[seed];
      if (attempt.steps.size() + 1 < ClassSize() || taken_[seed]) continue;
      const auto is_free = [&](const auto& step) { return !taken_[step.back().record]; };
      if (!std::all_of(attempt.steps.begin(), attempt.steps.end(), is_free)) continue;
      Take(seed);
      for (const auto& step : attempt.steps) Take(step.back().record);
      accepted.push_back(seed);
    }
    std::vector<Representative> trees(accepted.size());
    parallel_.For(accepted.size(), 4, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) trees[i] = Build(worker, accepted[i]);
    });
    for (const Representative& tree : trees) {
      Close(tree);
      for (const RecordId record : tree.records()) attempts_[record] = {};
    }
  }

  // The class of the seed, as far as it knows whom to take in.
  Representative Build(size_t worker, RecordId seed) {
    Representative tree = Representative::Of(model_, seed, options_.class_size);
    for (const auto& step : attempts_[seed].steps) {
      search_.Absorb(worker, step.back().record, tree);
    }
    return tree;
  }

  // Classes that are not complete look for their next record.
  void LookOn(const std::vector<RecordId>& front) {
    std::vector<RecordId> seeds;
    for (const RecordId seed : front) {
      if (taken_[seed]) continue;
      Trim(attempts_[seed]);
      if (attempts_[seed].steps.size() + 1 < ClassSize()) seeds.push_back(seed);
    }
    // Those of one size and of about the same weight look together: their candidates are much the same.
    std::sort(seeds.begin(), seeds.end(), [&](RecordId a, RecordId b) {
      const size_t steps_a = attempts_[a].steps.size();
      const size_t steps_b = attempts_[b].steps.size();
      if (steps_a != steps_b) return steps_a < steps_b;
      const Units weight_a = model_.record_weight(a);
      const Units weight_b = model_.record_weight(b);
      return weight_a != weight_b ? weight_a < weight_b : a < b;
    });
    // Not all at once: trees take much more memory than what is known of seeds.
    for (size_t begin = 0; begin < seeds.size(); begin += kLooksAtOnce) {
      const size_t count = std::min(kLooksAtOnce, seeds.size() - begin);
      LookForNext(std::span(seeds).subspan(begin, count));
    }
  }

  void LookForNext(std::span<const RecordId> seeds) {
    std::vector<Look> looks(seeds.size());
    parallel_.For(seeds.size(), 4, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) looks[i].tree = Build(worker, seeds[i]);
    });
    std::vector<Look*> all;
    for (Look& look : looks) all.push_back(&look);
    FindAll(all);
    for (size_t i = 0; i < seeds.size(); ++i) {
      Attempt& attempt = attempts_[seeds[i]];
      if (looks[i].candidates.empty()) {
        attempt = {};
        attempt.hopeless = true;
        continue;
      }
      attempt.known_size = attempt.steps.size() + 2;
      attempt.known_cost = looks[i].candidates.back().cost;
      if (!attempt.steps.empty()) {
        growth_.Add(attempt.known_size, attempt.known_cost, attempt.steps.back().back().cost);
      }
      attempt.steps.push_back(std::move(looks[i].candidates));
    }
  }

  static constexpr size_t kLooksAtOnce = 4096;

  std::vector<Attempt> attempts_;  // by seed
  CostGrowth growth_;
};

}  // namespace

Result<Grouping> NearbyClusTree(const EncodedDataset& data, const NearbyClusTreeOptions& options,
                                Parallel& parallel, Progress& progress) {
  if (options.passes) return CheapestFirst(data, options, parallel, progress).Run();
  return AsTheyCome(data, options, parallel, progress).Run();
}

}  // namespace thicket
