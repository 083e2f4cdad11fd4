// How much any grouping loses at least: a proof beside what was published.
//
// Every member of a class is published with the same labels, so a class keeps the same of each of them: what they have in common. Seen from one
// record r: whatever class r is in has K - 1 others, K the least size of a class, and r keeps at most what its vertices have in common
// with all K - 1 of them, since the class pairs their vertices with those of r, and labels only get more general and vertices fewer with
// each of them. So r keeps at most the most that it can keep with any K - 1 others, and what all records keep is at most the sum of that. Whoever is
// suppressed keeps nothing. What K - 1 others leave of r is bounded in turn:
//
//   - by the items of r that all of them have (grouping/shared_labels.h, grouping/most_shared.h), which is exact for single vertices
//     with taxonomies;
//   - by the similarity of r with each of them, the best pairing of two trees (matching/merge.h), for the few who may matter.
//
// Both bound what a class keeps whatever its grouping method and mapping, `once`, `anywhere` and levels, all of which only forbid classes.
//
// Diversity. At a place of a class of n records no value stands more than n / l times. In classes of less than 2 l records all values of a place
// differ: nobody else in the class has the root's value of r, and vertices with equal values stand together nowhere. Larger classes have at least
// 2 l - 1 others. A record is in one or the other. Where only roots have sensitive values and K = l, one kind is enough: of any n >= l records, n - n / l >= l - 1
// (rounded up) have another value than r; and in a circle ordered by value each can look at l - 1 others with another value, those from n / l to
// n - n / l places ahead. A missing value is a value like others, as for the check of what is published. Values count only where their attribute is the only
// sensitive one of its vertices and has at most 64 of them; elsewhere nothing is assumed.
//
// Company. Whoever is near to many cannot be in a class with all of them: grouping/company_prices.h bounds what all records keep together.
//
//   const LossBound bound = BoundLoss(data, published, {.class_size = 3, .l = 3}, parallel);
//   bound.lm();       // no grouping loses less
//
// `published` only spares work: a record that keeps as much as it can need not be looked at, and nobody who has less in common with
// a record than it keeps matters to it. For each record the sums of all others (grouping/label_sums.h), so O(n^2) with a small factor, and work that
// the options limit; what is cut short makes the bound lower, never wrong.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/parallel.h"
#include "record/dataset.h"
#include "record/publication.h"

namespace thicket {

struct LossBoundOptions {
  // How many records a class has at least, and l where l-diversity is promised (0: not).
  int class_size = 2;
  int l = 0;
  // For each record: of how many others more than a sum is looked at, how many trees are compared, and how often the search for the
  // others with the most in common branches.
  size_t candidates = 256;
  size_t comparisons = 48;
  size_t branchings = 16;
  // How often prices move.
  size_t rounds = 64;
};

struct LossBound {
  // What all labels count, and what any grouping keeps of them at most.
  Units total = 0;
  Units kept = 0;

  // LM that no grouping is below. What rounding of costs to units may have added is taken off.
  double lm() const;
};

// What all labels of the data count, and what a grouping keeps of them.
struct GroupingLoss {
  Units total = 0;
  Units kept = 0;
};
GroupingLoss LossOfGrouping(const EncodedDataset& data, const Publication& published);

// `published`: any grouping of the data that keeps the promise.
LossBound BoundLoss(const EncodedDataset& data, const Publication& published,
                    const LossBoundOptions& options, Parallel& parallel);

}  // namespace thicket
