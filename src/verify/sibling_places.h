// Where equal siblings of a published record stood in its original, as far as that is certain.
//
// Siblings of an ordered class are left out: they stand as they stood, and must. Siblings are equal if nothing but sensitive and kept values tells their subtrees apart. A published vertex's original is
// certain if only one child of its parent's original has a subtree that it can come from (verify/embedding.h).
//
//   std::vector<std::vector<uint32_t>> sets;
//   AppendSiblingPlaces(published.forest, looks, original.forest, embedding, root, original_root, sets);
//   if (StandInOrder(sets)) ...
//
// O(children of the published record * children of the original one) embeddings; beyond kMostSiblings children of a vertex,
// the rest is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/canonical_form.h"
#include "verify/embedding.h"

namespace thicket {

inline constexpr size_t kMostSiblings = 200;

// `looks`: the published forest's, CompareBy::kQuasi. The published subtree must embed at `origin`. Adds, for each set of two
// or more equal siblings, their originals in the order of the published file.
void AppendSiblingPlaces(const Forest& published, const CanonicalForm& looks,
                         const Forest& original, Embedding& embedding, Vertex vertex, Vertex origin,
                         std::vector<std::vector<uint32_t>>& sets);

}  // namespace thicket
