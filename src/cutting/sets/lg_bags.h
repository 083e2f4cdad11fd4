// Bags generalized until each is published like those of k - 1 other owners: LG(bag), the rival of SSG in Section 5.5.1
// of Liu 2010.
//
// LG (cutting/sets/lg.h) divides the bags as if they were sets. A label that a part shows is then published as often as
// every member has terms below the label: the least count of any of them, so that all members look alike. As sets (LG),
// each label is published once.
//
//   LeafBags bags;
//   bags.Add({wine, wine, jackets, boots}, owner);
//   const LgBagsAnswer answer = GeneralizeBags(bags, taxonomy, 2, {}, progress);
//   answer.classes[0].labels[0];    // Goods, 4 times
//
// Every occurrence of a term stands below exactly one label of its bag's class; those beyond the count are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

// Bags of leaves of a taxonomy, with repeats, and whose they are.
struct LeafBags {
  // By bag, and the end: in `leaves`.
  std::vector<size_t> first_leaf = {0};
  std::vector<Node> leaves = {};
  std::vector<uint32_t> owners = {};

  size_t size() const { return owners.size(); }
  std::span<const Node> of(size_t bag) const {
    return {leaves.data() + first_leaf[bag], first_leaf[bag + 1] - first_leaf[bag]};
  }
  void Add(std::span<const Node> bag, uint32_t owner);
  void Add(std::initializer_list<Node> bag, uint32_t owner) {
    Add(std::span(bag.begin(), bag.size()), owner);
  }
};

struct LgBagsOptions {
  // Whether labels are published once, without counts.
  bool as_sets = false;
  // After so many seconds the parts that there are are published.
  std::optional<double> limit_s = std::nullopt;
};

struct LgBagClass {
  struct Label {
    Node node;
    // How often it is published, at least once.
    uint32_t count;
    // By member: the places of all its terms below the label, ascending. The first `count` of them are those that are
    // published.
    std::vector<std::vector<uint32_t>> places;
  };

  // Ascending.
  std::vector<uint32_t> bags;
  // Ascending by node; none of bags that are empty.
  std::vector<Label> labels;
};

struct LgBagsAnswer {
  // Whether there are bags of k owners, or none with any terms; otherwise there are no classes.
  bool is_feasible = false;
  std::vector<LgBagClass> classes = {};
  // Empty bags, if fewer than k owners have one.
  std::vector<uint32_t> left_out = {};
  bool stopped_early = false;
  // How often a part was divided, and how many ways were weighed.
  uint64_t splits = 0;
  uint64_t weighed = 0;
};

// A StopPoint() (base/stop.h) is at each part.
LgBagsAnswer GeneralizeBags(const LeafBags& bags, const Taxonomy& taxonomy, uint64_t k,
                            const LgBagsOptions& options, Progress& progress);

}  // namespace thicket
