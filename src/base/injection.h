// Whether every item on the left can have a fitting item of its own on the right.
//
//   InjectionSpace space;
//   bool placed = HasInjection(children, slots, [&](size_t child, size_t slot) { return ...; }, space);
//
// Breadth-first augmenting paths, O(left^2 * right) at worst and about O(left * right) where most items fit. `fits` is
// asked at most once per pair. The space is reused from call to call; a nested call needs one of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/stop.h"

namespace thicket {

struct InjectionSpace {
  std::vector<uint8_t> fit;     // by left and right: 0 not asked yet, 1 does not fit, 2 fits
  std::vector<uint32_t> owner;  // by right: left + 1, 0 while it is free
  std::vector<uint32_t> place;  // by left: right + 1, 0 while it has none
  std::vector<uint32_t>
      reached_by;               // by right: the left item that reached it + 1, 0 if not reached
  std::vector<uint32_t> queue;  // left items
  // The first left item that could not be placed, if HasInjection said no.
  size_t unplaced = 0;
};

namespace injection_internal {

// Places `start`, moving others aside where that helps.
template <typename Fits>
bool Augment(uint32_t start, size_t right, const Fits& fits, InjectionSpace& space) {
  space.reached_by.assign(right, 0);
  space.queue.assign(1, start);
  for (size_t next = 0; next < space.queue.size(); ++next) {
    StopPoint();
    const uint32_t left = space.queue[next];
    for (uint32_t r = 0; r < right; ++r) {
      if (space.reached_by[r] != 0) continue;
      uint8_t& fit = space.fit[left * right + r];
      if (fit == 0) fit = fits(static_cast<size_t>(left), static_cast<size_t>(r)) ? 2 : 1;
      if (fit == 1) continue;
      space.reached_by[r] = left + 1;
      if (space.owner[r] != 0) {
        space.queue.push_back(space.owner[r] - 1);
        continue;
      }
      // Everyone on the path moves to the item that was reached from it.
      uint32_t at = r + 1;
      while (at != 0) {
        const uint32_t mover = space.reached_by[at - 1];
        const uint32_t before = space.place[mover - 1];
        space.owner[at - 1] = mover;
        space.place[mover - 1] = at;
        at = before;
      }
      return true;
    }
  }
  return false;
}

}  // namespace injection_internal

template <typename Fits>
bool HasInjection(size_t left, size_t right, const Fits& fits, InjectionSpace& space) {
  space.unplaced = left == 0 ? 0 : left - 1;
  if (left > right) return false;
  space.fit.assign(left * right, 0);
  space.owner.assign(right, 0);
  space.place.assign(left, 0);
  for (size_t l = 0; l < left; ++l) {
    if (injection_internal::Augment(static_cast<uint32_t>(l), right, fits, space)) continue;
    space.unplaced = l;
    return false;
  }
  return true;
}

}  // namespace thicket
