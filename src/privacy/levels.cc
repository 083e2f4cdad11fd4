#include "privacy/levels.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace thicket {

namespace {

double Rising(double number, double from, double to) {
  if (number <= from) return 0;
  return number >= to ? 1 : (number - from) / (to - from);
}

}  // namespace

FuzzyLevels::FuzzyLevels(Decimal min, Decimal max) : min_(std::move(min)), max_(std::move(max)) {
  a_[0] = min_.ToDouble();
  a_[6] = max_.ToDouble();
  a_[3] = a_[0] / 2 + a_[6] / 2;
  a_[1] = a_[0] + (a_[3] - a_[0]) / 3;
  a_[2] = a_[0] + 2 * ((a_[3] - a_[0]) / 3);
  a_[4] = a_[3] + (a_[6] - a_[3]) / 3;
  a_[5] = a_[3] + 2 * ((a_[6] - a_[3]) / 3);
}

double FuzzyLevels::Membership(int set, double number) const {
  if (set == 1) return 1 - Rising(number, a_[0], a_[2]);
  if (set == kSets) return Rising(number, a_[4], a_[6]);
  const auto i = static_cast<size_t>(set);
  return number <= a_[i] ? Rising(number, a_[i - 1], a_[i]) : 1 - Rising(number, a_[i], a_[i + 1]);
}

int FuzzyLevels::Level(const Decimal& number, bool low_is_sensitive) const {
  if (min_ >= max_) return 3;
  // The way from the end that is not sensitive, against the bounds of Bounds(), which lie alike from either end.
  const Decimal way = (low_is_sensitive ? max_ - number : number - min_).Times(36);
  const Decimal range = max_ - min_;
  int level = 1;
  for (const uint32_t bound : {8, 15, 21, 28}) {
    if (way >= range.Times(bound)) ++level;
  }
  return level;
}

std::array<double, 4> FuzzyLevels::Bounds() const {
  // Low falls over two divisions where very low rises over one, from half way: they meet a third into the second one.
  const double first = a_[1] + (a_[2] - a_[1]) / 3;
  const double last = a_[5] - (a_[5] - a_[4]) / 3;
  return {first, a_[2] / 2 + a_[3] / 2, a_[3] / 2 + a_[4] / 2, last};
}

}  // namespace thicket
