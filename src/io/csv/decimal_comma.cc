#include "io/csv/decimal_comma.h"

#include "base/decimal.h"

namespace thicket {

namespace {

void AppendTurned(std::string_view text, std::string& out) {
  for (const char c : text) out += c == '.' ? ',' : c == ',' ? '.' : c;
}

bool IsNumberEitherWay(std::string_view text) {
  if (Decimal::IsNumber(text)) return true;
  std::string turned;
  AppendTurned(text, turned);
  return Decimal::IsNumber(turned);
}

}  // namespace

DecimalComma::DecimalComma(const InputPolicy& input, const VertexClass& type)
    : any_(input.decimal == ',') {
  for (const QuasiAttribute& attribute : type.quasi) {
    const Recoding::Kind kind = attribute.recoding.kind;
    numbers_.push_back(any_ &&
                       (kind == Recoding::Kind::kRanges || kind == Recoding::Kind::kNumeric));
  }
  numbers_.resize(type.quasi.size() + type.sensitive.size(), any_);
  numbers_.resize(type.value_count(), false);
}

std::string_view DecimalComma::Turn(size_t slot, std::string_view text,
                                    std::string& scratch) const {
  if (!numbers_[slot] || text.find_first_of(",.") == std::string_view::npos) return text;
  scratch.clear();
  if (IsNumberEitherWay(text)) {
    AppendTurned(text, scratch);
    return scratch;
  }
  constexpr std::string_view kBetween = ", ";
  const size_t comma = text.find(kBetween);
  if (comma == std::string_view::npos || text.front() != '[') return text;
  if (text.back() != ']' && text.back() != ')') return text;
  const size_t second = comma + kBetween.size();
  const std::string_view low = text.substr(1, comma - 1);
  const std::string_view high = text.substr(second, text.size() - 1 - second);
  if (!IsNumberEitherWay(low) || !IsNumberEitherWay(high)) return text;
  scratch += text.front();
  AppendTurned(low, scratch);
  scratch += kBetween;
  AppendTurned(high, scratch);
  scratch += text.back();
  return scratch;
}

}  // namespace thicket
