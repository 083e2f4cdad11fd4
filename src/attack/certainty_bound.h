// Which shapes of a release could raise the highest certainty that an adversary has had so far.
//
// The share of a bucket among several shapes is a mean of its shares in each of them, so a pool of candidates in which no
// shape by itself has a larger share than the highest one so far cannot have one either. Once some victim has met the worst
// class of a release, and most do when a promise is kept tightly, nobody's candidates need to be added up any more.
//
//   CertaintyBound bound(schema, release);
//   bound.AtPlace(worst);       // the shapes with a larger share than `worst` of a bucket at one of their positions
//   bound.Anywhere(worst);      // the same of the records that have a value in whichever vertex
//
// Shares are quotients of whole numbers that are rounded once, which keeps their order: the bound holds to the last bit.
// O(vertices log records of a shape) once, then O(shapes) whenever `worst` has changed.
#pragma once

#include <cstddef>
#include <vector>

#include "attack/record_bits.h"
#include "attack/release.h"
#include "attack/secret_counts.h"

namespace thicket {

class CertaintyBound {
 public:
  CertaintyBound(const Schema& schema, const Release& release, const SecretCounts& secrets);

  // The result of either holds until the same one is asked again.
  const Bitmap& AtPlace(double worst) { return at_place_.Above(worst); }
  const Bitmap& Anywhere(double worst) { return anywhere_.Above(worst); }

 private:
  struct Shares {
    // By shape: its largest share.
    std::vector<double> of;
    // The shapes whose share is above `than`; not known yet while that is negative.
    double than = -1;
    Bitmap above;

    const Bitmap& Above(double worst);
  };
  Shares at_place_;
  Shares anywhere_;
};

}  // namespace thicket
