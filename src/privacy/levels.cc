#include "privacy/levels.h"

#include <cstddef>

namespace thicket {

namespace {

// Memberships that differ by no more than rounding are equal.
constexpr double kRounding = 1e-9;

double Rising(double number, double from, double to) {
  if (number <= from) return 0;
  return number >= to ? 1 : (number - from) / (to - from);
}

}  // namespace

FuzzyLevels::FuzzyLevels(double min, double max) : min_(min), max_(max) {
  a_[3] = min / 2 + max / 2;
  a_[1] = min + (a_[3] - min) / 3;
  a_[2] = min + 2 * ((a_[3] - min) / 3);
  a_[4] = a_[3] + (max - a_[3]) / 3;
  a_[5] = a_[3] + 2 * ((max - a_[3]) / 3);
}

double FuzzyLevels::Membership(int set, double number) const {
  if (set == 1) return 1 - Rising(number, min_, a_[2]);
  if (set == kSets) return Rising(number, a_[4], max_);
  const auto i = static_cast<size_t>(set);
  return number <= a_[i] ? Rising(number, a_[i - 1], a_[i]) : 1 - Rising(number, a_[i], a_[i + 1]);
}

int FuzzyLevels::Level(double number, bool low_is_sensitive) const {
  if (!(min_ < max_)) return 3;
  int best_level = kSets;
  double best = -1;
  for (int level = kSets; level >= 1; --level) {
    const double membership = Membership(low_is_sensitive ? kSets + 1 - level : level, number);
    if (membership <= best + kRounding) continue;
    best = membership;
    best_level = level;
  }
  return best_level;
}

std::array<double, 4> FuzzyLevels::Bounds() const {
  // Low falls over two divisions where very low rises over one, from half way: they meet a third into the second one.
  const double first = a_[1] + (a_[2] - a_[1]) / 3;
  const double last = a_[5] - (a_[5] - a_[4]) / 3;
  return {first, a_[2] / 2 + a_[3] / 2, a_[3] / 2 + a_[4] / 2, last};
}

}  // namespace thicket
