#include "io/arrow/arrow_symbols.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace thicket {

namespace {

constexpr int kSizeBits = 11;
constexpr size_t kSize = size_t{1} << kSizeBits;
// How many rows ahead texts are fetched.
constexpr int64_t kAhead = 8;
constexpr uint64_t kFirstFactor = 0x9e3779b97f4a7c15;
constexpr uint64_t kSecondFactor = 0xd6e8feb86659fd93;

constexpr WrongValue kInfinite = {"must be a number, but is infinite", "make it null"};
constexpr WrongValue kBeyondDay = {"must be a time of a day, but is not", "make it null"};
constexpr WrongValue kNoUtf8 = {"must be UTF-8, but is not", "convert it"};

// Eight bytes at a time: most texts are.
bool IsAscii(std::string_view text) {
  uint64_t all = 0;
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + i, sizeof word);
    all |= word;
  }
  for (; i < text.size(); ++i) all |= static_cast<unsigned char>(text[i]);
  return (all & 0x8080808080808080U) == 0;
}

const WrongValue* CheckText(const ArrowColumn& column, const OutgoingValue& value) {
  if (column.type().kind != ArrowType::Kind::kText || IsAscii(value.text)) return nullptr;
  return IsUtf8(value.text) ? nullptr : &kNoUtf8;
}

}  // namespace

void ArrowSymbols::Attach(const ArrowColumn& column) {
  if (!column.type().dictionary) return;
  entries_.clear();
  if (column.type().is_plain()) used_.assign(static_cast<size_t>(column.CodeCount()), false);
}

ArrowSymbols::Entry& ArrowSymbols::EntryOf(const ArrowColumn::Bits& bits) {
  if (entries_.empty()) entries_.resize(kSize);
  const uint64_t mixed = (bits.low ^ (bits.high * kFirstFactor)) * kSecondFactor;
  return entries_[mixed >> (64 - kSizeBits)];
}

const WrongValue* ArrowSymbols::Read(DatasetSink& sink, ClassId id, size_t slot,
                                     const ArrowColumn& column, int64_t row, Symbol& symbol) {
  column.Fetch(row + kAhead);
  ArrowColumn::Bits bits;
  Entry* entry = column.BitsOf(row, bits) ? &EntryOf(bits) : nullptr;
  if (entry != nullptr && entry->known && entry->bits == bits) {
    symbol = entry->symbol;
    return nullptr;
  }
  OutgoingValue value;
  if (const WrongValue* wrong = ReadUnchecked(column, row, value)) return wrong;
  if (value.kind == ValueKind::kNone) {
    symbol = kMissing;
    return nullptr;
  }
  // A text that is known has been looked at.
  const Dictionary& known = sink.dataset().dictionaries[id][slot];
  const size_t before = known.size();
  symbol = sink.Intern(id, slot, value.kind, value.text);
  if (known.size() != before) {
    if (const WrongValue* wrong = CheckText(column, value)) return wrong;
  }
  if (entry != nullptr) *entry = {bits, symbol, true};
  return nullptr;
}

const WrongValue* ArrowSymbols::ReadValue(const ArrowColumn& column, int64_t row,
                                          OutgoingValue& value) {
  if (const WrongValue* wrong = ReadUnchecked(column, row, value)) return wrong;
  return CheckText(column, value);
}

const WrongValue* ArrowSymbols::ReadUnchecked(const ArrowColumn& column, int64_t row,
                                              OutgoingValue& value) {
  value = column.Value(row, scratch_);
  if (column.type().kind == ArrowType::Kind::kFloat && column.IsInfinite(row)) return &kInfinite;
  if (column.type().kind == ArrowType::Kind::kTime && column.IsBeyondDay(row)) return &kBeyondDay;
  if (!used_.empty() && !column.IsNull(row)) used_[static_cast<size_t>(column.Code(row))] = true;
  return nullptr;
}

bool ArrowSymbols::MissesOtherwise(const ArrowColumn& column, int64_t row) {
  const bool other = column.IsMissingValue(row);
  if (!other && !column.IsNull(row)) return false;
  (other ? met_other_missing_ : met_null_) = true;
  return met_null_ && met_other_missing_;
}

bool ArrowSymbols::has_unused() const {
  return std::find(used_.begin(), used_.end(), false) != used_.end();
}

}  // namespace thicket
