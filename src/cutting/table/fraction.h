// A share or a cost as two whole numbers, so that what is compared with it is compared exactly.
//
//   Fraction{1, 3} < *Fraction::Of(*Decimal::Parse("0.34"));   // true
//   Fraction{1, 3}.IsExceededBy(1, 3);                         // false: a third is not more than a third
#pragma once

#include <cstdint>
#include <optional>

#include "base/decimal.h"

namespace thicket {

struct Fraction {
  uint64_t numerator = 1;
  // At least 1.
  uint64_t denominator = 1;

  // Nothing for a negative number, or one that needs more than 18 digits before or behind the point.
  static std::optional<Fraction> Of(const Decimal& number);
  // Times part / whole, in lowest terms; nothing where 64 bits have no room for that. `whole` is at least 1.
  std::optional<Fraction> Times(uint64_t part, uint64_t whole) const;

  // Whether part / whole is more than this.
  bool IsExceededBy(uint64_t part, uint64_t whole) const {
    return Wide{part} * denominator > Wide{numerator} * whole;
  }
  friend bool operator==(const Fraction& a, const Fraction& b) {
    return Wide{a.numerator} * b.denominator == Wide{b.numerator} * a.denominator;
  }
  friend bool operator<(const Fraction& a, const Fraction& b) {
    return Wide{a.numerator} * b.denominator < Wide{b.numerator} * a.denominator;
  }

 private:
  __extension__ using Wide = unsigned __int128;
};

}  // namespace thicket
