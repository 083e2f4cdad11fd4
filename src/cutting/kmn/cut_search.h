// Finds a cut through the taxonomies, and relations to break under it, that give k^(m,n)-anonymity at little loss.
//
//   THICKET_ASSIGN(CutSolution found, SearchCut(items, shapes, {.limits = {.k = 20, .m = 3, .n = 2}}, parallel, progress));
//
// All three searches begin with every attribute at the root of its taxonomy, or left out where even the root is too
// rare, and specialize one label at a time. A cut whose labels alone are rare is not specialized further, since every
// cut below it has rare labels, too. Relations are broken greedily (relation_breaker.h). The paper estimates the cost
// from the synopsis tree (synopsis.h), since RPD would need a pass over all records for every cut. Here only the shapes
// that change are looked at, so RPD itself is affordable; the estimate overrates broken relations, and misses Example
// 7. The default is neither: RPD is ruled by the shortest paths, so that a search by RPD would rather give up labels
// than relations, whatever the labels lose.
//   ACS  looks at every cut, each once (cutting/open_cut.h).
//   GCS  keeps the g cheapest cuts of a level, and never goes back. Cuts are looked at in the order of what they would cost if
//        nothing had to be broken, until g have been found that are no dearer than what the rest can hope for.
//        Under kLoss the rest is also expected to do no better than in the cuts above: the finer other labels are, the more
//        must be broken for a specialization, as a rule, while what its own labels gain stays the same.
//   OCS  is GCS that rejects cuts under which relations would have to be broken.
// Of equally cheap cuts the one that was found first is kept.
//
// Section III of Gkountouna et al. 2013. A specialization is looked at from what changes: only combinations with a
// child of the specialized label are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "cutting/kmn/fact_checker.h"
#include "cutting/kmn/label_tree.h"
#include "cutting/kmn/rare_combinations.h"
#include "cutting/kmn/shapes.h"

namespace thicket {

enum class CutMethod { kGcs, kAcs, kOcs };

// What a cut with its broken relations costs.
enum class CutCost {
  kRpd,       // RPD of what would be published (equations 1 to 3), which is also what is reported
  kSynopsis,  // RPD_a (equations 7 and 8), the paper's estimate, from the synopsis tree
  kLabels,    // RPD as if nothing were broken; relations are broken in the best cut at the end
  kLoss,  // the mean loss of labels (LM), and beside it the share of relations that are broken: the default
};

struct CutSearchOptions {
  CutMethod method = CutMethod::kGcs;
  CutCost cost = CutCost::kLoss;
  KnowledgeLimits limits;
  // GCS, OCS: how many cuts of a level are specialized further.
  size_t g = 2;
  // GCS, OCS: after so many levels without a better cut the search ends. In Example 6 only a cheaper cut is specialized
  // further; with no limit and g all cuts of a level, GCS looks at every cut that ACS looks at.
  size_t patience = 1;
  // Stop after so many seconds, with the best cut so far.
  std::optional<double> limit_s = std::nullopt;
  // Count everything anew for every cut: slow, with the same result.
  bool from_scratch = false;
  // Set by the search itself: whether the search is over, with what has been found so far. A cut that is looked at
  // after that does not count.
  RareCombinations::Stop must_stop = {};
  // What cuts must keep beside k^(m,n)-anonymity, if anything. Leaving out everything must be allowed.
  const FactChecker* facts = nullptr;
};

struct CutSolution {
  // The labels of the cut, ascending; left-out items are among them.
  std::vector<Item> labels;
  // By item: the label at or above the item; what stands here for items above the cut means nothing.
  std::vector<Item> label_of;
  std::vector<Relation> broken;
  // By broken relation: how many records have the relation under the cut while nothing is broken.
  std::vector<uint64_t> broken_support;
  double cost = 0;
  // How many cuts were looked at, and how many of them could be published.
  uint64_t cuts = 0;
  uint64_t valid_cuts = 0;
  bool stopped_early = false;
};

// The best cut that was found; nothing if no cut may be published.
Result<std::optional<CutSolution>> SearchCut(const ItemHierarchy& items, const Shapes& shapes,
                                             const CutSearchOptions& options, Parallel& parallel,
                                             Progress& progress);

}  // namespace thicket
