// What a fuzz target does with a data set that was read without an error: touches everything in it, and stops on what
// cannot be.
#pragma once

#include "check.h"
#include "record/dataset.h"

namespace thicket::fuzz {

inline bool IsBelow(const Schema& schema, ClassId id, ClassId above) {
  while (id != 0 && id != above) id = schema.classes[id].parent;
  return id == above;
}

// `moved`: vertices may stand below any ancestor of their class, as in k^(m,n)-anonymous data.
inline void Walk(const Dataset& data, bool moved = false) {
  const Forest& forest = data.forest;
  Check(forest.record_count() > 0);
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    const Vertex root = forest.root(record);
    Check(forest.class_of(root) == 0);
    Check(forest.subtree_size(root) == forest.record_size(record));
    for (Vertex v = root; v < root + forest.record_size(record); ++v) {
      const ClassId id = forest.class_of(v);
      size_t size = 1;
      for (const Vertex child : forest.Children(v)) {
        const ClassId child_class = forest.class_of(child);
        Check(child_class != id && child_class != 0);
        Check(moved ? IsBelow(*data.schema, child_class, id)
                    : data.schema->classes[child_class].parent == id);
        size += forest.subtree_size(child);
      }
      Check(size == forest.subtree_size(v));
      for (size_t slot = 0; slot < data.schema->classes[id].value_count(); ++slot) {
        const Dictionary& dictionary = data.dictionaries[id][slot];
        Check(forest.value(v, slot) < dictionary.size());
        Check((forest.value(v, slot) == kMissing) ==
              (dictionary.kind(forest.value(v, slot)) == ValueKind::kNone));
      }
      if (data.schema->classes[id].value_count() > 0) Check(!data.Where(v, 0).empty());
    }
  }
}

}  // namespace thicket::fuzz
