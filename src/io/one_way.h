// Choices that a program makes when it writes data, and that mean nothing: which blanks stand between two values, which
// of two keys comes first, whether a missing value has a key. Published data must make each one way throughout, or
// records that look alike could be told apart by them.
//
// Throughout, and not only among look-alikes: a program that writes data makes such choices in one way, so that data that
// was written anew as a whole passes, and under k^(m,n)-anonymity records that resemble no other hide nothing either.
//
//   OneWay blanks;
//   if (!blanks.Meet(" ")) sink.TellApart("", "blanks must be the same in every record, but are not");
//
//   KeyOrder order(keys);
//   order.BeginVertex();
//   if (!order.Meet(key)) sink.TellApart(name, "keys must stand in one order, but do not");
//
// O(1) per choice, O(keys / 64) per key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/same_text.h"

namespace thicket {

// Whether blanks are no more than a line end and indentation: more could hold a message by themselves.
inline bool IsIndentation(std::string_view blanks) {
  constexpr size_t kMost = 256;
  if (blanks.size() > kMost) return false;
  if (blanks.substr(0, 1) == "\r") blanks.remove_prefix(1);
  if (blanks.substr(0, 1) == "\n") blanks.remove_prefix(1);
  return blanks.find_first_not_of(' ') == std::string_view::npos ||
         blanks.find_first_not_of('\t') == std::string_view::npos;
}

// A choice among texts: the first one that is met is the way.
class OneWay {
 public:
  // Whether the choice was never made otherwise.
  bool Meet(std::string_view way) {
    if (!way_) way_ = std::string(way);
    return SameText(*way_, way);
  }
  const std::optional<std::string>& way() const { return way_; }

 private:
  std::optional<std::string> way_;
};

// A choice among a few forms, numbered from 0 to 31.
class OneForm {
 public:
  // Whether the choice was never made otherwise.
  bool Meet(unsigned form) {
    met_ |= uint32_t{1} << form;
    return (met_ & (met_ - 1)) == 0;
  }

 private:
  uint32_t met_ = 0;
};

// In which order the keys of vertices of one class stand: of any two that stand together, always the same one first.
class KeyOrder {
 public:
  explicit KeyOrder(size_t keys)
      : words_((keys + 63) / 64), before_(keys * words_, 0), seen_(words_, 0) {}

  void BeginVertex() { seen_.assign(words_, 0); }

  // Notes that the key comes next; false if it stood before one of those that came before it. Keys that occur several
  // times must stand together.
  bool Meet(size_t key) {
    if (key >= words_ * 64 || (key + 1) * words_ > before_.size()) Grow(key + 1);
    uint64_t* before = &before_[key * words_];
    bool same = true;
    for (size_t word = 0; word < words_; ++word) {
      uint64_t fresh = seen_[word] & ~before[word];
      if (word == key / 64) fresh &= ~Bit(key);
      for (; fresh != 0 && same; fresh &= fresh - 1) {
        const size_t other = word * 64 + static_cast<size_t>(__builtin_ctzll(fresh));
        same = (before_[other * words_ + key / 64] & Bit(key)) == 0;
      }
    }
    if (same) {
      for (size_t word = 0; word < words_; ++word) before[word] |= seen_[word];
    }
    seen_[key / 64] |= Bit(key);
    return same;
  }

 private:
  static uint64_t Bit(size_t key) { return uint64_t{1} << (key % 64); }

  // Makes room for more keys than there were.
  void Grow(size_t keys) {
    const size_t words = (keys + 63) / 64;
    std::vector<uint64_t> before(keys * words, 0);
    const size_t old_keys = words_ == 0 ? 0 : before_.size() / words_;
    for (size_t key = 0; key < old_keys; ++key) {
      for (size_t word = 0; word < words_; ++word) {
        before[key * words + word] = before_[key * words_ + word];
      }
    }
    before_ = std::move(before);
    seen_.resize(words, 0);
    words_ = words;
  }

  size_t words_;
  // By key: those that stood before it in a vertex.
  std::vector<uint64_t> before_;
  // Those of the open vertex.
  std::vector<uint64_t> seen_;
};

// The same for names that are not known beforehand.
class NameOrder {
 public:
  void BeginVertex() { order_.BeginVertex(); }
  bool Meet(std::string_view name) {
    auto known = numbers_.find(name);
    if (known == numbers_.end()) known = numbers_.emplace(name, numbers_.size()).first;
    return order_.Meet(known->second);
  }

 private:
  std::map<std::string, size_t, std::less<>> numbers_;
  KeyOrder order_{0};
};

// How each character is written, in a format where some can be written in several ways.
class CharacterWays {
 public:
  // Whether the character was never written in another way. `way` is one bit.
  bool Meet(uint32_t character, uint8_t way) {
    uint8_t& ways = character < basic_.size() ? basic_[character] : beyond_[character];
    ways |= way;
    return ways == way;
  }

 private:
  // By character: the ways that were met. Plane 0 is a table.
  std::vector<uint8_t> basic_ = std::vector<uint8_t>(0x10000, 0);
  std::unordered_map<uint32_t, uint8_t> beyond_;
};

// The first character of a UTF-8 text that is not empty, and how many bytes it has.
inline uint32_t FirstCharacter(std::string_view text, size_t& size) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(text[i])); };
  size = 1;
  if (byte(0) < 0xc0) return byte(0);
  size = std::min<size_t>(byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4, text.size());
  uint32_t character = byte(0) & (0xffU >> (size + 1));
  for (size_t i = 1; i < size; ++i) character = character << 6 | (byte(i) & 0x3f);
  return character;
}

}  // namespace thicket
