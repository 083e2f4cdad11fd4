#include "grouping/bags/leftover_bags.h"

#include <algorithm>
#include <functional>

#include "grouping/bags/ssg.h"

namespace thicket {

namespace {

constexpr uint32_t kFar = ~uint32_t{0};

__extension__ using Wide = unsigned __int128;

}  // namespace

struct LeftoverBags::Shared {
  Wide cost;
  uint64_t members;

  bool IsBelow(const Shared& other) const { return cost * other.members < other.cost * members; }
};

LeftoverBags::LeftoverBags(const TermDistances& distances, const SsgOptions& options,
                           std::vector<HyperVocabulary>& vocabularies, Parallel& parallel)
    : distances_(&distances),
      options_(&options),
      vocabularies_(&vocabularies),
      parallel_(&parallel),
      costs_(options.omega, 1),
      matcher_(options.matching),
      steps_to_bag_(distances.term_count(), kFar) {}

size_t LeftoverBags::Add(std::span<const uint32_t> terms) {
  for (const uint32_t term : terms) {
    for (const TermDistances::Near& near : distances_->NearTo(term)) {
      steps_to_bag_[near.term] = std::min(steps_to_bag_[near.term], near.steps);
    }
  }
  chances_.resize(vocabularies_->size());
  parallel_->For(chances_.size(), 1024, [&](size_t begin, size_t end) {
    for (size_t number = begin; number < end; ++number) {
      chances_[number] = {BoundOf(terms, number), number};
    }
  });
  for (const uint32_t term : terms) {
    for (const TermDistances::Near& near : distances_->NearTo(term)) {
      steps_to_bag_[near.term] = kFar;
    }
  }
  std::make_heap(chances_.begin(), chances_.end(), std::greater<>());
  size_t nearest = chances_.front().second;
  Shared least = Measure(terms, nearest);
  for (size_t left = chances_.size(); left > 1; --left) {
    std::pop_heap(chances_.begin(), chances_.begin() + static_cast<ptrdiff_t>(left),
                  std::greater<>());
    const auto [bound, number] = chances_.front();
    if (least.IsBelow({bound, 1})) break;
    const Shared measured = Measure(terms, number);
    const bool is_equal = !measured.IsBelow(least) && !least.IsBelow(measured);
    if (!measured.IsBelow(least) && (!is_equal || number > nearest)) continue;
    least = measured;
    nearest = number;
  }
  (*vocabularies_)[nearest].Join(terms, matcher_, options_->omega);
  return nearest;
}

LeftoverBags::Cost LeftoverBags::BoundOf(std::span<const uint32_t> terms, size_t number) const {
  const std::vector<HyperTerm>& hyper = (*vocabularies_)[number].hyper_terms();
  uint64_t rows = 0;
  // What matching saves at most: two unmatched terms each, less the steps. Where omega is below epsilon, that may be
  // nothing.
  Cost saved = 0;
  for (const HyperTerm& one : hyper) {
    const uint32_t steps = steps_to_bag_[one.typical];
    if (steps == kFar) continue;
    ++rows;
    saved += 2 * costs_.nil() - std::min(2 * costs_.nil(), steps * costs_.step());
  }
  // Of hyper terms only the typical term is known to be so far.
  if (options_->centre != BagCentre::kMajority || rows > terms.size()) {
    saved = std::min<uint64_t>(rows, terms.size()) * 2 * costs_.nil();
  }
  return (hyper.size() + terms.size()) * costs_.nil() - saved;
}

LeftoverBags::Shared LeftoverBags::Measure(std::span<const uint32_t> terms, size_t number) {
  ++compared_;
  const HyperVocabulary& vocabulary = (*vocabularies_)[number];
  BagDistance distance;
  uint64_t members = 1;
  if (options_->centre == BagCentre::kMajority) {
    const std::vector<HyperTerm>& hyper = vocabulary.hyper_terms();
    table_.Reset(hyper.size(), terms.size());
    for (size_t row = 0; row < hyper.size(); ++row) {
      for (size_t column = 0; column < terms.size(); ++column) {
        table_.at(row, column) = distances_->Steps(hyper[row].typical, terms[column])
                                     .value_or(MatchingTable::kIrrelevant);
      }
    }
    distance = matcher_.Measure(table_, costs_);
  } else {
    distance = vocabulary.Measure(terms, matcher_, options_->omega);
    members = vocabulary.members();
  }
  const Wide unmatched = Wide{distance.unmatched} * costs_.nil() * members;
  return {unmatched + distance.weight * costs_.step(), members};
}

}  // namespace thicket
