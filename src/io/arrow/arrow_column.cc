#include "io/arrow/arrow_column.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace thicket {

namespace {

using Kind = ArrowType::Kind;

constexpr int64_t kSecondsPerDay = 86400;
// More than 64 bits of seconds hold.
constexpr int64_t kMostYears = 300'000'000'000;

// Shortest text that reads back as the same number; whole numbers and those of everyday size without an exponent.
template <typename Float>
char* WriteFloat(Float number, char* begin, char* end) {
  const double size = std::fabs(static_cast<double>(number));
  const bool everyday = size == 0 || (size >= 1e-5 && size < 1e16);
  if (number == 0) number = 0;  // -0 is 0
  return std::to_chars(begin, end, number,
                       everyday ? std::chars_format::fixed : std::chars_format::scientific)
      .ptr;
}

float FromHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  float number = 0;
  if (exponent == 0x1f) {
    number = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    number = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    number = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -number : number;
}

// The number of `size` bytes, the lowest first, times 10^-scale.
char* WriteDecimal(const void* from, size_t size, int scale, char* out) {
  std::array<uint32_t, 8> limbs{};
  std::memcpy(limbs.data(), from, size);
  const size_t count = size / 4;
  const bool negative = (limbs[count - 1] & 0x80000000U) != 0;
  if (negative) {
    uint64_t carry = 1;
    for (size_t i = 0; i < count; ++i) {
      carry += static_cast<uint32_t>(~limbs[i]);
      limbs[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    *out++ = '-';
  }
  char digits[90];
  int length = 0;
  size_t top = count;
  while (top > 0) {
    uint64_t rest = 0;
    for (size_t i = top; i-- > 0;) {
      rest = rest << 32 | limbs[i];
      limbs[i] = static_cast<uint32_t>(rest / 10);
      rest %= 10;
    }
    digits[length++] = static_cast<char>('0' + rest);
    while (top > 0 && limbs[top - 1] == 0) --top;
  }
  if (length == 0) digits[length++] = '0';
  while (length <= scale) digits[length++] = '0';
  while (length > 0) {
    *out++ = digits[--length];
    if (length == scale && length > 0) *out++ = '.';
  }
  for (; scale < 0; ++scale) *out++ = '0';
  return out;
}

char* WritePadded(int64_t number, int width, char* out) {
  for (int i = width; i-- > 0; number /= 10) out[i] = static_cast<char>('0' + number % 10);
  return out + width;
}

// "hh:mm:ss", and the fraction if there is one.
char* WriteTime(int64_t ticks, int64_t per_second, char* out) {
  const int64_t seconds = ticks / per_second;
  out = WritePadded(seconds / 3600, 2, out);
  *out++ = ':';
  out = WritePadded(seconds / 60 % 60, 2, out);
  *out++ = ':';
  out = WritePadded(seconds % 60, 2, out);
  const int64_t fraction = ticks % per_second;
  if (fraction == 0) return out;
  *out++ = '.';
  int width = 0;
  for (int64_t unit = 1; unit < per_second; unit *= 10) ++width;
  return WritePadded(fraction, width, out);
}

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

char* WriteTimestamp(int64_t ticks, const ArrowType& type, char* out) {
  const int64_t per_day = kSecondsPerDay * type.ticks;
  const int64_t days = FloorDivide(ticks, per_day);
  out = WriteDate(days, out);
  const int64_t rest = (ticks % per_day + per_day) % per_day;
  if (rest == 0 && !type.zoned) return out;
  *out++ = 'T';
  out = WriteTime(rest, type.ticks, out);
  if (type.zoned) *out++ = 'Z';
  return out;
}

}  // namespace

// From the civil calendar's days, of which 400 years have always the same number.
char* WriteDate(int64_t days, char* out) {
  const int64_t shifted = days + 719468;  // from 0000-03-01
  const int64_t era = FloorDivide(shifted, 146097);
  const int64_t day_of_era = shifted - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  if (year < 0) {
    *out++ = '-';
    year = -year;
  }
  if (year > 9999) {
    out = std::to_chars(out, out + 20, year).ptr;
  } else {
    out = WritePadded(year, 4, out);
  }
  *out++ = '-';
  out = WritePadded(month, 2, out);
  *out++ = '-';
  return WritePadded(day, 2, out);
}

bool ReadDate(std::string_view text, int64_t& days) {
  const char* at = text.data();
  const char* end = at + text.size();
  int64_t year = 0;
  int month = 0;
  int day = 0;
  auto read = std::from_chars(at, end, year);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != '-') return false;
  if (year < -kMostYears || year > kMostYears) return false;
  at = read.ptr + 1;
  if (end - at < 5 || at[2] != '-') return false;
  if (std::from_chars(at, at + 2, month).ptr != at + 2) return false;
  if (std::from_chars(at + 3, at + 5, day).ptr != at + 5) return false;
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  year -= month <= 2 ? 1 : 0;
  const int64_t era = FloorDivide(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  days =
      era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
  return true;
}

ArrowColumn::ArrowColumn(const ArrowType& type, const ArrowArray& array)
    : type_(&type), array_(&array) {
  if (type.kind == Kind::kNull || type.kind == Kind::kOther) return;
  if (array.null_count != 0) validity_ = static_cast<const uint8_t*>(array.buffers[0]);
  if (array.n_buffers > 1) data_ = array.buffers[1];
  if (type.dictionary) {
    auto values = std::make_unique<ArrowType>(type);
    values->dictionary = false;
    struct Both {
      std::unique_ptr<ArrowType> type;
      ArrowColumn column;
    };
    auto both = std::make_shared<Both>();
    both->type = std::move(values);
    both->column = ArrowColumn(*both->type, *array.dictionary);
    dictionary_ = std::shared_ptr<ArrowColumn>(both, &both->column);
  } else if (type.kind == Kind::kText && !type.is_view()) {
    text_ = array.buffers[2] == nullptr ? "" : static_cast<const char*>(array.buffers[2]);
  }
}

bool ArrowColumn::BitsOf(int64_t row, Bits& bits) const {
  if (dictionary_ != nullptr) {
    bits = {static_cast<uint64_t>(Code(row)), 0};
    return true;
  }
  row += array_->offset;
  if (type_->kind == Kind::kText) {
    const std::string_view text = TextAt(row);
    if (text.size() > 15) return false;
    char bytes[16] = {};
    std::memcpy(bytes, text.data(), text.size());
    bytes[15] = static_cast<char>(text.size());
    std::memcpy(&bits.low, bytes, 8);
    std::memcpy(&bits.high, bytes + 8, 8);
    return true;
  }
  if (type_->bytes == 0 || type_->bytes > 8) return false;
  bits = {};
  std::memcpy(&bits.low, static_cast<const char*>(data_) + static_cast<size_t>(row) * type_->bytes,
              type_->bytes);
  return true;
}

double ArrowColumn::Float(int64_t row) const {
  switch (type_->bytes) {
    case 2:
      return FromHalf(At<uint16_t>(row));
    case 4:
      return At<float>(row);
    default:
      return At<double>(row);
  }
}

bool ArrowColumn::IsMissingValue(int64_t row) const {
  if (dictionary_ != nullptr) {
    if (IsNull(row)) return false;
    const int64_t code = Code(row);
    return dictionary_->IsNull(code) || dictionary_->IsMissingValue(code);
  }
  if (type_->kind != Kind::kFloat || IsNull(row)) return false;
  return std::isnan(Float(row + array_->offset));
}

bool ArrowColumn::IsBeyondDay(int64_t row) const {
  if (type_->kind != Kind::kTime || IsNull(row)) return false;
  if (dictionary_ != nullptr) return dictionary_->IsBeyondDay(Code(row));
  const int64_t ticks = Ticks(row + array_->offset);
  return ticks < 0 || ticks >= kSecondsPerDay * type_->ticks;
}

bool ArrowColumn::IsInfinite(int64_t row) const {
  if (type_->kind != Kind::kFloat || IsNull(row)) return false;
  if (type_->dictionary) return dictionary_->IsInfinite(Code(row));
  return std::isinf(Float(row + array_->offset));
}

int64_t ArrowColumn::Code(int64_t row) const {
  row += array_->offset;
  switch (type_->index_bytes) {
    case 1:
      return type_->signed_index ? At<int8_t>(row) : At<uint8_t>(row);
    case 2:
      return type_->signed_index ? At<int16_t>(row) : At<uint16_t>(row);
    case 4:
      return type_->signed_index ? At<int32_t>(row) : static_cast<int64_t>(At<uint32_t>(row));
    default:
      return At<int64_t>(row);
  }
}

std::string_view ArrowColumn::ViewAt(int64_t row) const {
  constexpr size_t kViewBytes = 16;
  constexpr int32_t kMostInside = 12;
  const char* view = static_cast<const char*>(data_) + static_cast<size_t>(row) * kViewBytes;
  int32_t length = 0;
  std::memcpy(&length, view, sizeof length);
  if (length <= kMostInside) return {view + 4, static_cast<size_t>(length)};
  int32_t buffer = 0;
  int32_t offset = 0;
  std::memcpy(&buffer, view + 8, sizeof buffer);
  std::memcpy(&offset, view + 12, sizeof offset);
  return {static_cast<const char*>(array_->buffers[2 + buffer]) + offset,
          static_cast<size_t>(length)};
}

std::string_view ArrowColumn::TextAt(int64_t row) const {
  if (type_->is_view()) return ViewAt(row);
  if (type_->layout == ArrowType::Layout::kLarge) {
    const auto begin = At<int64_t>(row);
    return {text_ + begin, static_cast<size_t>(At<int64_t>(row + 1) - begin)};
  }
  const auto begin = At<int32_t>(row);
  return {text_ + begin, static_cast<size_t>(At<int32_t>(row + 1) - begin)};
}

std::pair<int64_t, int64_t> ArrowColumn::Elements(int64_t row) const {
  using Layout = ArrowType::Layout;
  row += array_->offset;
  switch (type_->layout) {
    case Layout::kFixed:
      return {row * type_->width, (row + 1) * type_->width};
    case Layout::kLarge:
      return {At<int64_t>(row), At<int64_t>(row + 1)};
    case Layout::kView: {
      const int64_t begin = At<int32_t>(row);
      return {begin, begin + Load<int32_t>(array_->buffers[2], row)};
    }
    case Layout::kLargeView: {
      const auto begin = At<int64_t>(row);
      return {begin, begin + Load<int64_t>(array_->buffers[2], row)};
    }
    default:
      return {At<int32_t>(row), At<int32_t>(row + 1)};
  }
}

OutgoingValue ArrowColumn::Value(int64_t row, ArrowScratch& scratch) const {
  if (IsNull(row)) return {};
  if (dictionary_ != nullptr) return dictionary_->Value(Code(row), scratch);
  row += array_->offset;
  char* const begin = scratch.bytes;
  char* const limit = begin + sizeof scratch.bytes;
  char* end = begin;
  ValueKind kind = ValueKind::kNumber;
  switch (type_->kind) {
    case Kind::kText:
      return {ValueKind::kString, TextAt(row)};
    case Kind::kBoolean: {
      const bool truth = (static_cast<const uint8_t*>(data_)[row >> 3] >> (row & 7) & 1) != 0;
      return {ValueKind::kBoolean, truth ? "true" : "false"};
    }
    case Kind::kInteger: {
      const int64_t number = type_->bytes == 1   ? At<int8_t>(row)
                             : type_->bytes == 2 ? At<int16_t>(row)
                             : type_->bytes == 4 ? At<int32_t>(row)
                                                 : At<int64_t>(row);
      end = std::to_chars(begin, limit, number).ptr;
      break;
    }
    case Kind::kUnsigned: {
      const uint64_t number = type_->bytes == 1   ? At<uint8_t>(row)
                              : type_->bytes == 2 ? At<uint16_t>(row)
                              : type_->bytes == 4 ? At<uint32_t>(row)
                                                  : At<uint64_t>(row);
      end = std::to_chars(begin, limit, number).ptr;
      break;
    }
    case Kind::kFloat: {
      const double number = Float(row);
      if (std::isnan(number)) return {};
      end = type_->bytes == 8 ? WriteFloat(number, begin, limit)
                              : WriteFloat(static_cast<float>(number), begin, limit);
      break;
    }
    case Kind::kDecimal:
      end = WriteDecimal(static_cast<const char*>(data_) + static_cast<size_t>(row) * type_->bytes,
                         type_->bytes, type_->scale, begin);
      break;
    case Kind::kDate:
      kind = ValueKind::kString;
      end = WriteDate(FloorDivide(Ticks(row), type_->ticks), begin);
      break;
    case Kind::kTime:
      kind = ValueKind::kString;
      end = WriteTime(Ticks(row), type_->ticks, begin);
      break;
    case Kind::kTimestamp:
      kind = ValueKind::kString;
      end = WriteTimestamp(Ticks(row), *type_, begin);
      break;
    default:
      return {};
  }
  return {kind, {begin, static_cast<size_t>(end - begin)}};
}

}  // namespace thicket
