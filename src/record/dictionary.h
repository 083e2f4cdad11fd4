// The distinct values of one attribute, each text stored once and known by a number from then on.
//
// Symbol 0 is the missing value. A value's kind is part of it: 1 and "1" are two symbols, so that a published value
// goes out as it came in.
//
//   Dictionary grades;
//   Symbol a = grades.Intern(ValueKind::kString, "A");
//   grades.text(a);  // "A"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thicket {

using Symbol = uint32_t;
inline constexpr Symbol kMissing = 0;

enum class ValueKind : uint8_t { kNone, kString, kNumber, kBoolean };

class Dictionary {
 public:
  Dictionary();

  // The symbol of a value, new or known. Numbers and booleans are given as they stand in the source.
  Symbol Intern(ValueKind kind, std::string_view text);

  // How many symbols there are, the missing value included.
  size_t size() const { return entries_.size(); }
  ValueKind kind(Symbol symbol) const { return entries_[symbol].kind; }
  std::string_view text(Symbol symbol) const {
    const Entry& entry = entries_[symbol];
    return {chunks_[entry.chunk].data() + entry.offset, entry.length};
  }

 private:
  struct Entry {
    uint32_t chunk;
    uint32_t offset;
    uint32_t length;
    ValueKind kind;
  };

  void Grow();

  std::vector<Entry> entries_;
  std::vector<std::string> chunks_;
  std::vector<uint32_t> table_;  // open addressing; entry number, 0 for a free place
};

}  // namespace thicket
