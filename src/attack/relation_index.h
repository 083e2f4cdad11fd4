// Which shapes of a release show one label above another.
//
//   RelationIndex index(schema, release);
//   index.Find(nation, brand);   // shapes with a path on which labels that cover both stand, in this order
//
// A vertex stands for its labels in the order of the policy, below those of its ancestors; a missing value is no label.
// All pairs on paths are listed once, O(labels * labels above), by the values of the release. A question then unites the
// lists of the pairs that cover it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "attack/known_labels.h"
#include "attack/release.h"

namespace thicket {

class RelationIndex {
 public:
  RelationIndex(const Schema& schema, const Release& release);

  // Shapes that show a label at or above the first one above a label at or above the second; each may be there twice.
  std::vector<uint32_t> Find(const KnownRelation& relation) const;
  // Shapes that show exactly them.
  std::vector<uint32_t> FindExactly(const KnownRelation& relation) const;

 private:
  // An attribute's number and a value of the release in one.
  uint64_t Key(size_t attribute, uint32_t raw) const { return attribute * most_raw_ + raw; }
  size_t AttributeOf(ClassId id, size_t slot) const { return first_attribute_[id] + slot; }
  template <typename Accept>
  std::vector<uint32_t> FindWhere(const KnownRelation& relation, const Accept& accept) const;

  const Release& release_;
  std::vector<size_t> first_attribute_;
  uint64_t most_raw_ = 1;
  // By attribute, by value: the attribute and value below, and the shapes.
  struct Below {
    uint64_t key;
    std::vector<uint32_t> shapes;
  };
  std::unordered_map<uint64_t, std::vector<Below>> below_;
};

}  // namespace thicket
