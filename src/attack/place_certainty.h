// How sure an adversary who knows all labels of a victim is of its sensitive values, vertex by vertex.
//
// The victim's root is the root of a candidate. A vertex below can be any vertex of a candidate whose labels cover its labels, as do its
// parent's those of its parent, and so on up. Certainty is the share of the most frequent bucket among all vertices that it can be.
//
//   PlaceCertainty certainty(original, release, bound);
//   certainty.Add(victim, shapes, tally);   // shapes: those of the candidates
//
// The highest certainty is looked for, so whatever cannot exceed the highest one so far (certainty_bound.h) is passed over. Many siblings are
// held against many places by their values (fit_index.h), and equal siblings once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attack/certainty_bound.h"
#include "attack/release.h"
#include "attack/tally.h"
#include "record/dataset.h"

namespace thicket {

class PlaceCertainty {
 public:
  // All must outlive it.
  PlaceCertainty(const EncodedDataset& original, Release& release, CertaintyBound& bound);

  // Whether there are sensitive values at all.
  bool has_secrets() const { return has_secrets_[0]; }

  void Add(RecordId victim, const std::vector<uint32_t>& shapes, Tally& tally);

 private:
  // A position in the records of a shape.
  struct Place {
    uint32_t shape;
    uint32_t position;
  };

  void AddShares(ClassId id, const std::vector<Place>& pool, Tally& tally);
  bool MayBeSurer(const std::vector<Place>& pool, const Tally& tally);
  std::vector<Place> PlacesBelow(ClassId id, const std::vector<Place>& pool) const;
  void AddBelow(Vertex target, const std::vector<Place>& pool, Tally& tally);
  void AddWide(ClassId id, std::vector<Vertex> children, const std::vector<Place>& below,
               Tally& tally);

  const EncodedDataset& original_;
  const Schema& schema_;
  Release& release_;
  CertaintyBound& bound_;
  // By class: whether it or a class below it has a sensitive attribute.
  std::vector<bool> has_secrets_;
  std::vector<uint32_t> counts_;
};

}  // namespace thicket
