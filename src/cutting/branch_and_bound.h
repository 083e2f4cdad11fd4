// The cheapest valid cuts of a problem, with a proof of how good they are.
//
//   BestCuts best = FindBestCuts(problem, {.alpha = 0.1, .limit_s = 60}, progress);
//   if (best.proof == BestCuts::Proof::kInfeasible) ...
//   Publish(best.cuts.front().labels);
//
// Goes through the cuts depth first (open_cut.h), and leaves out the subtree of a cut whose bound says that nothing in
// it can be among the answers. Values are specialized in the order of their weights, chosen anew at each cut. On the
// way back the value that was specialized is locked, so the bound of what is left of the cut above tightens, and is
// looked at again. Of equally cheap cuts the one that is known or found first is kept; the same problem and options give the
// same answers, unless a limit of time ends the search.
//
// Algorithm 3.1, Sections 3.4 and 3.7 of Liu 2010; the thesis prunes where (1 + alpha) bound >= cost, and so does this.
// Memory is O(items); there is no recursion, however deep the taxonomies are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "cutting/cut_problem.h"

namespace thicket {

// A valid cut.
struct CutAnswer {
  // Ascending.
  std::vector<Item> labels;
  CutProblem::Cost cost = 0;
};

struct BranchAndBoundOptions {
  // Every answer costs at most 1 + alpha times as much as the best one in its place. From 0 to kMostAlpha.
  double alpha = 0;
  // How many cuts are asked for, at least 1.
  size_t best = 1;
  // The search ends after so many seconds, or cuts, with the best found so far. The cut of the roots is always looked
  // at.
  std::optional<double> limit_s = std::nullopt;
  std::optional<uint64_t> limit_cuts = std::nullopt;
  // Take values by weight (Section 3.4.1), otherwise by number; ask for the bound again on the way back (3.4.2).
  // Without them the answers cost the same and take longer.
  bool by_weight = true;
  bool tighten = true;

  // Different valid cuts that are known before the search, with their costs: the search looks for better ones from its
  // first step on.
  std::vector<CutAnswer> known = {};
  // A search that has looked at so many cuts and is not over asks once for more of them: given the best cut so far, a better
  // one or the same. It is worth what the rest of the search takes.
  uint64_t cuts_before_asking = 0;
  std::function<CutAnswer(const CutAnswer&)> find_better = nullptr;

  static constexpr double kMostAlpha = 1024 * 1024;
};

struct BestCuts {
  enum class Proof {
    kOptimal,      // the answers are the best cuts; fewer than were asked for if no more are valid
    kWithinAlpha,  // every answer costs at most 1 + alpha times as much as the best one in its place
    kStopped,  // the search ended at a limit: `bound` tells how far off the answers may be. There may be none
    kInfeasible,  // no cut is valid
  };
  using Answer = CutAnswer;

  // Cheapest first, of equals in the order in which they were found.
  std::vector<Answer> cuts;
  Proof proof = Proof::kInfeasible;
  // Proven: no valid cut that is not among the answers costs less. Not above the last of as many answers as were asked
  // for; kNever if there are fewer, and no other cut is valid.
  CutProblem::Cost bound = CutProblem::kNever;
  // How many cuts the search looked at; how many of these were judged, the others' bounds said enough; and how many
  // were valid.
  uint64_t examined = 0;
  uint64_t judged = 0;
  uint64_t valid = 0;

  // How much cheaper than the first answer a cut could be at best; of an answer that there is.
  CutProblem::Cost Gap() const {
    const CutProblem::Cost cost = cuts.front().cost;
    return bound < cost ? cost - bound : 0;
  }
};

// Advances `progress` by the cuts that were looked at; a StopPoint() (base/stop.h) is at each.
BestCuts FindBestCuts(CutProblem& problem, const BranchAndBoundOptions& options,
                      Progress& progress);

}  // namespace thicket
