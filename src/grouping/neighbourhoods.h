// Parts of classes that are near each other: who is looked at instead of everybody.
//
// A split holds all classes against two of them that are drawn at random, and cuts the order from the one to the other in the
// middle; halves are split again until they are small enough. Near classes are mostly in the same half, and what one seed tears apart
// another one keeps together.
//
//   for (const std::vector<Place>& part : Neighbourhoods(columns, tree_of, {.size = 256})) ...
//
// O(n log n) bounds of similarities. The parts are a function of the classes, the options and the seed alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "grouping/class_columns.h"

namespace thicket {

struct NeighbourhoodOptions {
  // How many classes a part has at most.
  size_t size = 256;
  uint64_t seed = 1;
};

// Calls its second argument with the representative of the class at a place.
using VisitTree =
    std::function<void(Place place, const std::function<void(const Representative&)>& visit)>;

// All places of the columns, part by part.
std::vector<std::vector<Place>> Neighbourhoods(const ClassColumns& columns, const VisitTree& tree,
                                               const NeighbourhoodOptions& options);

}  // namespace thicket
