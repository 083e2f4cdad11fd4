#include "base/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace thicket {

namespace {

// A text with more zeros than this at one end is written with an exponent.
constexpr int64_t kMostZeros = 25;
// Exponents beyond this are all the same: too large, or too small.
constexpr int64_t kExponentLimit = 1'000'000'000'000'000;

// The parts of a number as it is written.
struct Written {
  bool negative = false;
  std::string digits;
  // How many of the digits stand before the point.
  int64_t point = 0;
  // What stands behind "e", at most kExponentLimit + 1 either way.
  int64_t exponent = 0;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool TakeSign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

std::optional<Written> Scan(std::string_view text) {
  Written written;
  written.negative = TakeSign(text);
  bool has_point = false;
  while (!text.empty() && (IsDigit(text.front()) || (text.front() == '.' && !has_point))) {
    if (text.front() == '.') {
      has_point = true;
    } else {
      written.digits += text.front();
      if (!has_point) ++written.point;
    }
    text.remove_prefix(1);
  }
  if (written.digits.empty()) return std::nullopt;
  if (text.empty()) return written;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  const bool negative = TakeSign(text);
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsDigit)) return std::nullopt;
  for (const char c : text) {
    written.exponent = std::min(written.exponent * 10 + (c - '0'), kExponentLimit + 1);
  }
  if (negative) written.exponent = -written.exponent;
  return written;
}

// Whole numbers as digits, most significant first; they may begin with zeros. `a` has as many digits as `b`, or more.
void AddTo(std::string& a, const std::string& b) {
  a.insert(a.begin(), '0');
  int carry = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    char& digit = a[a.size() - 1 - i];
    const int sum = (digit - '0') + (i < b.size() ? b[b.size() - 1 - i] - '0' : 0) + carry;
    digit = static_cast<char>('0' + sum % 10);
    carry = sum / 10;
  }
}

// `a` is at least `b`, and has as many digits.
void SubtractFrom(std::string& a, const std::string& b) {
  int borrow = 0;
  for (size_t i = a.size(); i-- > 0;) {
    int digit = (a[i] - '0') - (b[i] - '0') - borrow;
    borrow = digit < 0 ? 1 : 0;
    if (digit < 0) digit += 10;
    a[i] = static_cast<char>('0' + digit);
  }
}

}  // namespace

Decimal::Decimal(bool negative, std::string digits, int64_t point)
    : negative_(negative), digits_(std::move(digits)), point_(point) {
  const size_t first = digits_.find_first_not_of('0');
  if (first == std::string::npos) {
    *this = Decimal();
    return;
  }
  digits_.erase(digits_.find_last_not_of('0') + 1);
  digits_.erase(0, first);
  point_ -= static_cast<int64_t>(first);
}

Decimal::Decimal(double number) { *this = Parse(fmt::format("{}", number)).value_or(Decimal()); }

std::optional<Decimal> Decimal::Parse(std::string_view text) {
  std::optional<Written> written = Scan(text);
  if (!written) return std::nullopt;
  Decimal number(written->negative, std::move(written->digits), written->point);
  if (number.is_zero()) return number;
  if (written->exponent > kMostExponent || written->exponent < -kMostExponent) return std::nullopt;
  number.point_ += written->exponent;
  return number;
}

bool Decimal::IsNumber(std::string_view text) { return Scan(text).has_value(); }

std::optional<std::string> Decimal::Key(std::string_view text) {
  std::optional<Written> written = Scan(text);
  if (!written) return std::nullopt;
  const Decimal number(written->negative, std::move(written->digits), written->point);
  if (number.is_zero()) return "0";
  const std::string_view sign = number.negative_ ? "-" : "";
  const int64_t point = number.point_ + written->exponent;
  if (point > kExponentLimit) return fmt::format("{}large", sign);
  if (point < -kExponentLimit) return fmt::format("{}small", sign);
  return fmt::format("{}{}e{}", sign, number.digits_, point);
}

