// Trees up to the order of siblings: equal numbers for equal subtrees.
//
// Two records are QI-isomorphic (Definition 3.11 of Ozalp et al. 2016) exactly when their roots have equal numbers, and
// siblings sorted by number stand in one canonical order, in which equal positions are aligned vertices. Siblings with
// equal subtrees keep their order in the source, and so do all siblings of a class that is `ordered`: these are a sequence, and
// only equal sequences are equal.
//
//   CanonicalForm form = Canonicalize(schema, forest, CompareBy::kQuasi);
//   form.number[forest.root(a)] == form.number[forest.root(b)];   // QI-isomorphic
//   std::vector<Vertex> order;
//   AppendCanonicalOrder(forest, form, a, order);
//
// Subtrees are numbered bottom up, each by its class, its values and the sorted numbers of its children, behind them those of
// ordered classes as they stand, compared in full and not by hash alone. O(vertices), and a sort per set of siblings.
#pragma once

#include <cstdint>
#include <vector>

#include "record/forest.h"
#include "record/schema.h"

namespace thicket {

enum class CompareBy {
  kQuasi,      // structure and quasi-identifiers: what an adversary may know
  kAllValues,  // sensitive and kept values, too
};

struct CanonicalForm {
  // By vertex.
  std::vector<uint32_t> number;
  // Numbers are below this.
  uint32_t count = 0;
  // By class: whether its siblings are a sequence.
  std::vector<bool> ordered = {};
};

CanonicalForm Canonicalize(const Schema& schema, const Forest& forest, CompareBy compare);
// The same for what stands beside the forest's symbols (EncodedDataset::values).
CanonicalForm Canonicalize(const Schema& schema, const Forest& forest, VertexValues values,
                           CompareBy compare);

// Appends the record's vertices, parents before children and siblings in canonical order.
void AppendCanonicalOrder(const Forest& forest, const CanonicalForm& form, RecordId record,
                          std::vector<Vertex>& order);

// Records with equal trees, in the order of their first records.
struct RecordGroups {
  // Members of group g are [first[g], first[g + 1]) of `members`, ascending.
  std::vector<uint32_t> first = {0};
  std::vector<RecordId> members;
  // By record.
  std::vector<uint32_t> group_of;

  size_t size() const { return first.size() - 1; }
  size_t size(size_t group) const { return first[group + 1] - first[group]; }
  RecordId member(size_t group, size_t index) const { return members[first[group] + index]; }
};

RecordGroups GroupRecords(const Forest& forest, const CanonicalForm& form);

}  // namespace thicket
