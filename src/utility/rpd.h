// RPD, the reverse path domain: how little the paths of a tree say (section II-E of Gkountouna et al. 2013, equations 1 to
// 3). The larger, the more is lost; 1 says nothing at all.
//
// A path from the root to a leaf could have been any of as many paths as there are labels of the same levels. One over their
// number, with each factor weighted by its depth, is the path's RPD; a record has the mean of its paths, a data set the mean
// of its records:
//
//   Hospital2 -> Lung Disease -> Antibiotics    1 / (1*12 * 2*6 * 3*12)
//
// Decided where the paper is silent or says two things:
//
//   - |C(u)| counts the labels of u's level in all hierarchies together, as the paper's examples do (12 leaves of three
//     classes), not in u's class as its text says. See record/label_space.h for what a level is.
//   - A depth counts from 1, below the root of the record.
//   - A record without labels has one path, the empty one, with an RPD of 1. So has a record that was suppressed.
//
//   THICKET_ASSIGN(const RpdReport rpd, MeasureRpd(original, published));
//   rpd.published;  rpd.original;
//
// The approximate RPD_a (equations 7 and 8) is what the search for a cut minimizes. It is the same sum over the paths of the
// synopsis tree, all records' trees laid over each other, each path times the supports of its nodes, divided by the numbers
// of leaves and of nodes (the root is not counted) of that tree.
//
// O(nodes of all label trees).
#pragma once

#include "base/result.h"
#include "record/dataset.h"
#include "utility/path_trees.h"

namespace thicket {

struct RpdReport {
  // Of the data before and after.
  double original = 0;
  double published = 0;
};

// Of one record (equation 2).
double RecordRpd(const LabelSpace& space, const PathTree& tree);

// `published` is the published data as it is read back; of fewer records than the original's, the rest counts as suppressed.
// Fails with kData if it holds a label that the taxonomies do not have, or more records; with kUsage as PathTrees::OfPublished.
Result<RpdReport> MeasureRpd(const EncodedDataset& original, const Dataset& published);

// RPD_a of the synopsis tree of all records; 0 if no record has a label.
double SynopsisRpd(const LabelSpace& space, const PathTrees& trees);

// The same of data before and after.
Result<RpdReport> MeasureSynopsisRpd(const EncodedDataset& original, const Dataset& published);

}  // namespace thicket
