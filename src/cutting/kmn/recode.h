// Recodes every record by a cut and broken relations, and puts the labels back into vertices.
//
//   Publication published = Recode(items, encoded, solution.label_of, solution.broken);
//
// Labels that stand in a chain and are of one class form a vertex again. Where a chain branches inside a class, each
// branch is a vertex with the labels above it: P -> {D1, D2} are two orders, {P, D1} and {P, D2}. Read as chains and
// merged, the vertices give the tree that they came from.
//
// A vertex's sensitive and kept values stay with the last of its labels that was not moved, and go with the last one if
// all were. A vertex that shows no label is published only if it has such values, where it stood; what was below it
// hangs below its parent.
//
// Each record has a tree of its own, of the record's number. Siblings stand in the order of their classes and labels,
// which says nothing about the order in the input. O(vertices * siblings).
#pragma once

#include <vector>

#include "cutting/kmn/item_hierarchy.h"
#include "cutting/kmn/label_tree.h"
#include "record/publication.h"

namespace thicket {

// `label_of`: by item at or below the cut, its label; a left-out item for none.
Publication Recode(const ItemHierarchy& items, const EncodedDataset& data,
                   const std::vector<Item>& label_of, const std::vector<Relation>& broken);

}  // namespace thicket
