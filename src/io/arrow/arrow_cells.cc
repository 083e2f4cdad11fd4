#include "io/arrow/arrow_cells.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/decimal.h"
#include "io/arrow/arrow_schema.h"

namespace thicket {

namespace {

using Kind = ArrowType::Kind;

constexpr size_t kMostBytes = 32;
using FixedValue = std::array<uint8_t, kMostBytes>;

template <typename T>
bool Put(T number, FixedValue& out) {
  std::memcpy(out.data(), &number, sizeof number);
  return true;
}

template <typename T>
bool ReadWhole(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

template <typename Number>
bool PutWhole(std::string_view text, size_t bytes, FixedValue& out) {
  Number number = 0;
  if (!ReadWhole(text, number)) return false;
  const size_t bits = 8 * bytes;
  if (bits < 64) {
    const Number most = std::numeric_limits<Number>::max() >> (64 - bits);
    const Number least = std::numeric_limits<Number>::min() >> (64 - bits);
    if (number > most || number < least) return false;
  }
  return Put(number, out);  // the lowest bytes come first
}

uint16_t ToHalf(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  const uint32_t sign = bits >> 16 & 0x8000U;
  const int exponent = static_cast<int>(bits >> 23 & 0xffU) - 127 + 15;
  const uint32_t fraction = (bits & 0x7fffffU) | 0x800000U;
  // Only numbers that a half can hold come here: nothing is rounded.
  if (number == 0) return static_cast<uint16_t>(sign);
  if (exponent >= 1) {
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(exponent) << 10 |
                                 (fraction >> 13 & 0x3ffU));
  }
  return static_cast<uint16_t>(sign | fraction >> (14 - exponent));
}

bool PutFloat(std::string_view text, size_t bytes, FixedValue& out) {
  if (bytes == 8) {
    double number = 0;
    return ReadWhole(text, number) && Put(number, out);
  }
  float number = 0;
  if (!ReadWhole(text, number)) return false;
  return bytes == 4 ? Put(number, out) : Put(ToHalf(number), out);
}

bool PutDecimal(std::string_view text, const ArrowType& type, FixedValue& out) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  std::string digits;
  int after_point = -1;
  for (const char c : text) {
    if (c == '.' && after_point < 0) {
      after_point = 0;
    } else if (c >= '0' && c <= '9') {
      digits += c;
      if (after_point >= 0) ++after_point;
    } else {
      return false;
    }
  }
  int zeros = type.scale - std::max(after_point, 0);
  for (; zeros > 0; --zeros) digits += '0';
  for (; zeros < 0; ++zeros) {
    if (digits.empty() || digits.back() != '0') return false;
    digits.pop_back();
  }
  std::array<uint32_t, kMostBytes / 4> limbs{};
  for (const char c : digits) {
    uint64_t carry = static_cast<uint64_t>(c - '0');
    for (uint32_t& limb : limbs) {
      carry += uint64_t{limb} * 10;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) return false;
  }
  for (size_t i = type.bytes / 4; i < limbs.size(); ++i) {
    if (limbs[i] != 0) return false;
  }
  if ((limbs[type.bytes / 4 - 1] & 0x80000000U) != 0) return false;
  if (negative) {
    uint64_t carry = 1;
    for (uint32_t& limb : limbs) {
      carry += static_cast<uint32_t>(~limb);
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  std::memcpy(out.data(), limbs.data(), kMostBytes);
  return true;
}

// "hh:mm:ss" with or without a fraction.
bool ReadTime(std::string_view text, int64_t per_second, int64_t& ticks) {
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
  if (text.size() < 8 || text[2] != ':' || text[5] != ':' || !ReadWhole(text.substr(0, 2), hours) ||
      !ReadWhole(text.substr(3, 2), minutes) || !ReadWhole(text.substr(6, 2), seconds)) {
    return false;
  }
  int64_t fraction = 0;
  int64_t unit = 1;
  if (text.size() > 8) {
    const std::string_view digits = text.substr(9);
    if (text[8] != '.' || digits.size() > 9 || !ReadWhole(digits, fraction)) return false;
    for (size_t i = 0; i < digits.size(); ++i) unit *= 10;
  }
  if (unit > per_second) return false;
  ticks = ((hours * 60 + minutes) * int64_t{60} + seconds) * per_second +
          fraction * (per_second / unit);
  return true;
}

bool PutTicks(int64_t ticks, const ArrowType& type, FixedValue& out) {
  return type.bytes == 4 ? Put(static_cast<int32_t>(ticks), out) : Put(ticks, out);
}

// A date beyond what can be counted (nanoseconds end in the year 2262) gives another, which does not read as the same text.
int64_t TicksOfDay(int64_t days, int64_t per_day) {
  return static_cast<int64_t>(static_cast<uint64_t>(days) * static_cast<uint64_t>(per_day));
}

bool PutTimestamp(std::string_view text, const ArrowType& type, FixedValue& out) {
  int64_t days = 0;
  if (!ReadDate(text, days)) return false;
  const size_t mark = text.find('T');
  int64_t ticks = 0;
  if (mark != std::string_view::npos) {
    text.remove_prefix(mark + 1);
    if (type.zoned && !text.empty() && text.back() == 'Z') text.remove_suffix(1);
    if (!ReadTime(text, type.ticks, ticks)) return false;
  }
  const auto begin = static_cast<uint64_t>(TicksOfDay(days, 86400 * type.ticks));
  return Put(static_cast<int64_t>(begin + static_cast<uint64_t>(ticks)), out);
}

bool Encode(const ArrowType& type, const OutgoingValue& value, FixedValue& out) {
  const std::string_view text = value.text;
  const bool number = value.kind == ValueKind::kNumber;
  int64_t ticks = 0;
  switch (type.kind) {
    case Kind::kBoolean:
      return value.kind == ValueKind::kBoolean && Put<uint8_t>(text == "true" ? 1 : 0, out);
    case Kind::kInteger:
      return number && PutWhole<int64_t>(text, type.bytes, out);
    case Kind::kUnsigned:
      return number && PutWhole<uint64_t>(text, type.bytes, out);
    case Kind::kFloat:
      return number && PutFloat(text, type.bytes, out);
    case Kind::kDecimal:
      return number && PutDecimal(text, type, out);
    case Kind::kDate:
      return ReadDate(text, ticks) && PutTicks(TicksOfDay(ticks, type.ticks), type, out);
    case Kind::kTime:
      return ReadTime(text, type.ticks, ticks) && PutTicks(ticks, type, out);
    case Kind::kTimestamp:
      return PutTimestamp(text, type, out);
    default:
      return false;
  }
}

// An array that owns its buffers.
struct Built {
  std::vector<std::string> bytes;
  std::vector<uint8_t> validity;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};
};

void ReleaseBuilt(ArrowArray* array) {
  auto* built = static_cast<Built*>(array->private_data);
  for (ArrowArray& child : built->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (built->dictionary.release != nullptr) built->dictionary.release(&built->dictionary);
  array->release = nullptr;
  delete built;
}

// `built` has everything but its pointers. Buffers: validity, then the bytes.
void FillArray(Built* built, int64_t length, int64_t nulls, bool has_validity, ArrowArray* array) {
  *array = ArrowArray{};
  if (has_validity) {
    built->buffers.push_back(nulls > 0 ? built->validity.data() : nullptr);
  }
  for (const std::string& bytes : built->bytes) built->buffers.push_back(bytes.data());
  for (ArrowArray& child : built->children) built->child_pointers.push_back(&child);
  array->length = length;
  array->null_count = nulls;
  array->n_buffers = static_cast<int64_t>(built->buffers.size());
  array->buffers = built->buffers.data();
  array->n_children = static_cast<int64_t>(built->children.size());
  array->children = built->child_pointers.data();
  array->dictionary = built->dictionary.release == nullptr ? nullptr : &built->dictionary;
  array->release = &ReleaseBuilt;
  array->private_data = built;
}

template <typename T, typename From>
std::string BytesOf(const std::vector<From>& numbers) {
  std::string bytes(numbers.size() * sizeof(T), '\0');
  for (size_t i = 0; i < numbers.size(); ++i) {
    const T number = static_cast<T>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &number, sizeof(T));
  }
  return bytes;
}

bool NeedsLarge(const std::vector<int64_t>& offsets) {
  return offsets.back() > std::numeric_limits<int32_t>::max();
}

// 16 bytes per text: its length, and the text itself, or its first bytes and where it stands in `outside`.
std::string ViewsOf(const std::vector<int64_t>& offsets, std::string_view data,
                    std::string& outside) {
  constexpr size_t kViewBytes = 16;
  constexpr size_t kMostInside = 12;
  constexpr size_t kPrefix = 4;
  std::string views((offsets.size() - 1) * kViewBytes, '\0');
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    char* view = views.data() + i * kViewBytes;
    const std::string_view text = data.substr(static_cast<size_t>(offsets[i]),
                                              static_cast<size_t>(offsets[i + 1] - offsets[i]));
    const auto length = static_cast<int32_t>(text.size());
    const auto begin = static_cast<int32_t>(outside.size());
    const bool inside = text.size() <= kMostInside;
    std::memcpy(view, &length, sizeof length);
    std::memcpy(view + 4, text.data(), inside ? text.size() : kPrefix);
    if (inside) continue;
    std::memcpy(view + 12, &begin, sizeof begin);
    outside += text;
  }
  return views;
}

// Texts in a layout, or in one with larger offsets where there is more of them; returns the type's letters.
std::string AddTexts(ArrowType::Layout layout, const std::vector<int64_t>& offsets,
                     std::string data, std::vector<std::string>& bytes) {
  const bool large = NeedsLarge(offsets);
  if (layout == ArrowType::Layout::kView && !large) {
    std::string outside;
    bytes.push_back(ViewsOf(offsets, data, outside));
    const auto size = static_cast<int64_t>(outside.size());
    bytes.push_back(std::move(outside));
    bytes.push_back(BytesOf<int64_t>(std::vector<int64_t>{size}));
    return "vu";
  }
  const bool wide = large || layout != ArrowType::Layout::kSmall;
  bytes.push_back(wide ? BytesOf<int64_t>(offsets) : BytesOf<int32_t>(offsets));
  bytes.push_back(std::move(data));
  return wide ? "U" : "u";
}

// Numbers of a dictionary's values, in as many bytes as the source had; returns the type's letter.
std::string AddCodes(const ArrowType& type, size_t values, const std::vector<int32_t>& rows,
                     std::vector<std::string>& bytes) {
  const size_t most = type.signed_index ? 128 : 256;
  if (type.index_bytes == 1 && values <= most) {
    bytes.push_back(BytesOf<int8_t>(rows));
    return type.signed_index ? "c" : "C";
  }
  if (type.index_bytes == 2 && values <= most * 256) {
    bytes.push_back(BytesOf<int16_t>(rows));
    return type.signed_index ? "s" : "S";
  }
  if (type.index_bytes == 8) {
    bytes.push_back(BytesOf<int64_t>(rows));
    return type.signed_index ? "l" : "L";
  }
  bytes.push_back(BytesOf<int32_t>(rows));
  return type.signed_index ? "i" : "I";
}

}  // namespace

