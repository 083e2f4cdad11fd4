// Gives everyone who asks something of their own, out of what they may have.
//
// Askers and things come in groups of equals: asker a needs demand[a] things, of thing t there are capacity[t]. This is
// a system of distinct representatives where groups have size 1, a maximum flow in general.
//
//   std::vector<uint32_t> missing = FindShortage({1, 1}, {1}, [&](uint32_t asker) { return things; });
//   missing;  // {0, 1}: there is one thing, and two who ask for it
//
// Greedy first, then breadth-first augmenting paths. What a failed search has seen can never be of use again and is not
// looked at any more, so failures cost O(edges) in all. Candidates are asked for one after the other, and no further than one is needed, so
// that they may be found on the fly. Who goes short follows from the order of the askers alone: the first of them that can be served together
// are served.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace thicket {

inline constexpr uint32_t kNoThing = ~uint32_t{0};
// The thing that the asker may have as the one with this number, from 0 on; kNoThing beyond the last.
using CandidateAt = std::function<uint32_t(uint32_t asker, size_t number)>;
// All of them; a reference that is returned must hold until somebody is asked for again.
using CandidatesOf = std::function<const std::vector<uint32_t>&(uint32_t asker)>;

// By asker: how many things are missing when as many as possible are given out.
std::vector<uint32_t> FindShortage(const std::vector<uint32_t>& demand,
                                   const std::vector<uint32_t>& capacity,
                                   const CandidateAt& candidate);
std::vector<uint32_t> FindShortage(const std::vector<uint32_t>& demand,
                                   const std::vector<uint32_t>& capacity,
                                   const CandidatesOf& candidates);

}  // namespace thicket
