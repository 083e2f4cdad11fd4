// Has vertices come near from memory while something else is done.
//
// Whoever reads the records of a large table in any order waits for memory at each of them. Who knows the order asks ahead:
//
//   FetchVertex(forest, forest.root(order[i + 2 * kFetchAhead]));
//   FetchValues(forest, forest.root(order[i + kFetchAhead]));
//   Use(forest.root(order[i]));
#pragma once

#include <cstddef>

#include "record/forest.h"

namespace thicket {

// How many records ahead a step is.
inline constexpr size_t kFetchAhead = 8;

// What is known of a vertex.
inline void FetchVertex(const Forest& forest, Vertex vertex) {
  __builtin_prefetch(forest.vertex_classes() + vertex);
  __builtin_prefetch(forest.subtree_sizes() + vertex);
}
inline void FetchValues(const Forest& forest, Vertex vertex) {
  __builtin_prefetch(forest.values(vertex));
}

}  // namespace thicket
