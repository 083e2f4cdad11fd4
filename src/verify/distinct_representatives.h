// Gives everyone who asks something of their own, out of what they may have.
//
// Askers and things come in groups of equals: asker a needs demand[a] things, of thing t there are capacity[t]. This is
// a system of distinct representatives where groups have size 1, a maximum flow in general.
//
//   std::vector<uint32_t> missing = FindShortage({1, 1}, {1}, [&](uint32_t asker) { return things; });
//   missing;  // {0, 1}: there is one thing, and two who ask for it
//
// Greedy first, then breadth-first augmenting paths. What a failed search has seen can never be of use again and is not
// looked at any more, so failures cost O(edges) in all. `candidates` is asked anew whenever a list is needed, so that
// it may compute lists on the fly; a reference that it returns must hold until it is asked again.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace thicket {

using CandidatesOf = std::function<const std::vector<uint32_t>&(uint32_t asker)>;

// By asker: how many things are missing when as many as possible are given out.
std::vector<uint32_t> FindShortage(const std::vector<uint32_t>& demand,
                                   const std::vector<uint32_t>& capacity,
                                   const CandidatesOf& candidates);

}  // namespace thicket
