// A decimal number as it is written, exactly: integers of any length, decimals of any precision.
//
// A double above 2^53 stands for its neighbours, too, so what is published and what is checked must not pass through one.
// Costs may: ToDouble() is for them.
//
//   std::optional<Decimal> big = Decimal::Parse("9007199254740993");
//   *big > Decimal(9007199254740992.0);                        // true
//   *Decimal::Parse("25e-1") == *Decimal::Parse("2.50");       // true
//   big->Text();                                               // "9007199254740993"
//
// A number is [+-] digits [. digits] [e [+-] digits]; -0 is 0. Comparing is O(digits), as is arithmetic, whose operands
// are padded to a common exponent: this is why Parse() refuses exponents beyond kMostExponent.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thicket {

class Decimal {
 public:
  // The largest exponent that may be written behind "e", either way.
  static constexpr int64_t kMostExponent = 999;
  // How many digits a width of FloorTo() may have.
  static constexpr size_t kMostWidthDigits = 18;

  Decimal() = default;
  // The number that the shortest text of the double says: 0.1 is 1/10. The double must be finite.
  Decimal(double number);  // NOLINT(google-explicit-constructor): constants are written as doubles

  // The whole text as a number, or nothing.
  static std::optional<Decimal> Parse(std::string_view text);
  // Whether the text is a number of any size: one that Parse() refuses has too large an exponent.
  static bool IsNumber(std::string_view text);
  // Equal for texts of equal numbers of any exponent, and different for different ones up to exponents of 10^15, beyond
  // which all that are too large are equal, and all that are too small. Nothing if the text is no number.
  static std::optional<std::string> Key(std::string_view text);

  bool is_zero() const { return digits_.empty(); }
  bool is_negative() const { return negative_; }
  // How many digits are left without zeros at either end.
  size_t digit_count() const { return digits_.size(); }

  // One text per number, which reads back as the same number: "-2.5", "10", "1.5e300".
  std::string Text() const;
  // The nearest double; infinite where it is too large, 0 where it is too small.
  double ToDouble() const;

  Decimal operator-() const;
  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend Decimal operator-(const Decimal& a, const Decimal& b) { return a + (-b); }
  Decimal Times(uint32_t factor) const;
  // Times 10^places.
  Decimal Shifted(int64_t places) const;
  // Where the first digit stands: 1 for 5, 3 for 512, -1 for 0.05; 0 for 0.
  int64_t magnitude() const { return point_; }
  // The largest multiple of the width that is not above the number. The width is positive and has at most
  // kMostWidthDigits digits.
  Decimal FloorTo(const Decimal& width) const;

  friend bool operator==(const Decimal&, const Decimal&) = default;
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);

 private:
  // The number is 0.DIGITS * 10^point_; no zeros at either end of the digits, none at all for 0.
  Decimal(bool negative, std::string digits, int64_t point);

  // The power of ten of the last digit.
  int64_t scale() const { return point_ - static_cast<int64_t>(digits_.size()); }

  bool negative_ = false;
  std::string digits_;
  int64_t point_ = 0;
};

}  // namespace thicket
