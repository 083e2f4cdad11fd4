// Bags that are published alike: SSG, the semantic similarity based grouping of Liu 2010, Algorithm 5.1.
//
// Bags come in ascending size. The first one begins a class, and the one nearest to the class's centre joins, k - 1
// times; what is left in the end joins the nearest class. What the members of a class have in common are its hyper
// terms (grouping/bags/hyper_vocabulary.h), and all members are published as these: by the typical term of each, by all
// its terms, or by what is above them in a taxonomy.
//
//   const SsgAnswer answer = GroupBags(bags, distances, {.k = 5}, parallel, progress);
//   for (const BagClass& one : answer.classes)
//     for (const HyperTerm& hyper : one.hyper) Publish(hyper.typical);
//
// Beyond the thesis: bags of one owner do not hide each other, so a class holds bags of k different owners. Only owners
// that a class does not have yet may join; when the bags that are left have fewer than k owners, they are leftovers,
// which may join any class. Of bags that are equally near the first in that order joins, of classes the first.
//
// Which bag is nearest is compared with the typical terms (BagCentre::kMajority) or with the hyper terms. Weights to
// hyper terms are sums over the members; classes of different size are compared by the mean.
//
// Several classes are grown at once, each as if it were first, and accepted one after the other: bags are only ever
// taken, so whoever was nearest is nearest still, as long as it is there; from a member that an earlier class took the
// class is grown again. The answer is the same on any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "grouping/bags/bag_matching.h"
#include "grouping/bags/bags.h"
#include "grouping/bags/hyper_vocabulary.h"
#include "taxonomy/term_distances.h"

namespace thicket {

enum class BagCentre { kMajority, kHyper, kGeneralize };

struct SsgOptions {
  // Different owners in a class, at least.
  uint32_t k = 2;
  // What an unmatched term costs, in steps, at least epsilon; nothing: fewest unmatched terms first.
  std::optional<double> omega = std::nullopt;
  BagCentre centre = BagCentre::kMajority;
  BagMatching matching = BagMatching::kExact;
  // Every bag is compared, one class after the other: slow, for tests and benchmarks.
  bool exhaustive = false;
};

struct BagClass {
  using HyperTerm = thicket::HyperTerm;

  // Members, in the order in which they joined.
  std::vector<uint32_t> bags = {};
  // What all members have in common; may be empty.
  std::vector<HyperTerm> hyper = {};
};

struct SsgAnswer {
  // Whether there are bags of k different owners, or no bags at all; otherwise there are no classes.
  bool is_feasible = false;
  std::vector<BagClass> classes = {};
  // Bags that joined a class of k owners, or after there were no k owners left.
  uint64_t leftovers = 0;
  // Bags that full scans would have compared, and those that were.
  uint64_t candidates = 0;
  uint64_t compared = 0;
};

// A StopPoint() (base/stop.h) is at each class.
SsgAnswer GroupBags(const Bags& bags, const TermDistances& distances, const SsgOptions& options,
                    Parallel& parallel, Progress& progress);

}  // namespace thicket
