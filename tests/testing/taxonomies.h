// Taxonomies with a label of a wanted loss, for worked examples that give losses as fractions.
#pragma once

#include <string>
#include <utility>

#include "taxonomy/taxonomy.h"

namespace thicket::testing {

// A taxonomy with `leaves` leaves, of which "inside0", "inside1", ... lie below "inner" and the others, "outside0", ...,
// below the root. LM'("inner") is (inside - 1) / (leaves - 1).
inline Taxonomy WithInner(int leaves, int inside) {
  TaxonomyBuilder builder;
  const auto inner = builder.Add(TaxonomyBuilder::root(), "inner");
  for (int i = 0; i < leaves; ++i) {
    const bool below = i < inside;
    builder.Add(below ? inner : TaxonomyBuilder::root(),
                (below ? "inside" : "outside") + std::to_string(below ? i : i - inside));
  }
  return std::move(builder).Build();
}

}  // namespace thicket::testing