ArrowType PlainType(std::string_view format) {
  const ArrowSchema schema = {.format = format.data(),
                              .name = "",
                              .metadata = nullptr,
                              .flags = 0,
                              .n_children = 0,
                              .children = nullptr,
                              .dictionary = nullptr,
                              .release = [](ArrowSchema*) {},
                              .private_data = nullptr};
  return *ArrowType::Of(schema, "");
}

ArrowType TextType() { return PlainType("u"); }

bool FitsArrow(const ArrowType& type, const OutgoingValue& value) {
  if (type.kind == Kind::kText) return true;
  FixedValue bytes{};
  if (!Encode(type, value, bytes)) return false;
  ArrowType plain = type;
  plain.dictionary = false;
  const void* buffers[] = {nullptr, bytes.data()};
  ArrowArray array{};
  array.length = 1;
  array.n_buffers = 2;
  array.buffers = buffers;
  ArrowScratch scratch;
  const OutgoingValue again = ArrowColumn(plain, array).Value(0, scratch);
  if (again.text == value.text) return true;
  return value.kind == ValueKind::kNumber && again.kind == value.kind &&
         Decimal::Key(again.text) == Decimal::Key(value.text);
}

ArrowCells::ArrowCells(std::string name, ArrowType type)
    : name_(std::move(name)), type_(std::move(type)), offsets_(1, 0) {}

