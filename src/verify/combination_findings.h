// What counting combinations finds: the least support, and the combinations that break the promise.
//
// A combination is what an adversary knows about a person: names that the record shows or does not show, and relations
// between them that hold or do not. Findings of threads are merged in any order with the same result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "verify/label_trees.h"

namespace thicket {

struct Combination {
  enum class Sign : uint8_t {
    kPresent,
    kAbsent,
    kNamed,  // only a relation says something about it
  };
  struct Relation {
    size_t above;  // places in `names`
    size_t below;
    bool holds;
    friend bool operator<(const Relation& a, const Relation& b) {
      return std::tie(a.above, a.below, a.holds) < std::tie(b.above, b.below, b.holds);
    }
  };
  // Ascending.
  std::vector<uint32_t> names;
  std::vector<Sign> signs;
  std::vector<Relation> relations;

  friend bool operator<(const Combination& a, const Combination& b) {
    const size_t a_size = a.names.size() + a.relations.size();
    const size_t b_size = b.names.size() + b.relations.size();
    return std::tie(a_size, a.names, a.signs, a.relations) <
           std::tie(b_size, b.names, b.signs, b.relations);
  }

  // 'nation "PERU" and orders.price "10" above items.brand "B" but no orders.date "1993"'.
  std::string Text(const LabelTrees& trees) const;
  // Whether a tree supports it.
  bool HoldsIn(const LabelTrees& trees, size_t tree) const;
};

struct Violator {
  Combination combination;
  uint64_t support = 0;
  // Diversity: how many of them have the most frequent bucket, and which one it is.
  uint64_t most = 0;
  uint32_t secret = 0;
};

class CombinationFindings {
 public:
  // Sets of names that some record has.
  uint64_t label_sets = 0;
  // The least support, kNone if nothing was counted; the least floor(support / most frequent bucket).
  static constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();
  uint64_t least = kNone;
  uint64_t least_diverse = kNone;
  // How many violate.
  uint64_t total = 0;
  // Whether there may be more of them: nothing is worse than a support of 1, and so many are enough.
  bool more = false;
  static constexpr uint64_t kEnough = 100'000;

  bool WantsSize(size_t size) const {
    return size >= by_size_.size() || by_size_[size].size() < kKept;
  }
  void Add(Violator violator);
  void Merge(const CombinationFindings& other);
  // Ascending, at most kKept.
  std::vector<Violator> Smallest() const;

 private:
  static constexpr size_t kKept = 20;
  // By the number of names and relations.
  std::vector<std::vector<Violator>> by_size_;
};

}  // namespace thicket
