// A record of one forest as a record of another, with other symbols where the caller says so.
//
//   ForestBuilder builder(schema);
//   CopyRecord(forest, record, schema, builder, [](ClassId, size_t /*slot*/, Symbol symbol) { return symbol; });
#pragma once

#include <cstddef>
#include <vector>

#include "base/stop.h"
#include "record/dictionary.h"
#include "record/forest.h"
#include "record/schema.h"

namespace thicket {

template <typename SymbolOf>
void CopyRecord(const Forest& from, RecordId record, const Schema& schema, ForestBuilder& builder,
                const SymbolOf& symbol_of) {
  const Vertex root = from.root(record);
  // Where the subtrees of the vertices end that are open, without the root.
  std::vector<Vertex> ends;
  builder.BeginRecord(from.line(record));
  for (Vertex v = root; v < from.root(record + 1); ++v) {
    StopPoint();
    for (; !ends.empty() && ends.back() == v; ends.pop_back()) builder.Close();
    const ClassId id = from.class_of(v);
    if (v != root) {
      builder.Open(id);
      ends.push_back(v + from.subtree_size(v));
    }
    for (size_t slot = 0; slot < schema.classes[id].value_count(); ++slot) {
      builder.Set(slot, symbol_of(id, slot, from.value(v, slot)));
    }
  }
  for (; !ends.empty(); ends.pop_back()) builder.Close();
  builder.EndRecord();
}

}  // namespace thicket
