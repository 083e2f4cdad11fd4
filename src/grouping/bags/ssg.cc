#include "grouping/bags/ssg.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "grouping/bags/bag_index.h"
#include "grouping/bags/leftover_bags.h"
#include "grouping/bags/nearest_bag.h"

namespace thicket {

namespace {

using Rank = BagIndex::Rank;

// Classes that are grown at once. The same on any number of threads, so that as much is compared.
constexpr size_t kAtOnce = 32;

struct Growing {
  std::vector<Rank> members;
  HyperVocabulary vocabulary;
};

// A worker's means to grow classes.
class Grower {
 public:
  Grower(const BagIndex& index, const SsgOptions& options)
      : index_(&index),
        options_(options),
        search_(index, {options.omega, options.matching, options.exhaustive}),
        matcher_(options.matching) {}

  // Grows a class whose members so far stay, until it has k.
  void Grow(Growing& growing) {
    growing.vocabulary.Start(index_->terms(growing.members.front()));
    for (size_t i = 1; i < growing.members.size(); ++i) Join(growing, growing.members[i]);
    search_.ExcludeNobody();
    for (const Rank member : growing.members) search_.Exclude(index_->owner(member));
    while (growing.members.size() < options_.k) {
      StopPoint();
      SetCentre(growing.vocabulary);
      const Rank nearest = search_.Nearest().rank;
      growing.members.push_back(nearest);
      search_.Exclude(index_->owner(nearest));
      Join(growing, nearest);
    }
  }
  const NearestBag::Statistics& statistics() const { return search_.statistics(); }

 private:
  void Join(Growing& growing, Rank rank) {
    growing.vocabulary.Join(index_->terms(rank), matcher_, options_.omega);
  }

  void SetCentre(const HyperVocabulary& vocabulary) {
    if (options_.centre == BagCentre::kMajority) {
      search_.SetCentre(vocabulary.Typical());
      return;
    }
    rows_.clear();
    for (const HyperTerm& hyper : vocabulary.hyper_terms()) rows_.push_back(NearToAll(hyper.terms));
    search_.SetCentre(rows_, vocabulary.members());
  }

  NearList NearToAll(const std::vector<uint32_t>& terms) const {
    const auto first = index_->distances().NearTo(terms.front());
    NearList near(first.begin(), first.end());
    for (size_t i = 1; i < terms.size(); ++i) {
      std::erase_if(near, [&](TermDistances::Near& other) {
        const std::optional<uint32_t> steps = index_->distances().Steps(terms[i], other.term);
        if (steps) other.steps += *steps;
        return !steps;
      });
    }
    std::sort(near.begin(), near.end(), [](const auto& a, const auto& b) {
      return a.steps != b.steps ? a.steps < b.steps : a.term < b.term;
    });
    return near;
  }

  const BagIndex* index_;
  SsgOptions options_;
  NearestBag search_;
  BagMatcher matcher_;
  std::vector<NearList> rows_;
};

class Ssg {
 public:
  Ssg(const Bags& bags, const TermDistances& distances, const SsgOptions& options,
      Parallel& parallel, Progress& progress)
      : distances_(distances),
        options_(options),
        parallel_(parallel),
        progress_(progress),
        index_(bags, distances, parallel),
        bags_of_owner_(index_.owner_count(), 0),
        owners_left_(index_.owner_count()) {
    options_.k = std::max<uint32_t>(options_.k, 1);
    for (Rank rank = 0; rank < index_.size(); ++rank) ++bags_of_owner_[index_.owner(rank)];
    for (size_t i = 0; i < parallel.threads(); ++i) growers_.emplace_back(index_, options_);
  }

  SsgAnswer Run() {
    progress_.Begin("anonymize", index_.size());
    answer_.is_feasible = index_.size() == 0 || owners_left_ >= options_.k;
    if (answer_.is_feasible) {
      while (owners_left_ >= options_.k) GrowSeveral();
      AddLeftovers();
    }
    for (const Grower& grower : growers_) {
      answer_.candidates += grower.statistics().candidates;
      answer_.compared += grower.statistics().compared;
    }
    progress_.End();
    return std::move(answer_);
  }

 private:
  void GrowSeveral() {
    growing_.clear();
    const size_t at_once = options_.exhaustive ? 1 : kAtOnce;
    for (Rank rank = NextSeed(); rank != BagIndex::kNone && growing_.size() < at_once;
         rank = index_.Next(rank + 1)) {
      growing_.push_back({{rank}, HyperVocabulary(distances_)});
    }
    parallel_.For(growing_.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) growers_[worker].Grow(growing_[i]);
    });
    for (Growing& growing : growing_) {
      StopPoint();
      if (!index_.is_there(growing.members.front())) continue;
      if (owners_left_ < options_.k) return;
      const auto taken = std::find_if(growing.members.begin(), growing.members.end(),
                                      [&](Rank member) { return !index_.is_there(member); });
      if (taken != growing.members.end()) {
        growing.members.erase(taken, growing.members.end());
        growers_.front().Grow(growing);
      }
      Accept(growing);
    }
  }

  Rank NextSeed() { return next_seed_ = index_.Next(next_seed_); }

  void Accept(Growing& growing) {
    BagClass accepted;
    for (const Rank member : growing.members) {
      accepted.bags.push_back(index_.bag(member));
      Take(member);
    }
    answer_.classes.push_back(std::move(accepted));
    vocabularies_.push_back(std::move(growing.vocabulary));
  }

  void Take(Rank rank) {
    index_.Remove(rank);
    if (--bags_of_owner_[index_.owner(rank)] == 0) --owners_left_;
    progress_.Advance(1);
  }

  void AddLeftovers() {
    LeftoverBags leftovers(distances_, options_, vocabularies_, parallel_);
    for (Rank rank = NextSeed(); rank != BagIndex::kNone; rank = NextSeed()) {
      StopPoint();
      answer_.candidates += vocabularies_.size();
      const size_t nearest = leftovers.Add(index_.terms(rank));
      answer_.classes[nearest].bags.push_back(index_.bag(rank));
      ++answer_.leftovers;
      Take(rank);
    }
    answer_.compared += leftovers.compared();
    for (size_t i = 0; i < answer_.classes.size(); ++i) {
      answer_.classes[i].hyper = std::move(vocabularies_[i]).TakeHyperTerms();
    }
  }

  const TermDistances& distances_;
  SsgOptions options_;
  Parallel& parallel_;
  Progress& progress_;
  BagIndex index_;
  std::vector<uint32_t> bags_of_owner_;
  size_t owners_left_;
  std::vector<Grower> growers_;  // by worker
  std::vector<Growing> growing_;
  Rank next_seed_ = 0;
  // By class.
  std::vector<HyperVocabulary> vocabularies_;
  SsgAnswer answer_;
};

}  // namespace

SsgAnswer GroupBags(const Bags& bags, const TermDistances& distances, const SsgOptions& options,
                    Parallel& parallel, Progress& progress) {
  return Ssg(bags, distances, options, parallel, progress).Run();
}

}  // namespace thicket