std::string Decimal::Text() const {
  if (is_zero()) return "0";
  const std::string sign = negative_ ? "-" : "";
  const auto count = static_cast<int64_t>(digits_.size());
  if (point_ > count + kMostZeros || point_ < -kMostZeros) {
    const std::string_view rest = std::string_view(digits_).substr(1);
    return fmt::format("{}{}{}{}e{}", sign, digits_[0], rest.empty() ? "" : ".", rest, point_ - 1);
  }
  if (point_ <= 0) return sign + "0." + std::string(static_cast<size_t>(-point_), '0') + digits_;
  if (point_ >= count)
    return sign + digits_ + std::string(static_cast<size_t>(point_ - count), '0');
  const auto whole = static_cast<size_t>(point_);
  return sign + digits_.substr(0, whole) + "." + digits_.substr(whole);
}

double Decimal::ToDouble() const {
  if (is_zero()) return 0;
  const std::string text = fmt::format("{}0.{}e{}", negative_ ? "-" : "", digits_, point_);
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc::result_out_of_range) return number;
  const double size = point_ > 0 ? std::numeric_limits<double>::infinity() : 0;
  return negative_ ? -size : size;
}

Decimal Decimal::operator-() const {
  Decimal result = *this;
  result.negative_ = !negative_ && !is_zero();
  return result;
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const int64_t scale = std::min(a.scale(), b.scale());
  std::string x = a.digits_ + std::string(static_cast<size_t>(a.scale() - scale), '0');
  std::string y = b.digits_ + std::string(static_cast<size_t>(b.scale() - scale), '0');
  const size_t length = std::max(x.size(), y.size());
  x.insert(0, length - x.size(), '0');
  y.insert(0, length - y.size(), '0');
  bool negative = a.negative_;
  if (a.negative_ == b.negative_) {
    AddTo(x, y);
  } else if (x >= y) {
    SubtractFrom(x, y);
  } else {
    SubtractFrom(y, x);
    std::swap(x, y);
    negative = b.negative_;
  }
  const int64_t point = scale + static_cast<int64_t>(x.size());
  return {negative, std::move(x), point};
}

Decimal Decimal::Times(uint32_t factor) const {
  std::string product(digits_.size() + 10, '0');
  uint64_t carry = 0;
  for (size_t i = 0; i < product.size(); ++i) {
    const size_t at = product.size() - 1 - i;
    const uint64_t digit =
        i < digits_.size() ? static_cast<uint64_t>(digits_[digits_.size() - 1 - i] - '0') : 0;
    const uint64_t sum = digit * factor + carry;
    product[at] = static_cast<char>('0' + sum % 10);
    carry = sum / 10;
  }
  return {negative_, std::move(product), point_ + 10};
}

Decimal Decimal::Shifted(int64_t places) const {
  Decimal result = *this;
  if (!is_zero()) result.point_ += places;
  return result;
}

Decimal Decimal::FloorTo(const Decimal& width) const {
  // Whole units of the width's last digit, rounded down. The rest of dividing them by the width, which is below 10^18, is
  // what must be taken away.
  uint64_t divisor = 0;
  for (const char c : width.digits_) divisor = divisor * 10 + static_cast<uint64_t>(c - '0');
  const int64_t unit = width.scale();
  const int64_t places = std::max<int64_t>(point_ - unit, 0);
  std::string units = digits_.substr(0, std::min(digits_.size(), static_cast<size_t>(places)));
  const bool has_fraction = units.size() < digits_.size();
  units.resize(static_cast<size_t>(places), '0');
  uint64_t rest = 0;
  for (const char c : units) rest = (rest * 10 + static_cast<uint64_t>(c - '0')) % divisor;
  Decimal floor(negative_, std::move(units), unit + places);
  if (rest > 0) {
    const std::string taken = std::to_string(rest);
    const auto length = static_cast<int64_t>(taken.size());
    floor = floor - Decimal(negative_, taken, unit + length);
  }
  // A negative number was rounded towards 0.
  return negative_ && (rest > 0 || has_fraction) ? floor - width : floor;
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  if (a.is_zero() || b.is_zero() || a.negative_ != b.negative_) {
    const auto sign = [](const Decimal& x) { return x.is_zero() ? 0 : x.negative_ ? -1 : 1; };
    return sign(a) <=> sign(b);
  }
  // Of two negative numbers the larger one has the smaller size.
  const Decimal& x = a.negative_ ? b : a;
  const Decimal& y = a.negative_ ? a : b;
  return x.point_ != y.point_ ? x.point_ <=> y.point_ : x.digits_ <=> y.digits_;
}

}  // namespace thicket
