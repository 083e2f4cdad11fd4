// MiRaCle and its kin: clusters side by side, each record joins the nearest one (Nergiz et al. 2008, section IV, Algorithm 2).
//
// Records come in their order. A record joins the open cluster where it costs least, or opens one of its own where that
// costs more than `th` and fewer than `climit` clusters are open. A cluster that has class_size records is closed and
// published. Clusters that are left over at the end are merged, nearest first; records that still do not fill a class are
// suppressed.
//
//   MiracleOptions options;
//   options.variant = MiracleVariant::kMiracleX;
//   options.class_size = 5;
//   THICKET_ASSIGN(Grouping grouping, Miracle(encoded, options, parallel, progress));
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
};

Result<Grouping> Miracle(const EncodedDataset& data, const MiracleOptions& options,
                         Parallel& parallel, Progress& progress);

}  // namespace thicket
