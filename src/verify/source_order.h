// Whether published records stand in an order that gives away the order of their originals.
//
// Whoever has the originals' order, from a list of rooms or a running number, and a file in the same order puts names to
// records, whatever was generalized. A publisher shuffles. What came of that can be checked where it is certain which
// original a record came from (verify/truthful.h): those records must not be ordered as chance alone would hardly order
// them. Three things are counted, and each is asked how rarely a random order has so few, or so many:
//
//   - pairs of records that stand the other way round than their originals (inversions): a file as it was, or reversed,
//     or with parts of it in order;
//   - neighbours that do (descents): a file that was sorted by something else, and is in order inside;
//   - pairs that do among records that look alike: classes that were shuffled, but not their members.
//
//   if (const auto fault = FindSourceOrder(places)) Complain(*fault);
//
// The same is asked of siblings that nothing but their sensitive and kept values tells apart. In one class of look-alikes
// they may be shuffled together (a class is diverse in one alignment, verify/verify.h), so one record of each class speaks for
// it.
//
// The chance that a random order is taken for one that is not is below 8 * kLeastChance, less than one in a million. It is
// exact for few records, and a bound by Hoeffding's inequality for many: inversions are a sum of independent uniform
// numbers, and descents are the whole part of one (Tanny 1973). So ten certain records may stand in any order, and eleven
// (11! = 39,916,800) may not stand in the originals'.
//
// O(records log records).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "record/forest.h"

namespace thicket {

struct KnownPlace {
  // Its place in the source.
  RecordId original;
  // Equal for records that look alike.
  uint32_t look;
};

// Orders that are rarer than this are no chance.
inline constexpr double kLeastChance = 1e-7;

// `places`: the published records whose originals are certain, in the order of the published file. What is wrong with that
// order, to follow "but ... records": "stand in the order of their originals".
std::optional<std::string_view> FindSourceOrder(std::span<const KnownPlace> places);

// Whether the numbers of all sets, each in the order of the file, ascend or descend more than chance would have it. The
// order of each set must be independent of that of the others.
bool StandInOrder(std::vector<std::vector<uint32_t>> sets);

// The chance that independent uniform numbers of {0, ..., widths[i]} add up to at most `sum`, or an upper bound of it.
double ChanceOfSum(const std::vector<uint32_t>& widths, uint64_t sum);
// The chance that a random permutation of `count` things has at most `descents` descents, or an upper bound of it.
double ChanceOfDescents(size_t count, size_t descents);

}  // namespace thicket