ArrowCells ArrowCells::Leaf(std::string name, ArrowType type) {
  // Two values need none.
  type.dictionary = type.dictionary && type.kind != Kind::kBoolean && type.kind != Kind::kNull;
  return ArrowCells(std::move(name), std::move(type));
}

ArrowCells ArrowCells::List(std::string name, ArrowCells elements) {
  ArrowType type;
  type.kind = Kind::kList;
  ArrowCells list(std::move(name), std::move(type));
  list.children_.push_back(std::make_unique<ArrowCells>(std::move(elements)));
  return list;
}

ArrowCells ArrowCells::Struct(std::string name) {
  ArrowType type;
  type.kind = Kind::kStruct;
  return ArrowCells(std::move(name), std::move(type));
}

ArrowCells& ArrowCells::Add(ArrowCells column) {
  for (const auto& known : children_) {
    if (known->name_ == column.name_) return *known;
  }
  children_.push_back(std::make_unique<ArrowCells>(std::move(column)));
  return *children_.back();
}

void ArrowCells::Order(const std::vector<ArrowType>& names) {
  const auto place = [&](const std::unique_ptr<ArrowCells>& column) {
    return std::find_if(names.begin(), names.end(),
                        [&](const ArrowType& type) { return type.name == column->name_; });
  };
  std::stable_sort(children_.begin(), children_.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

void ArrowCells::DropIfEmpty(std::string_view name) {
  std::erase_if(children_, [&](const std::unique_ptr<ArrowCells>& column) {
    if (column->name_ != name) return false;
    return column->is_list() ? column->elements().length() == 0 : column->nulls_ == column->length_;
  });
}

void ArrowCells::MarkNext(bool valid) {
  const auto bit = static_cast<size_t>(length_);
  if (bit / 8 >= validity_.size()) validity_.push_back(0);
  if (valid) {
    validity_[bit / 8] = static_cast<uint8_t>(validity_[bit / 8] | 1U << bit % 8);
  } else {
    ++nulls_;
  }
  ++length_;
}

void ArrowCells::AppendNull() {
  switch (type_.kind) {
    case Kind::kList:
      EndList();
      return;
    case Kind::kStruct:
      EndStruct(false);
      return;
    default:
      Append({});
      return;
  }
}

void ArrowCells::EndList() {
  MarkNext(true);
  offsets_.push_back(elements().length());
}

void ArrowCells::EndStruct(bool there) {
  MarkNext(there);
  for (const auto& column : children_) {
    while (column->length_ < length_) column->AppendNull();
  }
}

void ArrowCells::Append(const OutgoingValue& value) {
  const bool there = value.kind != ValueKind::kNone;
  const auto bit = static_cast<size_t>(length_);
  MarkNext(there);
  if (type_.kind == Kind::kNull) return;
  if (type_.dictionary) {
    const auto [entry, fresh] =
        there ? codes_.try_emplace(std::string(value.text), static_cast<int32_t>(codes_.size()))
              : std::pair(codes_.end(), false);
    rows_.push_back(there ? entry->second : 0);
    if (!fresh) return;
  }
  if (type_.kind == Kind::kText) {
    if (there) data_ += value.text;
    offsets_.push_back(static_cast<int64_t>(data_.size()));
    return;
  }
  FixedValue bytes{};
  if (there) Encode(type_, value, bytes);
  if (type_.kind == Kind::kBoolean) {
    if (bit / 8 >= data_.size()) data_.push_back('\0');
    data_[bit / 8] = static_cast<char>(static_cast<uint8_t>(data_[bit / 8]) | bytes[0] << bit % 8);
    return;
  }
  data_.append(reinterpret_cast<const char*>(bytes.data()), type_.bytes);
}

void ArrowCells::Build(ArrowSchema* schema, ArrowArray* array) && {
  auto* built = new Built;
  built->validity = std::move(validity_);
  std::vector<ArrowSchema> below(children_.size());
  built->children.resize(children_.size());
  for (size_t i = 0; i < children_.size(); ++i) {
    std::move(*children_[i]).Build(&below[i], &built->children[i]);
  }
  std::string format = type_.format;
  ArrowSchema values{};
  bool has_validity = true;
  const bool large = NeedsLarge(offsets_);
  if (type_.kind == Kind::kStruct) {
    format = "+s";
  } else if (type_.kind == Kind::kList) {
    format = large ? "+L" : "+l";
    built->bytes.push_back(large ? BytesOf<int64_t>(offsets_) : BytesOf<int32_t>(offsets_));
  } else if (type_.kind == Kind::kNull) {
    format = "n";
    has_validity = false;
  } else {
    // The values: those of the rows, or those of a dictionary.
    auto* of_values = type_.dictionary ? new Built : built;
    if (type_.kind == Kind::kText) {
      format = AddTexts(type_.layout, offsets_, std::move(data_), of_values->bytes);
    } else {
      of_values->bytes.push_back(std::move(data_));
    }
    if (type_.dictionary) {
      FillArray(of_values, static_cast<int64_t>(codes_.size()), 0, true, &built->dictionary);
      MakeSchema(std::move(format), "", {}, nullptr, &values);
      format = AddCodes(type_, codes_.size(), rows_, built->bytes);
    }
  }
  MakeSchema(std::move(format), std::move(name_), std::move(below),
             values.release == nullptr ? nullptr : &values, schema);
  FillArray(built, length_, nulls_, has_validity, array);
}

ArrowTable ArrowCells::Finish() && {
  ArrowSchema schema{};
  ArrowArray array{};
  std::move(*this).Build(&schema, &array);
  return ArrowTable(schema, {array});
}

}  // namespace thicket
