#include "cutting/table/fraction.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>

namespace thicket {

std::optional<Fraction> Fraction::Of(const Decimal& number) {
  constexpr int64_t kMostDigits = 18;
  if (number.is_zero()) return Fraction{0, 1};
  if (number.is_negative()) return {};
  // The power of ten of the last digit that is not 0.
  const int64_t last = number.magnitude() - static_cast<int64_t>(number.digit_count());
  if (number.magnitude() > kMostDigits || last < -kMostDigits) return {};
  if (number.digit_count() > kMostDigits) return {};
  const std::string digits = number.Shifted(-last).Text();
  Fraction result{0, 1};
  std::from_chars(digits.data(), digits.data() + digits.size(), result.numerator);
  for (int64_t i = 0; i < last; ++i) result.numerator *= 10;
  for (int64_t i = last; i < 0; ++i) result.denominator *= 10;
  return result.Times(1, 1);
}

std::optional<Fraction> Fraction::Times(uint64_t part, uint64_t whole) const {
  const uint64_t across = std::max<uint64_t>(1, std::gcd(numerator, whole));
  const uint64_t down = std::max<uint64_t>(1, std::gcd(part, denominator));
  Fraction result;
  if (__builtin_mul_overflow(numerator / across, part / down, &result.numerator) ||
      __builtin_mul_overflow(denominator / down, whole / across, &result.denominator)) {
    return {};
  }
  const uint64_t common = std::gcd(result.numerator, result.denominator);
  return Fraction{result.numerator / common, result.denominator / common};
}

}  // namespace thicket
