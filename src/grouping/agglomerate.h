// Agglomerate: classes grow everywhere at once, where that is cheapest.
//
// Not from the papers. Every record begins as a class of its own (records that are equal, as one as far as the promise allows it). Of
// all pairs of classes of which one is too small, those are united that lose least for the records which they bring nearer
// to their class: what uniting them adds to the loss, divided by the number of records in those of the two that are too small, to the
// power of 3/4. So equal records stay together, classes may become larger than they must be, and nobody pays for the order of the
// data. Two classes that are too small, but together larger than they must be, can become a finished class and a rest: the larger one
// takes in its nearest of the other one, if that loses less for each record than the union of all. A class that would lose more by
// joining another than by being left out is left over.
//
// Trees are seldom equal, what stands in two pairs can seldom be kept for all four, and pairs of pairs would often be larger than they
// must be. So classes of trees grow record by record, the cheapest class anywhere first (grouping/nearby_clustree.h), unless levels of
// sensitivity limit what a class shows. Of tables whose sensitive values must be diverse, classes are filled one after the other, as by
// ClusTree without passes, since in the end the last groups would lack the same values.
//
// Rounds: every class that is too small and knows of no partner looks for its best one; all of these pairs are sorted, and the
// cheapest quarter of them is united, best first, as far as both are still there. Whose partner is gone looks again.
//
//   AgglomerateOptions options;
//   options.class_size = options.least_size = 3;
//   options.rule.l = 3;
//   THICKET_ASSIGN(Grouping grouping, Agglomerate(encoded, options, parallel, progress));
//
// Finished classes are improved in rounds of refining (grouping/refine.h), which also place what is left over.
//
// With all others to look at (neighbourhood 0), O(n^2) bounds of similarities, and of comparisons what bounds leave. With a
// neighbourhood of N, records are divided into parts of at most N that are much alike (grouping/parts.h), in each part an index proposes a
// few dozen partners (grouping/label_scan.h) of which a fixed number is compared, and what parts tear apart is mended by the rounds of
// refining. Proposals take O(N) for each class, but so little that at N = 100,000 comparing takes longer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "grouping/grouping.h"
#include "record/dataset.h"

namespace thicket {

struct AgglomerateOptions {
  // How many records classes are grown to, and how many they need at least.
  int class_size = 2;
  int least_size = 2;
  DiversityRule rule;
  MergeOptions merge;
  // How many records a part has at most; 0: everybody is looked at.
  size_t neighbourhood = 0;
  // In a part: how many partners of each size are proposed to a class, how many of these are compared, and how many of those are
  // remembered for when the best one is gone.
  size_t proposals = 64;
  size_t comparisons = 32;
  size_t remembered = 4;
  // How often finished classes are improved (grouping/refine.h), and how many records are compared with a hole in each round.
  int rounds = 4;
  size_t chances = 16;
  // Compares whom bounds would leave out: slow, for tests.
  bool exhaustive = false;
};

// Whether classes grow record by record, as they do of trees where no levels of sensitivity limit what a class shows.
bool GrowsByRecords(const EncodedDataset& data, const DiversityRule& rule);

Result<Grouping> Agglomerate(const EncodedDataset& data, const AgglomerateOptions& options,
                             Parallel& parallel, Progress& progress);

}  // namespace thicket
