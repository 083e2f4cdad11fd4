#include "verify/source_order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace thicket {

namespace {

// Up to so many additions a chance is computed exactly.
constexpr uint64_t kMostSteps = uint64_t{1} << 22;

// How many pairs stand the other way round; sorts the numbers.
uint64_t CountInversions(std::span<uint32_t> numbers) {
  if (numbers.size() < 2) return 0;
  const std::span<uint32_t> low = numbers.first(numbers.size() / 2);
  const std::span<uint32_t> high = numbers.subspan(low.size());
  uint64_t count = CountInversions(low) + CountInversions(high);
  size_t above = 0;
  for (const uint32_t number : high) {
    while (above < low.size() && low[above] < number) ++above;
    count += low.size() - above;
  }
  std::inplace_merge(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(low.size()),
                     numbers.end());
  return count;
}

bool HasOrderAsAWhole(std::span<const KnownPlace> places) {
  std::vector<uint32_t> originals;
  for (const KnownPlace& place : places) originals.push_back(place.original);
  return StandInOrder({std::move(originals)});
}

bool HasOrderOfNeighbours(std::span<const KnownPlace> places) {
  size_t descents = 0;
  for (size_t i = 1; i < places.size(); ++i) {
    descents += places[i].original < places[i - 1].original ? 1 : 0;
  }
  const size_t fewer = std::min(descents, places.size() - 1 - descents);
  return ChanceOfDescents(places.size(), fewer) < kLeastChance;
}

bool HasOrderOfLookAlikes(std::span<const KnownPlace> places) {
  std::vector<KnownPlace> by_look(places.begin(), places.end());
  std::stable_sort(by_look.begin(), by_look.end(),
                   [](const KnownPlace& a, const KnownPlace& b) { return a.look < b.look; });
  std::vector<std::vector<uint32_t>> sets;
  for (size_t i = 0; i < by_look.size(); ++i) {
    if (i == 0 || by_look[i].look != by_look[i - 1].look) sets.emplace_back();
    sets.back().push_back(by_look[i].original);
  }
  return StandInOrder(std::move(sets));
}

}  // namespace

double ChanceOfSum(const std::vector<uint32_t>& widths, uint64_t sum) {
  double mean = 0;
  double squares = 0;
  for (const uint32_t width : widths) {
    mean += width / 2.0;
    squares += static_cast<double>(width) * width;
  }
  const auto at_most = static_cast<double>(sum);
  if (at_most >= mean) return 1;
  if ((sum + 1) * widths.size() > kMostSteps) {
    return std::exp(-2 * (mean - at_most) * (mean - at_most) / squares);
  }
  // By sum: how likely it is for the numbers so far. Sums above are of no interest, since none ever falls.
  std::vector<double> chance(sum + 1, 0);
  std::vector<double> next(sum + 1, 0);
  chance[0] = 1;
  for (const uint32_t width : widths) {
    double window = 0;
    for (size_t i = 0; i <= sum; ++i) {
      window += chance[i];
      if (i > width) window -= chance[i - width - 1];
      next[i] = std::max(0.0, window) / (width + 1.0);
    }
    std::swap(chance, next);
  }
  return std::accumulate(chance.begin(), chance.end(), 0.0);
}

double ChanceOfDescents(size_t count, size_t descents) {
  const auto numbers = static_cast<double>(count);
  // A random permutation has as many descents as the whole part of a sum of `count` uniform numbers of [0, 1).
  const double below_mean = numbers / 2 - static_cast<double>(descents + 1);
  if (uint64_t{count} * (descents + 1) > kMostSteps) {
    return below_mean <= 0 ? 1 : std::exp(-2 * below_mean * below_mean / numbers);
  }
  // Eulerian numbers, over the number of permutations: a further thing stands in a descent, or makes one more.
  std::vector<double> chance(descents + 1, 0);
  chance[0] = 1;
  for (size_t things = 2; things <= count; ++things) {
    for (size_t i = std::min(descents, things - 1) + 1; i-- > 0;) {
      const double made = i > 0 ? chance[i - 1] * static_cast<double>(things - i) : 0;
      chance[i] = (chance[i] * static_cast<double>(i + 1) + made) / static_cast<double>(things);
    }
  }
  return std::accumulate(chance.begin(), chance.end(), 0.0);
}

bool StandInOrder(std::vector<std::vector<uint32_t>> sets) {
  // An inversion is the pair of a number and a later, lower one. For the i-th number of a random order there are 0 to
  // i - 1, each as likely, and independent of the others.
  std::vector<uint32_t> widths;
  uint64_t inversions = 0;
  uint64_t pairs = 0;
  for (std::vector<uint32_t>& set : sets) {
    for (uint32_t i = 1; i < set.size(); ++i) {
      widths.push_back(i);
      pairs += i;
    }
    inversions += CountInversions(set);
  }
  return ChanceOfSum(widths, std::min(inversions, pairs - inversions)) < kLeastChance;
}

std::optional<std::string_view> FindSourceOrder(std::span<const KnownPlace> places) {
  if (places.size() < 2) return std::nullopt;
  if (HasOrderAsAWhole(places)) return "stand in the order of their originals, or against it";
  if (HasOrderOfNeighbours(places))
    return "follow one another as their originals do, or against it";
  if (HasOrderOfLookAlikes(places)) {
    return "stand, among records that look alike, in the order of their originals, or against it";
  }
  return std::nullopt;
}

}  // namespace thicket
