// How sensitive a number is, by fuzzy sets (Wang et al. 2018, section 3.3).
//
// Five fuzzy sets divide the range of an attribute: low, very low, middle, very high and high (in this order, as the
// paper names them). Around a3, the middle of the range, a1 and a2 divide the lower half in three and a4 and a5 the
// upper one. Low falls from 1 at the minimum to 0 at a2, the three in the middle are triangles with their peaks at a2, a3
// and a4 and their feet one division to either side, and high rises from 0 at a4 to 1 at the maximum. (The indices
// printed in the paper are off by one; this reading gives its Table 1.)
//
//   FuzzyLevels gpa(0, 4);
//   gpa.Membership(1, 0.8) == 0.4;
//   gpa.Level(0.8, true) == 5;     // of a grade point average the low end is sensitive
//
// A number belongs to the set in which its membership is greatest; where two are equal, to the more sensitive one.
// Numbers outside the range belong to its ends. In a range of a single number nothing is more sensitive than anything
// else: its level is the middle one.
#pragma once

#include <array>

#include "base/decimal.h"

namespace thicket {

class FuzzyLevels {
 public:
  static constexpr int kSets = 5;

  FuzzyLevels(Decimal min, Decimal max);

  double min() const { return a_[0]; }
  double max() const { return a_[6]; }

  // How far a number belongs to a set: 1 (low) to 5 (high).
  double Membership(int set, double number) const;
  // The level of sensitivity, 1 to 5, exactly: memberships are compared by where their lines cross, in 36ths of the range.
  int Level(const Decimal& number, bool low_is_sensitive) const;
  // Where neighbouring sets meet: the bounds between the five, ascending.
  std::array<double, 4> Bounds() const;

 private:
  Decimal min_;
  Decimal max_;
  std::array<double, 7> a_{};  // a1 to a5 as in the paper, between the ends of the range
};

}  // namespace thicket
