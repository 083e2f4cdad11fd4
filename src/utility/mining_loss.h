// ML2 and dML2: which frequent subtrees can no longer be mined, and how far the others have moved (section II-E of
// Gkountouna et al. 2013, equations 4 to 6).
//
// The original and the published data are projected to every level of the taxonomies, and mined at each for subtrees that
// at least 1 % of the original's records hold. ML2 is the share of the original's frequent subtrees that are not frequent in
// the published data; dML2 is the mean distance of the original's from what has become of them.
//
//   THICKET_ASSIGN(const MiningLossReport loss, MeasureMiningLoss(original, published, {}, parallel, progress));
//   loss.ml2();   // r -> a -> b and r -> A -> B frequent, published A -> b: 1/2
//   loss.dml2();  // 0.25 for the first, 0 for the second
//
// What a subtree is. All subtrees of a quarter of a million trees are too many, and the paper does not say which it mined.
// These are, of the label trees of path_trees.h, each held by a record or not, however often:
//
//   r -> a, r -> a -> b, r -> a -> b -> c    paths of up to three labels, each above the next, not always directly
//   r -> {a, b}                              two labels that can never be on one path: of one attribute, or of classes side by
//                                            side
//
// The second kind is for sets, whose labels are all siblings.
//
// What a level is. Level i of a label is its ancestor at depth i of its taxonomy, or itself if it is a leaf and not that
// deep; levels run from the roots, 0, to the deepest leaves of all taxonomies. A published label that is above the level and
// no leaf cannot be projected there, and is passed over. A subtree of labels that are the same at two levels counts at each.
//
// What becomes of a subtree (dtree, equation 6). A label v becomes the lowest label v' at or above it that is still frequent
// in the published data; dlevel is the difference of their depths, and one more than the depth of v where not even the root
// of its taxonomy is frequent: where the attribute was left out. A relation of v and w on a path is broken if that of
// v' and w' is not frequent. With one cut for everybody v' is the label of the cut, or v itself above the cut, and a
// relation is broken when it was disassociated; for local recoding it is what can still be mined. A subtree without
// relations has the first half only.
//
// Time: linear in the pairs of labels of each record, times levels; triples are only counted where
// their pairs are frequent. 250,000 customers take some seconds.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "record/dataset.h"

namespace thicket {

struct MiningLossOptions {
  // The least share of the original's records that makes a subtree frequent.
  double support = 0.01;
};

struct MiningLossLevel {
  // Frequent subtrees of the original data; of these, those that are still frequent in the published data; the sum of
  // dtree over the first.
  uint64_t frequent = 0;
  uint64_t kept = 0;
  double distance = 0;
};

struct MiningLossReport {
  // By level; 0 is the roots of the taxonomies.
  std::vector<MiningLossLevel> levels;

  uint64_t frequent() const;
  uint64_t kept() const;
  // 0 if nothing is frequent.
  double ml2() const;
  double dml2() const;
};

// `published` is the published data as it is read back. Fails with kData if it holds a label that the taxonomies do not have;
// with kUsage if an attribute has free intervals; with kInterrupted.
Result<MiningLossReport> MeasureMiningLoss(const EncodedDataset& original, const Dataset& published,
                                           const MiningLossOptions& options, Parallel& parallel,
                                           Progress& progress);

}  // namespace thicket
