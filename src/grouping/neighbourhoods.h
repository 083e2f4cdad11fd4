// Parts of classes that are near each other, in several ways at once: who is looked at instead of everybody.
//
// A split holds all classes against two of them that are drawn at random, and cuts the order from the one to the other in the
// middle; halves are split again until they are small enough. Near classes are mostly in the same half, and what one
// way tears apart another one keeps together.
//
//   Neighbourhoods parts(columns, places, tree_of, {.size = 256, .ways = 4}, parallel);
//   parts.ForEach(place, [&](Place other) { ... });          // each part of the place, others may come several times
//
// O(ways * n log n) bounds of similarities. The parts are a function of the classes, the options and the seed alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "grouping/class_columns.h"

namespace thicket {

struct NeighbourhoodOptions {
  // How many classes a part has at most.
  size_t size = 256;
  size_t ways = 4;
  uint64_t seed = 1;
};

class Neighbourhoods {
 public:
  // Calls its second argument with the representative of the class at a place.
  using VisitTree =
      std::function<void(Place place, const std::function<void(const Representative&)>& visit)>;

  // `quarters`: by place, how much of a part the class takes up: 4 quarters, or fewer where it is hardly ever looked for.
  Neighbourhoods(const ClassColumns& columns, const std::vector<Place>& places,
                 const std::vector<uint8_t>& quarters, const VisitTree& tree,
                 const NeighbourhoodOptions& options, Parallel& parallel);

  // Calls visit(other) for all classes of the parts of a place, itself among them; for none where it was not split.
  template <typename Visit>
  void ForEach(Place place, const Visit& visit) const {
    for (const Way& way : ways_) {
      if (place >= way.part_of.size() || way.part_of[place] == kNoPart) continue;
      const uint32_t part = way.part_of[place];
      for (uint32_t i = way.part_begin[part]; i < way.part_begin[part + 1]; ++i)
        visit(way.order[i]);
    }
  }

  // All parts of one way.
  std::vector<std::span<const Place>> Parts(size_t way) const;

 private:
  static constexpr uint32_t kNoPart = ~uint32_t{0};
  struct Way {
    std::vector<Place> order;
    std::vector<uint32_t> part_begin;  // and the end
    std::vector<uint32_t> part_of;     // by place
  };
  class Splitter;

  std::vector<Way> ways_;
};

}  // namespace thicket
