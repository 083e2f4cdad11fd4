// The cheapest answers that a search has seen, at most so many, each labels of its own.
//
//   BestAnswers best(options.top_h);
//   if (cost < best.Limit()) best.Offer(labels, cost);
//   answer.best.cuts = std::move(best).Take();
//
// Of equally cheap ones those that were offered first stay, and stand first. An offer costs O(answers kept).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "cutting/branch_and_bound.h"

namespace thicket {

class BestAnswers {
 public:
  explicit BestAnswers(size_t most) : most_(std::max<size_t>(1, most)) {}

  bool empty() const { return answers_.empty(); }
  // What is not below this is not among the answers.
  CutProblem::Cost Limit() const {
    return answers_.size() < most_ ? CutProblem::kNever : answers_.back().cost;
  }
  void Offer(std::vector<Item> labels, CutProblem::Cost cost) {
    if (cost >= Limit()) return;
    std::sort(labels.begin(), labels.end());
    const auto place =
        std::upper_bound(answers_.begin(), answers_.end(), cost,
                         [](CutProblem::Cost wanted, const auto& a) { return wanted < a.cost; });
    for (auto equal = place; equal != answers_.begin() && (equal - 1)->cost == cost; --equal) {
      if ((equal - 1)->labels == labels) return;
    }
    answers_.insert(place, {std::move(labels), cost});
    if (answers_.size() > most_) answers_.pop_back();
  }
  std::vector<BestCuts::Answer> Take() && { return std::move(answers_); }

 private:
  size_t most_;
  std::vector<BestCuts::Answer> answers_;
};

}  // namespace thicket
