// MiRaCle and its kin: clusters side by side, each record joins the nearest one (Nergiz et al. 2008, section IV, Algorithm
// 2).
//
// Records come in their order. A record joins the nearest open cluster (grouping/miracle_nearest.h), or opens one of its
// own where that is farther than `th` and fewer than `climit` clusters are open. A cluster that has class_size records is
// closed. Clusters that are left over at the end are merged, nearest first; records that still do not fill a class are
// suppressed (grouping/threshold_clustering.h). dMiRaCle then makes the classes diverse (grouping/miracle_repair.h).
//
//   MiracleOptions options;
//   options.variant = MiracleVariant::kMiracleX;
//   options.class_size = 5;
//   THICKET_ASSIGN(Grouping grouping, Miracle(encoded, options, parallel, progress));
//
// Readings of the paper, where it leaves a choice:
//  - th is compared with the share of what a record and a cluster's records could lose that they would lose together, from
//    0 to 1, as LM is.
//  - Of two sets of siblings the smaller one chooses partners in turn, the cluster's if both are equally large; of equal
//    distances and equal costs the first one wins.
// Departures, all of which leave the promise untouched:
//  - A cluster is closed with k records; the pseudocode says "more than k". At most climit are open; it opens one more.
//  - Distances are what the records of the cluster really lose; the paper's count a representative once, whatever number of
//    records it stands for.
//  - Leftover clusters are united record by record, not representative with representative.
//  - A vertex that has no partner, and a record that has no class, are left out; the paper keeps them as rows of
//    suppressed values.
//  - Of the bitmap only the ones are there: columns of labels that a record lacks are never looked at. The flat table of the
//    paper gives the same classes (grouping/bitmap.h, which is for experiments, and can also count absence as knowledge).
//  - Values that may occur only once keep records apart: one that may join no open cluster waits for the leftovers.
//
// That what is published keeps requirements 1 to 3 of Definition 5 over the join of published tables is checked by
// engine/multirelational_test.cc and tests/join_test.py.
//
// O(n * climit) comparisons of trees, with b children per vertex and height h of b^(2h) steps each for kMiracle, b^(h+1) for
// kMiracleX; but a bound (grouping/cluster_bound.h) spares nearly all of them.
#pragma once

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "grouping/grouping.h"
#include "record/dataset.h"

namespace thicket {

enum class MiracleVariant {
  kMiracle,  // children are paired by all that is below them, each in turn with what costs least (Algorithm 4)
  kMiracleX,  // by their own labels only (Algorithm 5)
  kDMiracle,  // MiRaCle without regard to sensitive values, then repaired until every class is l-diverse
  kBitmap,  // one flat table with a column per label (section III-C): only equal labels stand together
};

struct MiracleOptions {
  MiracleVariant variant = MiracleVariant::kMiracle;
  int class_size = 2;
  // kDMiracle only.
  DiversityRule rule;
  // How many clusters may be open at a time.
  int climit = 150;
  // From which distance on a record opens a cluster: a share of what it and the cluster's records would lose at most.
  double th = 0.1;
  // Compares with every cluster, without bounds: slow, with the same result.
  bool exhaustive = false;
};

Result<Grouping> Miracle(const EncodedDataset& data, const MiracleOptions& options,
                         Parallel& parallel, Progress& progress);

}  // namespace thicket
