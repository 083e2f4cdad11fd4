// Which of many siblings are equal, as far as matching can tell: wide records are matched by kinds (matching/wide_merge.cc).
//
// Two vertices of a record are of one kind where all that stands below and at them is equal: labels, sensitive values that must be diverse,
// and children, whose order counts only where their class is ordered. Two positions of a representative are of one kind where the same holds of
// their labels and of the values that are full there. Kinds are 64 bits of a hash: two that collide would be matched as if they were
// one, which costs a little; whether vertices may stand together is asked again of each pair.
//
//   RecordKinds kinds(model);
//   if (const SiblingKind* of = kinds.of(record)) of[v - root].kind == of[w - root].kind;
//
// Only records with wide siblings have any: 16 bytes per vertex, and time linear in vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/dataset.h"

namespace thicket {

class TreeModel;

// Siblings of one class are matched by kinds only if both sides have at least so many.
inline constexpr size_t kWideSiblings = 48;

struct SiblingKind {
  // Of labels and what is below; a vertex and a position have the same one where these are equal.
  uint64_t look = 0;
  // Of these and of what decides who may stand there.
  uint64_t kind = 0;
};

inline uint64_t MixWord(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0xbf58476d1ce4e5b9ULL;
  return hash ^ (hash >> 29);
}

// The kind of a tree's vertices, from the last to the first: add_own(v, kind) mixes in what v itself has.
template <typename Tree, typename AddOwn>
void FillKinds(const Schema& schema, const Tree& tree, uint32_t first, uint32_t end,
               SiblingKind* kinds, const AddOwn& add_own) {
  constexpr uint64_t kLook = 0x9e3779b97f4a7c15ULL;
  constexpr uint64_t kKind = 0xd1b54a32d192ed03ULL;
  for (uint32_t v = end; v-- > first;) {
    SiblingKind& of = kinds[v - first];
    of = {MixWord(kLook, tree.class_of(v)), MixWord(kKind, tree.class_of(v))};
    add_own(v, of);
    SiblingKind unordered{};
    for (const uint32_t child : tree.Children(v)) {
      const SiblingKind& below = kinds[child - first];
      if (schema.classes[tree.class_of(child)].ordered) {
        of = {MixWord(of.look, below.look), MixWord(of.kind, below.kind)};
      } else {
        unordered.look += MixWord(below.look, kLook);
        unordered.kind += MixWord(below.kind, kKind);
      }
    }
    of = {MixWord(MixWord(of.look, unordered.look), kLook),
          MixWord(MixWord(of.kind, unordered.kind), kKind)};
  }
}

// Whether some vertex of the tree has at least kWideSiblings children of one class.
template <typename Tree>
bool HasWideSiblings(const Tree& tree, uint32_t first, uint32_t end) {
  if (end - first <= kWideSiblings) return false;
  for (uint32_t v = first; v < end; ++v) {
    if (tree.subtree_size(v) <= kWideSiblings) continue;
    size_t alike = 0;
    ClassId last = 0;
    for (const uint32_t child : tree.Children(v)) {
      alike = tree.class_of(child) == last ? alike + 1 : 1;
      last = tree.class_of(child);
      if (alike >= kWideSiblings) return true;
    }
  }
  return false;
}

// Of all records of a model.
class RecordKinds {
 public:
  RecordKinds() = default;
  explicit RecordKinds(const TreeModel& model);

  // By vertex of the record, beginning with its root; null where no siblings are wide.
  const SiblingKind* of(RecordId record) const {
    if (first_.empty() || first_[record] == kNone) return nullptr;
    return kinds_.data() + first_[record];
  }

 private:
  static constexpr size_t kNone = ~size_t{0};
  std::vector<size_t> first_;  // by record
  std::vector<SiblingKind> kinds_;
};

}  // namespace thicket
